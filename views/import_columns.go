package views

import (
	"slices"
	"strconv"
	"strings"

	"stockroom/views/ui"
)

// ImportColumns is the form that maps the columns of files to attributes. Files contains
// one element for each entity in each file. The names of fields end in the index of this
// element, followed by the index of a column or an attribute: entity-0, column-0-3,
// constant-0-2. The form posts to /columns. A second form posts the mapping as text to
// /mapping. Both paths are below the path of the import.
type ImportColumns struct {
	Page
	ID       string
	Names    string // names of the files
	Token    string
	Shown    string   // digest of the mapping in the form
	Problem  string   // error of the form; "" if there is none
	Problems []string // problems of the mapping and the files
	Files    []ColumnsOfFile
	Preview  []RowsOfFile
	Entities []string
	TooMany  bool     // the files have too many columns for the form, so only the text can be edited
	Mapping  ui.Input // the mapping as text
	Remember bool
	Absent   []string // files in the mapping that were not uploaded

	Remembered []string // files with a remembered mapping
}

// ColumnsOfFile contains the columns of a file, and the attributes of one entity to which
// the columns are mapped.
type ColumnsOfFile struct {
	Name       string
	Table      int    // index of the entity among the entities of the file
	Entity     string // name of the entity's import file
	Entities   string // all entities of the file, separated by spaces; set only for the first entity
	Columns    []ImportColumn
	Attributes []ImportAttribute // attributes of the entity
}

// ImportColumn is a column of a file. If the form cannot show everything in the mapping
// of the column, its select has the value ImportKept.
type ImportColumn struct {
	Name    string
	Values  []string // values in the first rows
	To      string   // the attribute; "" if the column is not imported
	Detail  string   // the part of the column's mapping that the form cannot show
	Unsure  bool
	Unknown bool
}

// ImportAttribute is an attribute of the entity in a file.
type ImportAttribute struct {
	Name     string
	Required bool // required, but without a column or a constant
	Constant string
}

// RowsOfFile contains the first rows of a file, with the mapping applied.
type RowsOfFile struct {
	Name, Entity string
	Columns      []string
	Rows         []ImportPreviewRow
}

// ImportPreviewRow is a row of a preview.
type ImportPreviewRow struct {
	Number int
	Cells  []string
	Reason string
}

// ButtonSuggest is the value of the button that replaces remembered mappings with
// suggestions.
const ButtonSuggest = "suggest"

// ImportKept is the value of the option that leaves the mapping of a column unchanged.
const ImportKept = "="

// EntityField returns the name of the field for the entity of a file.
func EntityField(file int) string { return "entity-" + strconv.Itoa(file) }

// ColumnField returns the name of the field for the attribute of a column.
func ColumnField(file, column int) string {
	return "column-" + strconv.Itoa(file) + "-" + strconv.Itoa(column)
}

// ConstantField returns the name of the field for a value of an attribute that applies to
// all rows.
func ConstantField(file, attribute int) string {
	return "constant-" + strconv.Itoa(file) + "-" + strconv.Itoa(attribute)
}

func (p *ImportColumns) path(step string) string { return ImportPath(p.ID) + "/" + step }

func (p *ImportColumns) mapping() ui.Field {
	return ui.Field{Name: "mapping", Label: "Mapping in YAML", Multiline: true, Hint: "The documentation describes the format under Import and export.", Input: p.Mapping}
}

// entities returns the options for the entities of a file. Pass its current entities.
func (p *ImportColumns) entities(chosen string) []ui.Option {
	options := []ui.Option{{Value: "none", Text: "Do not import this file"}}
	names := p.Entities
	if chosen != "none" && !slices.Contains(names, chosen) {
		names = append(slices.Clip(names), chosen)
	}
	for _, name := range names {
		options = append(options, ui.Option{Value: name, Text: strings.ReplaceAll(name, " ", " and ")})
	}
	return options
}

// updates returns the events that make htmx update the page: a click on the button, and a
// change of the entity of a file. The delay lets users move through the entities with the
// arrow keys.
func (p *ImportColumns) updates() string {
	events := "click"
	for i := range p.Files {
		if p.Files[i].Entities != "" {
			events += ", change delay:300ms from:#field-" + EntityField(i)
		}
	}
	return events
}

// title returns the name of the file, and its entity if the file has several.
func (f *ColumnsOfFile) title() string {
	if f.Entities == f.Entity {
		return f.Name
	}
	return f.Name + ": " + f.Entity
}

// field returns the select of a column and its options.
func (f *ColumnsOfFile) field(file, column int) (ui.Field, []ui.Option) {
	c := &f.Columns[column]
	field := ui.Field{Name: ColumnField(file, column), Label: "Attribute for " + c.Name, Bare: true, Input: ui.Input{Value: c.To}}
	var options []ui.Option
	if c.Detail != "" {
		field.Value = ImportKept
		options = append(options, ui.Option{Value: ImportKept, Text: c.To + ", " + c.Detail})
	}
	options = append(options, ui.Option{Text: "Do not import"})
	for i := range f.Attributes {
		options = append(options, ui.Option{Value: f.Attributes[i].Name, Text: f.Attributes[i].Name})
	}
	return field, options
}

// state returns the badge that shows whether a column is matched.
func (c *ImportColumn) state() ui.Badge {
	switch {
	case c.Unknown:
		return ui.Badge{Word: "Not matched", Tone: ui.Waiting}
	case c.To == "":
		return ui.Badge{Word: "Left out", Tone: ui.Ended}
	case c.Unsure:
		return ui.Badge{Word: "Suggested", Tone: ui.Moving}
	}
	return ui.Badge{Word: "Matched", Tone: ui.Good}
}

func (c *ImportColumn) values() string { return nameOr(strings.Join(c.Values, ", "), "no values") }

// matched returns a text such as "3 of 5 columns matched".
func (f *ColumnsOfFile) matched() string {
	n := 0
	for i := range f.Columns {
		if f.Columns[i].To != "" {
			n++
		}
	}
	return number(n) + " of " + count(len(f.Columns), "column", "columns") + " matched"
}

// constants returns the indexes of the attributes for which the form has a field for a
// constant: those with a constant, and required ones without a column.
func (f *ColumnsOfFile) constants() (indexes []int) {
	for i := range f.Attributes {
		if a := &f.Attributes[i]; a.Required || a.Constant != "" {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func (f *ColumnsOfFile) constant(file, attribute int) ui.Field {
	a := &f.Attributes[attribute]
	field := ui.Field{Name: ConstantField(file, attribute), Label: a.Name + " for all rows", Input: ui.Input{Value: a.Constant}}
	if a.Required && a.Constant == "" {
		field.Hint = "Required, but not matched with a column. Choose a column above, or enter a value for all rows."
	}
	return field
}
