package handlers

import (
	"errors"
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

// suggestChoices sends the records that match the text of a form field.
func suggestChoices(r *request) error {
	q, err := r.query("q")
	if err != nil {
		return err
	}
	suggestions := []suggestion{}
	if text := q.Get("q"); text != "" {
		found, err := r.shop.ChoicesWithClosed(r.ctx(), store.ChoiceKind(r.param("kind")), text)
		if err != nil {
			return err
		}
		choices, closed := withoutClosed(found)
		for _, c := range choices[:min(maxSuggestions, len(choices))] {
			suggestions = append(suggestions, suggestion{c.ID, c.Name, c.Note})
		}
		for _, c := range closed[:min(maxSuggestions-len(suggestions), len(closed))] {
			suggestions = append(suggestions, suggestion{c.ID, c.Name, strings.TrimSuffix("Closed customer, "+c.Note, ", ")})
		}
	}
	return r.JSON(http.StatusOK, suggestions)
}

const maxSuggestions = 8

// pick is a form field in which the user names a record. It contains the entered text, and
// either the record or the choices that match the text.
type pick struct {
	name    string
	kind    store.ChoiceKind
	input   ui.Input
	chosen  *store.Choice
	choices []store.Choice // records that match the text, if the text does not identify one of them
	closed  []store.Choice // closed customers that match the text
	isNew   bool           // the user has chosen to add a record
	adds    []ui.Added     // kinds of records that the user may add

	samePhone string // phone number of the new person, if the user was told that others have it too
}

// newPick returns an empty field for a record of a kind.
func (r *request) newPick(name string, kind store.ChoiceKind) pick {
	return pick{name: name, kind: kind, adds: r.added(kind)}
}

// pickParams returns the names of the parameters that a pick field submits.
func pickParams(name string) []string {
	return []string{name, ui.PickedParam(name), ui.PickedTextParam(name)}
}

// readPick finds the record that the user named in a form field; see
// store.Access.ChoicesWithClosed for the number of table requests. It returns Invalid if
// the text does not identify a record, or if the record is a closed customer. If the field
// is empty, the pick has no record and the error is nil. For a form that was not submitted
// yet (see web.FieldUnsent), it returns errUnsent instead of nil.
func (r *request) readPick(form formValues, name string, kind store.ChoiceKind) (pick, error) {
	p, err := r.findPick(form, name, kind)
	if c := p.chosen; err == nil && c != nil && c.Closed {
		p.chosen = nil
		return p, c.ErrClosed(name)
	}
	return p, err
}

// formValues contains the values of a form or of the query string.
type formValues interface{ Get(name string) string }

// findPick is like readPick, but accepts closed customers.
func (r *request) findPick(form formValues, name string, kind store.ChoiceKind) (p pick, err error) {
	text, id := strings.TrimSpace(form.Get(name)), form.Get(ui.PickedParam(name))
	p = pick{name: name, kind: kind, input: ui.Input{Value: text}, isNew: id == ui.PickedNew, adds: r.added(kind)}
	defer func() {
		if err == nil && form.Get(web.FieldUnsent) != "" {
			err = errUnsent
		}
	}()
	switch {
	case p.isNew:
		return p, nil
	case id != "" && text == strings.TrimSpace(form.Get(ui.PickedTextParam(name))):
		return r.chosenPick(name, kind, id)
	case text == "":
		return p, nil
	}
	found, err := r.shop.ChoicesWithClosed(r.ctx(), kind, text)
	if err != nil {
		return p, err
	}
	found, p.closed = withoutClosed(found)
	one := store.Identified(found, text)
	if len(found) == 0 {
		one = store.Identified(p.closed, text)
	}
	if one != nil {
		p.choose(one)
		return p, nil
	}
	p.choices = found
	err = store.InvalidField(name, "No %s found for “%s”. Enter the start of any word of the name, or the full ID.", kind, text)
	switch len(found) {
	case 0:
	case 1:
		err = store.InvalidField(name, "Only one %s matches and is selected below. If it is the right one, submit the form again.", kind)
	default:
		err = store.InvalidField(name, "Choose the %s below, or enter more of the name.", kind)
	}
	return p, err
}

// withoutClosed separates closed customers from the other records.
func withoutClosed(found []store.Choice) (others, closed []store.Choice) {
	for _, c := range found {
		if c.Closed {
			closed = append(closed, c)
		} else {
			others = append(others, c)
		}
	}
	return others, closed
}

// pickFilter finds the record that the user named in a filter. The start of a name is
// enough if only one record matches. If no record or several records match, pickFilter
// records an error in q and returns the matching records as choices.
func (r *request) pickFilter(q *web.Query, name string, kind store.ChoiceKind) (pick, error) {
	p, err := r.findPick(q, name, kind)
	if p.chosen == nil {
		p.choices, p.closed = append(p.choices, p.closed...), nil
	}
	var rejected *store.Error
	switch {
	case len(p.choices) == 1:
		p.choose(&p.choices[0])
		return p, nil
	case errors.As(err, &rejected) && rejected.Kind == store.Invalid:
		q.Fail(name, rejected.Message)
		p.input.Error = rejected.Message
		p.choices = p.choices[:min(maxSuggestions, len(p.choices))]
		return p, nil
	case p.isNew:
		q.Fail(name, "Choose a record.")
	}
	return p, err
}

// field returns the field with its text, its record and its choices, as pages show it.
func (p *pick) field() views.PickInput {
	return views.PickInput{Input: p.input, ID: p.id(), Choices: p.view().Choices, Closed: p.view().Closed}
}

// choose sets the record, and the text to its name.
func (p *pick) choose(c *store.Choice) {
	p.chosen, p.choices, p.closed, p.input.Value = c, nil, nil, c.Name
	if c.Closed {
		p.closed = []store.Choice{*c}
	}
}

// chosenPick returns a field with the record of this ID. If the ID is unknown, the field
// shows the ID itself.
func (r *request) chosenPick(name string, kind store.ChoiceKind, id string) (pick, error) {
	p := pick{name: name, kind: kind, input: ui.Input{Value: id}, adds: r.added(kind)}
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

// id returns the ID of the record, or "" if there is no record.
func (p *pick) id() string {
	if p.chosen == nil {
		return ""
	}
	return p.chosen.ID
}

// view returns the choices of the field, as pages show them.
func (p *pick) view() *ui.Pick {
	v := &ui.Pick{Source: views.ChoicesPath(string(p.kind)), Adds: p.adds, Closed: closedOptions(p.closed)}
	if p.isNew {
		v.Chosen = ui.PickedNew
	}
	all := p.choices
	if len(all) == 1 && !p.isNew {
		v.Chosen = all[0].ID
	}
	if p.chosen != nil {
		v.Chosen, all = p.chosen.ID, []store.Choice{*p.chosen}
	}
	for _, c := range all {
		v.Choices = append(v.Choices, ui.Option{Value: c.ID, Text: c.Name, Note: c.Note})
	}
	return v
}

// closedOptions returns the links to closed customers.
func closedOptions(closed []store.Choice) []ui.Option {
	var links []ui.Option
	for _, c := range closed[:min(maxSuggestions, len(closed))] {
		links = append(links, ui.Option{Value: views.CustomerPath(c.ID), Text: c.Name, Note: c.Note})
	}
	return links
}

// picks maps the names of form fields to the records that the user named in them.
type picks map[string]*pick

// readPicks finds the records that the user named in the fields of a form. It returns
// Invalid if one of the fields does not identify a record that may be chosen. If the form
// was not submitted yet (see web.FieldUnsent), it returns errUnsent instead.
func (r *request) readPicks(specs []store.FieldSpec, form web.Form) (picks, error) {
	found := picks{}
	var wrong store.InputErrors
	for _, spec := range specs {
		if spec.Kind != store.InputPick {
			continue
		}
		p, err := r.readPick(form, spec.Name, spec.Choice)
		if err := wrong.Add(err); err != nil {
			return nil, err
		}
		found[spec.Name] = &p
	}
	if len(wrong) > 0 && form.Get(web.FieldUnsent) != "" {
		return found, errUnsent
	}
	return found, wrong.Err()
}

// get returns a function that returns the value of a field by its name. For a field in
// which the user names a record, the value is the ID of the record.
func (found picks) get(form web.Form) func(string) string {
	return func(name string) string {
		if p := found[name]; p != nil {
			return p.id()
		}
		return form.Get(name)
	}
}

// paramsOf returns the names of all parameters that a form with these fields sends.
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

// newFields are the names of the form fields for a new person.
var newFields = []string{store.FieldNewName, store.FieldNewPhone, store.FieldNewEmail, views.SamePhoneParam}

func newRenter(form web.Form) store.NewRenter {
	return store.NewRenter{Name: form.Get(store.FieldNewName), Phone: form.Get(store.FieldNewPhone), Email: form.Get(store.FieldNewEmail)}
}

// checkNewPerson checks the new person in a form. It offers the people with the same phone
// number or email address as choices of the field. It rejects such a phone number only
// once, because several people can have the same number: it accepts the number if the user
// submits the form again with it.
func (r *request) checkNewPerson(form web.Form, p *pick, wrong *store.InputErrors) (err error) {
	var invalid error
	p.choices, invalid = r.shop.CheckNewRenter(r.ctx(), p.kind, newRenter(form), form.Token())
	if err := wrong.Add(invalid); err != nil {
		return err
	}
	phone := form.Get(store.FieldNewPhone)
	switch {
	case form.Get(views.SamePhoneParam) == phone:
		p.samePhone = phone
	case len(p.choices) > 0 && invalid == nil:
		wrong.Reject(store.FieldNewPhone, "%s already has this phone number. Choose this person above. To add another person with this number, submit the form again.", p.choices[0].Name)
		p.samePhone = phone
	}
	return nil
}

// newPersonInput returns the inputs for a new person, with the entered values and their
// errors.
func newPersonInput(form web.Form, rejected *store.Error) views.NewPerson {
	return views.NewPerson{
		NewName:  formInput(form, rejected, store.FieldNewName),
		NewPhone: formInput(form, rejected, store.FieldNewPhone),
		NewEmail: formInput(form, rejected, store.FieldNewEmail),
	}
}
