package imports

import (
	"context"
	"strings"

	"stockroom/store/exchange"
)

// Choice is what a user chose for the columns of one file.
type Choice struct {
	File      string
	Entity    string
	Columns   map[string]string // attributes by columns, only those that changed
	Constants map[string]string // values by attributes
}

// Choose changes the mapping. If the entity of a file changes, Choose suggests
// columns for it. again then reports that the user must review the mapping once
// more. It returns a FileError if the mapping cannot be read: an attribute has two
// columns, or a column and a constant.
func (r *Runner) Choose(ctx context.Context, id string, choices []Choice) (text string, again bool, err error) {
	u, err := r.Upload(id)
	if err != nil {
		return "", false, err
	}
	draft, err := exchange.ReadDraft(MappingName, u.Mapping)
	if err != nil {
		return "", false, err
	}
	files, err := r.openUpload(ctx, u)
	if err != nil {
		return "", false, err
	}
	defer files.close()
	entities := map[string]string{}
	var changed []int
	for i, f := range files {
		for _, c := range choices {
			if c.File != f.Name {
				continue
			}
			if c.Entity != "" && c.Entity != strings.Join(draft.Entities(f.Name), " ") {
				entities[f.Name], changed, again = c.Entity, append(changed, i), true
				continue
			}
			for column, attribute := range c.Columns {
				draft.Choose(f.Name, column, attribute)
			}
			for attribute, value := range c.Constants {
				draft.SetConstant(f.Name, attribute, value)
			}
		}
	}
	if err := suggest(draft, files, changed, entities); err != nil {
		return "", false, err
	}
	if text, err = draft.Text(); err == nil {
		_, err = exchange.ReadDraft(MappingName, text)
	}
	return text, again, err
}
