package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	var m model
	if err := json.Unmarshal(content, &m); err != nil {
		return nil, explain(file, content, err)
	}
	if len(m.DataModel) == 0 {
		return nil, &FileError{File: file, Reason: "this is JSON, but no NoSQL Workbench model: it has no DataModel"}
	}
	var b builder
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

// explain says where JSON goes wrong.
func explain(file string, content []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return &FileError{File: file, Reason: "the file is empty"}
	case errors.As(err, &syntax):
		return &FileError{file, lineAt(content, syntax.Offset), "this is not JSON: " + syntax.Error()}
	case errors.As(err, &kind):
		return &FileError{file, lineAt(content, kind.Offset), fmt.Sprintf("this is no NoSQL Workbench model: %s is a %s", kind.Field, kind.Value)}
	}
	return &FileError{File: file, Reason: err.Error()}
}

func lineAt(content []byte, offset int64) int {
	return 1 + bytes.Count(content[:min(int(offset), len(content))], []byte("\n"))
}
