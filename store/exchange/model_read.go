package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// model is as much of a NoSQL Workbench model as is read: the data of its
// tables and of their facets. A published model has either, or both.
type model struct {
	ModelName string
	DataModel []struct {
		TableName     string
		KeyAttributes struct {
			PartitionKey, SortKey struct{ AttributeName string }
		}
		TableData   []json.RawMessage
		TableFacets []struct {
			FacetName string
			TableData []json.RawMessage
		}
	}
}

// Workbench reads a model. It fails with a *FileError where the file is none;
// rows that cannot be placed are refused one by one.
func Workbench(file string, r io.Reader) (*Import, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m, err := readModel(content)
	if err != nil {
		return nil, explain(file, content, err)
	}
	if len(m.DataModel) == 0 {
		return nil, &FileError{File: file, Reason: "this is JSON, but no NoSQL Workbench model: it has no DataModel"}
	}
	if own := m.own(); own != nil {
		return own, nil
	}
	b := newBuilder(newShop())
	for _, table := range m.DataModel {
		keys := keyNames{table.KeyAttributes.PartitionKey.AttributeName, table.KeyAttributes.SortKey.AttributeName}
		if keys.pk == "" || keys.sk == "" {
			return nil, &FileError{File: file, Reason: fmt.Sprintf("the table %q names no partition key and sort key", table.TableName)}
		}
		b.rows(table.TableName, keys, table.TableData)
		for _, facet := range table.TableFacets {
			b.rows(facet.FacetName, keys, facet.TableData)
		}
	}
	return b.build(), nil
}

// own is a model that this program wrote: each of its items goes in as it is.
// nil where one of them was made by something else, and might lack what the
// others say.
func (m *model) own() *Import {
	own := &Import{Ours: true}
	for _, table := range m.DataModel {
		if len(table.TableData) > 0 {
			return nil // this program writes the items of an entity into its facet
		}
		for _, facet := range table.TableFacets {
			for i, raw := range facet.TableData {
				item, err := item(raw)
				if err != nil {
					return nil
				}
				e := exact(item)
				if e == nil {
					return nil
				}
				own.Entities = append(own.Entities, e)
				own.Rows = append(own.Rows, Row{Table: facet.FacetName, Number: i + 1, place: len(own.Rows), raw: raw})
			}
		}
	}
	if len(own.Entities) == 0 {
		return nil
	}
	return own
}

// encodingError is a byte that is no UTF-8, by its offset.
type encodingError int64

func (encodingError) Error() string { return "this is not UTF-8: it is damaged or in another encoding" }

// readModel does not leave bytes that are no UTF-8 to the JSON decoder, which
// would put � in their place without a word. A byte order mark, as some
// editors write, is passed over.
func readModel(content []byte) (*model, error) {
	for at := 0; at < len(content); {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size <= 1 {
			return nil, encodingError(at)
		}
		at += size
	}
	var m model
	return &m, json.Unmarshal(bytes.TrimPrefix(content, []byte("\ufeff")), &m)
}

// explain says where JSON goes wrong.
func explain(file string, content []byte, err error) error {
	var encoding encodingError
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return &FileError{File: file, Reason: "the file is empty"}
	case errors.As(err, &encoding):
		return &FileError{file, lineAt(content, int64(encoding)), encoding.Error()}
	case errors.As(err, &syntax):
		return &FileError{file, lineAt(content, syntax.Offset), "this is not JSON: " + syntax.Error()}
	case errors.As(err, &kind) && kind.Field == "":
		return &FileError{file, lineAt(content, kind.Offset), "this is JSON, but no NoSQL Workbench model: one begins with {"}
	case errors.As(err, &kind):
		return &FileError{file, lineAt(content, kind.Offset), fmt.Sprintf("this is no NoSQL Workbench model: its %s is JSON of the type %s", kind.Field, kind.Value)}
	}
	return &FileError{File: file, Reason: err.Error()}
}

func lineAt(content []byte, offset int64) int {
	return 1 + bytes.Count(content[:min(int(offset), len(content))], []byte("\n"))
}
