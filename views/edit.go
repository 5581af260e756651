package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// Hidden fields of forms that add or edit records or settings.
const (
	// FieldReturn contains the form in which the user chose to add the record. After the
	// record is added, that form is shown again.
	FieldReturn = "return"

	// FieldSeen contains a hash of each stored value that the form showed at first.
	FieldSeen = "seen"
)

// Edit is the form that adds or edits a record of any kind.
type Edit struct {
	Page
	Form
	Action         string // path of the form
	Noun           string // kind of record, such as Product
	List, ListName string // path and title of the list of these records
	Path, Name     string // path and name of the record; "" for a new one
	Fields         []EditField
	Seen           string         // see FieldSeen; "" for a new record
	Similar        []LinkedChoice // records that may be the same as the new one
	Question       string         // asks the user to check the similar records; "" if the form has shown them before
	Other          ui.FieldLink   // link to another form of the record; empty for none
	Return         string         // the unfinished form from which the user came to add this record; "" for none

	Kind      store.ReferenceKind // "" if the record is not an entry of a reference list
	Followers store.Followers     // number of records that store the name of the entry and get the new one
}

// LinkedChoice is a choice with the path of its page.
type LinkedChoice struct {
	store.Choice
	Path string
}

// Linked returns the choices with their paths.
func Linked(path func(id string) string, choices []store.Choice) []LinkedChoice {
	linked := make([]LinkedChoice, len(choices))
	for i, c := range choices {
		linked[i] = LinkedChoice{c, path(c.ID)}
	}
	return linked
}

// EditField is one field of an Edit form.
type EditField struct {
	Spec    store.FieldSpec
	Input   ui.Input
	Now     string   // the stored value, after a conflict
	Current bool     // the form shows the stored value, because the user did not change it
	Pick    *ui.Pick // choices of a PickField
}

// EditTitle returns the title of the form, such as Edit product.
func (p Edit) EditTitle() string {
	if p.Path == "" {
		return "Add " + strings.ToLower(p.Noun)
	}
	return "Edit " + strings.ToLower(p.Noun)
}

func (p Edit) change() ui.Change {
	if p.Path == "" {
		return p.to(p.Action, p.EditTitle()+anyway(p.Similar), p.List)
	}
	return p.to(p.Action, "Save "+strings.ToLower(p.Noun), p.Path)
}

// anyway returns the end of the button that adds a record or payment: " anyway" if the form
// shows similar ones.
func anyway[T any](similar []T) string {
	if len(similar) == 0 {
		return ""
	}
	return " anyway"
}

// joinIDs returns the value of store.FieldSimilar: the IDs of the similar records, separated by #,
// which no ID contains.
func joinIDs[T any](similar []T, id func(*T) string) string {
	ids := make([]string, len(similar))
	for i := range similar {
		ids[i] = id(&similar[i])
	}
	return strings.Join(ids, "#")
}

func (p Edit) similarIDs() string {
	return joinIDs(p.Similar, func(c *LinkedChoice) string { return c.ID })
}

// editGroup is a part of the form: several short fields next to each other, or one
// field for a long text.
type editGroup struct {
	legend string
	fields []ui.Field
	long   bool
}

func (f *Form) groups(fields []EditField) []editGroup {
	var groups []editGroup
	for _, e := range fields {
		long := e.Spec.Kind == store.InputLongText
		last := len(groups) - 1
		if last < 0 || groups[last].legend != e.Spec.Group || long || groups[last].long {
			groups, last = append(groups, editGroup{legend: e.Spec.Group, long: long}), last+1
		}
		groups[last].fields = append(groups[last].fields, f.field(e))
	}
	return groups
}

func (f *Form) field(e EditField) ui.Field {
	field := ui.Field{
		Name: e.Spec.Name, Label: e.Spec.Label, Hint: e.Spec.Hint, Required: e.Spec.Required,
		Input: e.Input, Now: f.now(e.Input.Value, e.Now), Pick: e.Pick,
	}
	switch e.Spec.Kind {
	case store.InputEmail:
		field.Type = "email"
	case store.InputWhole:
		field.Numeric = true
	case store.InputMoney:
		field.Decimal = true
	case store.InputChoice:
		for _, o := range e.Spec.Options {
			field.Options = append(field.Options, ui.Option{Value: o.Value, Text: o.Label})
			if field.Now != "" && o.Value == e.Now {
				field.Now = o.Label
			}
		}
	case store.InputLines, store.InputLongText:
		field.Multiline = true
	}
	return field
}

func (f *Form) fields(edited []EditField) []ui.Field {
	fields := make([]ui.Field, len(edited))
	for i, e := range edited {
		fields[i] = f.field(e)
	}
	return fields
}
