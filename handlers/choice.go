package handlers

import (
	"net/http"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// suggestion is a record that a form suggests while the user types.
type suggestion struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Note string `json:"note"`
}

// suggestChoices answers the text of a form's field with the records that it finds.
func suggestChoices(r *request) error {
	q, err := r.query("q")
	if err != nil {
		return err
	}
	suggestions := []suggestion{}
	if text := q.Get("q"); text != "" {
		choices, err := r.shop.Choices(r.ctx(), store.ChoiceKind(r.param("kind")), text)
		if err != nil {
			return err
		}
		for _, c := range choices[:min(maxSuggestions, len(choices))] {
			suggestions = append(suggestions, suggestion{c.ID, c.Name, c.Note})
		}
	}
	return r.JSON(http.StatusOK, suggestions)
}

const maxSuggestions = 8

// pick is a field of a form that names a record, as entered and as found.
type pick struct {
	name    string // of the field
	kind    store.ChoiceKind
	input   ui.Input
	chosen  *store.Choice
	choices []store.Choice // what the text finds, if it does not identify one record
	isNew   bool           // the user adds a record
}

// pickParams returns the parameters of a field that names a record.
func pickParams(name string) []string {
	return []string{name, ui.PickedParam(name), ui.PickedTextParam(name)}
}

// readPick finds the record that a field of a form names, in at most ten requests.
// It returns Invalid if the text does not identify one. An empty field has no
// record and no error.
func (r *request) readPick(form web.Form, name string, kind store.ChoiceKind) (pick, error) {
	text, id := strings.TrimSpace(form.Get(name)), form.Get(ui.PickedParam(name))
	p := pick{name: name, kind: kind, input: ui.Input{Value: text}, isNew: id == ui.PickedNew}
	switch {
	case p.isNew || text == "":
		return p, nil
	case id != "" && text == strings.TrimSpace(form.Get(ui.PickedTextParam(name))):
		return r.chosenPick(name, kind, id)
	}
	found, err := r.shop.Choices(r.ctx(), kind, text)
	if err != nil {
		return p, err
	}
	if one := store.Identified(found, text); one != nil {
		p.choose(one)
		return p, nil
	}
	p.choices = found
	err = store.InvalidField(name, "No %s found for “%s”. Enter the start of any word of the name, or a whole ID.", kind, text)
	if len(found) > 0 {
		err = store.InvalidField(name, "Choose the %s below, or enter more of the name.", kind)
	}
	return p, err
}

// choose sets the record. The input then shows its name.
func (p *pick) choose(c *store.Choice) {
	p.chosen, p.choices, p.input.Value = c, nil, c.Name
}

// chosenPick returns the field of a form that names the record with an ID. Without
// such a record, the field shows the ID.
func (r *request) chosenPick(name string, kind store.ChoiceKind, id string) (pick, error) {
	p := pick{name: name, kind: kind, input: ui.Input{Value: id}}
	if id == "" {
		return p, nil
	}
	chosen, err := r.shop.ChoiceOf(r.ctx(), kind, id)
	switch {
	case err == nil:
		p.choose(chosen)
	case store.KindOf(err) == store.NotFound:
		p.choose(&store.Choice{ID: id, Name: id, Note: "Not found"})
	default:
		return p, err
	}
	return p, nil
}

// id returns the ID of the record, or "" if there is none.
func (p *pick) id() string {
	if p.chosen == nil {
		return ""
	}
	return p.chosen.ID
}

// view returns the choices for the page.
func (p *pick) view() *ui.Pick {
	v := &ui.Pick{Source: views.ChoicesPath(string(p.kind))}
	if p.isNew {
		v.Chosen = ui.PickedNew
	}
	all := p.choices
	if p.chosen != nil {
		v.Chosen, all = p.chosen.ID, []store.Choice{*p.chosen}
	}
	for _, c := range all {
		v.Choices = append(v.Choices, ui.Option{Value: c.ID, Text: c.Name, Note: c.Note})
	}
	return v
}

// picks are the fields of a form that name records, by field.
type picks map[string]*pick

// readPicks finds the records that the fields of a form name. It returns Invalid
// for the first field whose text does not identify one.
func (r *request) readPicks(specs []store.FieldSpec, form web.Form) (picks, error) {
	found := picks{}
	var rejected error
	for _, spec := range specs {
		if spec.Kind != store.InputPick {
			continue
		}
		p, err := r.readPick(form, spec.Name, spec.Choice)
		if err != nil && store.KindOf(err) != store.Invalid {
			return nil, err
		}
		if rejected == nil {
			rejected = err
		}
		found[spec.Name] = &p
	}
	return found, rejected
}

// get returns a function that reads a form with the IDs of the records instead of
// their names.
func (found picks) get(form web.Form) func(string) string {
	return func(name string) string {
		if p := found[name]; p != nil {
			return p.id()
		}
		return form.Get(name)
	}
}

// paramsOf returns the parameters of the fields of a form.
func paramsOf(specs []store.FieldSpec) []string {
	var names []string
	for _, spec := range specs {
		if spec.Kind == store.InputPick {
			names = append(names, pickParams(spec.Name)...)
		} else {
			names = append(names, spec.Name)
		}
	}
	return slices.Clip(names)
}

// newFields are the parameters of somebody new.
var newFields = []string{store.FieldNewName, store.FieldNewPhone, store.FieldNewEmail}

// newRenter returns somebody new as entered.
func newRenter(form web.Form) store.NewRenter {
	return store.NewRenter{Name: form.Get(store.FieldNewName), Phone: form.Get(store.FieldNewPhone), Email: form.Get(store.FieldNewEmail)}
}

// newPersonInput returns the fields of somebody new as entered, with their errors.
func newPersonInput(form web.Form, rejected *store.Error) views.NewPerson {
	return views.NewPerson{
		NewName:  formInput(form, rejected, store.FieldNewName),
		NewPhone: formInput(form, rejected, store.FieldNewPhone),
		NewEmail: formInput(form, rejected, store.FieldNewEmail),
	}
}
