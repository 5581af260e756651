package imports

import (
	"context"
	"strings"

	"stockroom/store/exchange"
)

// Choice contains what a user chose for the columns of one entity of a file.
type Choice struct {
	File      string
	Table     int               // index of the entity
	Entity    string            // names of all entities of the file, separated by spaces; "" does not change them
	Columns   map[string]string // attribute by column, only for changed columns
	Constants map[string]string // value by attribute
}

// Choose applies choices to the mapping, and returns its text. It does not save the mapping;
// see SetMapping. If a user has changed the entity of a file, Choose suggests columns for the
// new entity. The result again is then true, because the user must review the mapping
// again. Choose returns a FileError if an attribute has two columns, or a column and a
// constant. It returns NotFound if this server does not have the upload.
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
				break
			}
			for column, attribute := range c.Columns {
				draft.Choose(f.Name, c.Table, column, attribute)
			}
			for attribute, value := range c.Constants {
				draft.SetConstant(f.Name, c.Table, attribute, value)
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
