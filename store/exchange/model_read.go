package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"stockroom/store"
)

// model contains the data of a NoSQL Workbench model. The items are in tables, in facets,
// or in both.
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

// ReadModel reads a NoSQL Workbench model. Rows that cannot be imported are in Rejected.
// ReadModel returns a FileError if the file is not a model.
func ReadModel(file string, r io.Reader) (*Batch, error) {
	return readModel(file, r, DefaultLimits.ModelRows)
}

func readModel(file string, r io.Reader, maxRows int) (*Batch, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if reason := modelTooLarge(content, maxRows); reason != "" {
		return nil, &FileError{File: file, Reason: reason}
	}
	m, err := parseModel(content)
	if err != nil {
		return nil, modelError(file, content, err)
	}
	if len(m.DataModel) == 0 {
		return nil, &FileError{File: file, Reason: "this is not a NoSQL Workbench model: it has no DataModel"}
	}
	if batch := m.exported(); batch != nil {
		return batch, nil
	}
	b := newBuilder(newDataset())
	for _, table := range m.DataModel {
		keys := keyNames{table.KeyAttributes.PartitionKey.AttributeName, table.KeyAttributes.SortKey.AttributeName}
		switch {
		case keys.pk == "":
			return nil, &FileError{File: file, Reason: fmt.Sprintf("the table %s has no partition key", store.Quoted(table.TableName))}
		case keys.sk == "":
			b.rejectTable(table.TableName, table.TableData)
			for _, facet := range table.TableFacets {
				b.rejectTable(table.TableName, facet.TableData)
			}
			continue
		}
		b.addTable(table.TableName, keys, table.TableData)
		for _, facet := range table.TableFacets {
			b.addTable(facet.FacetName, keys, facet.TableData)
		}
	}
	return b.build(), nil
}

// maxJSONNesting is the maximum depth that encoding/json supports.
const maxJSONNesting = 10_000

// modelTooLarge returns a reason to reject a model whose arrays contain more than maxRows
// objects, or "". Call it before parsing, because a parsed model takes much more memory
// than its text.
func modelTooLarge(content []byte, maxRows int) string {
	var open []byte
	rows, quoted := 0, false
	for i := 0; i < len(content); i++ {
		c := content[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if len(open) > 0 && open[len(open)-1] == '[' {
				rows++
			}
			if open = append(open, c); len(open) > maxJSONNesting {
				return "" // encoding/json reports this error
			}
			if rows > maxRows {
				return fmt.Sprintf("the model has more than %d rows; import it in parts; the command line (stockroom import) accepts up to %d", maxRows, DefaultLimits.ModelRows)
			}
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	return ""
}

// limitModel returns a reader that fails with a FileError if the model is longer
// than the limit.
func (f *File) limitModel(in io.Reader) io.Reader {
	return &limitedModel{in, f.Limits.Model, f.label()}
}

type limitedModel struct {
	in   io.Reader
	left int64 // bytes left
	file string
}

func (m *limitedModel) Read(p []byte) (int, error) {
	n, err := m.in.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return n, &FileError{File: m.file, Reason: "this NoSQL Workbench model is too large; import it in parts; the command line (stockroom import) accepts models of up to 1 GB"}
	}
	return n, err
}

// rejectTable rejects the rows of a table without a sort key.
func (b *builder) rejectTable(table string, raws []json.RawMessage) {
	for i, raw := range raws {
		b.reject(b.positioned(Row{Table: table, Number: i + 1, raw: raw}),
			fmt.Sprintf("The table %s has a partition key only. Stockroom's items also need a sort key.", table))
	}
}

// exported returns the entities of a model that Stockroom has exported. If Stockroom would
// write any of the items differently, it returns nil.
func (m *model) exported() *Batch {
	batch := &Batch{Exported: true}
	for _, table := range m.DataModel {
		if len(table.TableData) > 0 {
			return nil // exported models have all items in facets
		}
		for _, facet := range table.TableFacets {
			for i, raw := range facet.TableData {
				item, err := parseItem(raw)
				if err != nil {
					return nil
				}
				e := exportedEntity(item)
				if e == nil {
					return nil
				}
				batch.Entities = append(batch.Entities, e)
				batch.Rows = append(batch.Rows, Row{Table: facet.FacetName, Number: i + 1, position: len(batch.Rows), raw: raw})
			}
		}
	}
	if len(batch.Entities) == 0 {
		return nil
	}
	batch.checkSums()
	return batch
}

// inPhases divides a model into batches, in which an entity comes after those to which it
// refers. Orders come last.
func (b *Batch) inPhases() Batches {
	phases := map[string]*Batch{}
	first := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	for n, entity := range b.Entities {
		switch e := entity.(type) {
		case *store.Employee:
			first.employees = append(first.employees, e.ID)
		case *store.Total:
			first.consistent = true
		}
		kind, _ := definedKind(lettersOf(entity.EntityType()))
		phase := phaseOfKind(kind)
		if phases[phase] == nil {
			phases[phase] = &Batch{Exported: b.Exported}
		}
		to := phases[phase]
		to.Entities, to.Rows = append(to.Entities, entity), append(to.Rows, b.Rows[n])
	}
	return func(yield func(*Batch, error) bool) {
		if !yield(first, nil) {
			return
		}
		for _, phase := range slices.Sorted(maps.Keys(phases)) {
			batch := phases[phase]
			if batch.consistent = first.consistent; !yield(batch, nil) {
				return
			}
		}
	}
}

// encodingError means that a model is not valid UTF-8. It is the offset of the first
// invalid byte.
type encodingError int64

func (encodingError) Error() string {
	return "this is not UTF-8; save the file as UTF-8"
}

// parseModel parses a model, which may start with a byte order mark. It rejects text
// that is not UTF-8, because encoding/json would silently replace invalid bytes.
func parseModel(content []byte) (*model, error) {
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

// modelError converts an error of parseModel to a FileError with a line number.
func modelError(file string, content []byte, err error) error {
	var encoding encodingError
	var syntax *json.SyntaxError
	var unexpected *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return &FileError{File: file, Reason: "the file is empty"}
	case errors.As(err, &encoding):
		return &FileError{file, lineAt(content, int64(encoding)), encoding.Error()}
	case errors.As(err, &syntax):
		return &FileError{file, lineAt(content, syntax.Offset), "this is not JSON: " + syntax.Error()}
	case errors.As(err, &unexpected) && unexpected.Field == "":
		return &FileError{file, lineAt(content, unexpected.Offset), "this is not a NoSQL Workbench model: it does not start with {"}
	case errors.As(err, &unexpected):
		return &FileError{file, lineAt(content, unexpected.Offset), fmt.Sprintf("this is not a NoSQL Workbench model: %s has the JSON type %s", unexpected.Field, unexpected.Value)}
	}
	return &FileError{File: file, Reason: err.Error()}
}

func lineAt(content []byte, offset int64) int {
	return 1 + bytes.Count(content[:min(int(offset), len(content))], []byte("\n"))
}
