package handlers

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// editor shows and handles the forms that add and edit entities of one type.
type editor[T any] struct {
	noun     string // name of the type, such as Product
	list     string // path of the list of these entities
	listName string
	path     func(id string) string
	fields   store.Fields[T]
	key      func(*T) (id *string, version *int, name string)
	shown    func(*T) int // returns the version that the form contains; if nil, it is the version of the entity
	read     func(store.Access, context.Context, string) (*T, error)
	save     func(store.Access, context.Context, T, string) error
	start    func() (*T, error)                                                     // returns the initial values of a form that adds an entity; nil for an empty form
	add      func(store.Access, context.Context, T, string) (id string, err error)  // adds an entity; nil if entities of this type cannot be added
	similar  func(store.Access, context.Context, T, string) ([]store.Choice, error) // returns the entities that may be the same as a new one; may be nil
	also     func(r *request, stored *T, p *views.Edit) error                       // adds content to the form of an existing entity; may be nil
}

// editorFor returns the editor for a request. It is for editors that depend on more than
// the entity's ID, such as another parameter in the path.
type editorFor[T any] func(*request) (*editor[T], error)

func (f editorFor[T]) show(r *request) error {
	e, err := f(r)
	if err != nil {
		return err
	}
	return e.show(r)
}

func (f editorFor[T]) submit(r *request) error {
	e, err := f(r)
	if err != nil {
		return err
	}
	return e.submit(r)
}

// show shows the form for the entity in the path, or for a new entity.
func (e *editor[T]) show(r *request) error { return r.showForm(e.page(r, nil, nil)) }

// submit saves the entity in the path, or adds a new entity.
func (e *editor[T]) submit(r *request) error {
	form, err := r.readForm(append(paramsOf(e.fields.Specs()), views.FieldReturn, views.FieldSeen, store.FieldSimilar)...)
	if err != nil {
		return err
	}
	shop := r.shop
	found, err := r.readPicks(e.fields.Specs(), form)
	if errors.Is(err, errUnsent) {
		return r.rejectChange(err, r.rerender(form, e.page(r, found, nil)))
	}
	if err := shop.Wrong.Add(err); err != nil {
		return err
	}
	var entity T
	id, version, _ := e.key(&entity)
	savedID, verb := r.id(), "saved"
	if err := shop.Wrong.Add(e.fields.Parse(&entity, found.get(form))); err != nil {
		return err
	}
	var similar []store.Choice
	if r.editsStored() {
		*id, *version = r.id(), form.Version()
		err = e.save(shop, r.ctx(), entity, form.Token())
	} else {
		verb = "added"
		similar, err = e.findSimilar(shop, r.ctx(), entity, form.Token())
		if isNewIn(form.Get(store.FieldSimilar), similar) {
			shop.Wrong.Reject(store.FieldSimilar, "This %s may already exist. Check the records below before you add another one.", strings.ToLower(e.noun))
		}
		if err == nil {
			savedID, err = e.add(shop, r.ctx(), entity, form.Token())
		}
	}
	err = shop.Wrong.With(shop.Wrong.Before(err))
	if kept := form.Get(views.FieldReturn); err == nil && kept != "" {
		if shown, err := r.returnToForm(kept, e.noun+" "+verb+".", savedID, strings.TrimSpace(form.Get("name"))); shown || err != nil {
			return err
		}
	}
	return r.finishChange(err, e.noun+" "+verb+".", e.path(savedID), r.rerender(form, e.page(r, found, similar)))
}

// findSimilar returns the entities that may be the same as a new one.
func (e *editor[T]) findSimilar(shop store.Access, ctx context.Context, added T, token string) ([]store.Choice, error) {
	if e.similar == nil {
		return nil, nil
	}
	return e.similar(shop, ctx, added, token)
}

// isNewIn reports whether a form has not yet shown one of the similar records. shown is its
// field store.FieldSimilar.
func isNewIn(shown string, similar []store.Choice) bool {
	ids := splitIDs(shown)
	return slices.ContainsFunc(similar, func(c store.Choice) bool { return !slices.Contains(ids, c.ID) })
}

// splitIDs returns the IDs in the field store.FieldSimilar.
func splitIDs(similar string) []string { return strings.Split(similar, "#") }

// editsStored reports whether the form edits an existing entity instead of adding one.
func (r *request) editsStored() bool { return strings.HasSuffix(r.route.path, "/edit") }

// page returns the function that shows the form. Pass the records that the user named in
// the submitted form, and the records that are similar to the new one.
func (e *editor[T]) page(r *request, found picks, similar []store.Choice) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		p := views.Edit{Noun: e.noun, List: e.list, ListName: e.listName, Action: r.Request().URL.EscapedPath(), Return: form.Get(views.FieldReturn), Similar: views.Linked(e.path, similar), Question: rejected.About(store.FieldSimilar)}
		var stored *T
		seen := 0
		if r.editsStored() {
			var err error
			if stored, err = e.read(r.shop, r.ctx(), r.id()); err != nil {
				return nil, err
			}
			id, version, name := e.key(stored)
			seen, p.Path, p.Name = *version, e.path(*id), cmp.Or(name, *id)
			if e.shown != nil {
				seen = e.shown(stored)
			}
			if e.also != nil {
				if err := e.also(r, stored, &p); err != nil {
					return nil, err
				}
			}
		}
		if stored == nil && rejected == nil && e.start != nil {
			var err error
			if stored, err = e.start(); err != nil {
				return nil, err
			}
		}
		p.Fields = editFields(e.fields, form, rejected, stored, r.settings.Currency)
		if r.editsStored() {
			p.Seen = seenOf(p.Fields, form, rejected, found.get(form))
		}
		if err := r.showPicks(p.Fields, found); err != nil {
			return nil, err
		}
		p.Page, p.Form = r.page(p.EditTitle()), r.formState(form, rejected, seen)
		return views.EditPage(p), nil
	}
}

// editFields returns the fields of a form: with the entered values if the form was
// rejected, and otherwise with the values of stored, which is nil for a new entity without
// initial values.
func editFields[T any](fields store.Fields[T], form web.Form, rejected *store.Error, stored *T, currency string) []views.EditField {
	inputs := make([]views.EditField, len(fields))
	for i := range fields {
		f, input := &fields[i], formInput(form, rejected, fields[i].Name)
		now := input.Value
		if stored != nil {
			now = f.Input(stored, currency)
		}
		if rejected == nil {
			input.Value = now
		}
		inputs[i] = views.EditField{Spec: f.FieldSpec, Input: input, Now: now}
	}
	return inputs
}

// seenOf returns the value of the field FieldSeen for a form that edits a record. After a
// conflict, it also prepares the fields; see showCurrent. entered returns the submitted
// values.
func seenOf(fields []views.EditField, form web.Form, rejected *store.Error, entered func(name string) string) string {
	seen := hashes(fields)
	switch {
	case rejected == nil:
	case rejected.Code == store.CodeOtherValues: // the user changed the values again, also those that are now as at first
	case rejected.Kind == store.Conflict:
		showCurrent(fields, form.Get(views.FieldSeen), entered)
	default:
		return form.Get(views.FieldSeen) // the form keeps its version
	}
	return seen
}

// hashes returns a hash of each stored value, separated by dots.
func hashes(fields []views.EditField) string {
	all := make([]string, len(fields))
	for i := range fields {
		all[i] = hashOf(fields[i].Now)
	}
	return strings.Join(all, ".")
}

// hashOf returns a hash of the value of a field. Browsers send line breaks as CRLF.
func hashOf(value string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(strings.TrimSpace(strings.ReplaceAll(value, "\r\n", "\n")))) // a hash never returns an error
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// showCurrent prepares the fields of a form after a conflict. Fields that the user did not
// change get the stored value, so that the form does not restore an earlier one. Fields that
// only the user changed show no stored value next to the input. seen is the field FieldSeen of
// the form, and entered returns the submitted values.
func showCurrent(fields []views.EditField, seen string, entered func(name string) string) {
	before := strings.Split(seen, ".")
	if len(before) != len(fields) {
		return
	}
	for i := range fields {
		f := &fields[i]
		switch value := entered(f.Spec.Name); {
		case hashOf(value) == before[i]:
			f.Input.Value, f.Current = f.Now, true
		case hashOf(f.Now) == before[i]:
			f.Now = value
		}
	}
}

// showPicks adds names and choices to the fields that name a record.
func (r *request) showPicks(fields []views.EditField, found picks) error {
	for i := range fields {
		f := &fields[i]
		if f.Spec.Kind != store.InputPick {
			continue
		}
		stored, err := r.chosenPick(f.Spec.Name, f.Spec.Choice, f.Now)
		if err != nil {
			return err
		}
		shown := found[f.Spec.Name]
		if shown == nil || f.Current {
			shown = &stored
		}
		f.Now, f.Input.Value, f.Pick = stored.input.Value, shown.input.Value, shown.view()
	}
	return nil
}
