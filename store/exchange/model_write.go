package exchange

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"stockroom/store"
)

// ModelOptions are the options of ExportModel.
type ModelOptions struct {
	Table  string   // its name
	Files  []string // of entities, from FileNames
	Shards int      // of the table
	Sample int      // the maximum number of items of each entity; 0 for all
	Made   time.Time
}

// The parts of a NoSQL Workbench model, with its own field names.
type (
	modelKey   struct{ AttributeName, AttributeType string }
	modelKeys  struct{ PartitionKey, SortKey modelKey }
	modelIndex struct {
		IndexName     string
		KeyAttributes modelKeys
		Projection    struct{ ProjectionType string }
	}
	modelFacet struct {
		FacetName         string
		KeyAttributeAlias struct{ PartitionKeyAlias, SortKeyAlias string }
		TableData         []json.RawMessage
		NonKeyAttributes  []string
		DataAccess        modelAccess
	}
	modelAccess struct{ MySql struct{} }
	modelTable  struct {
		TableName              string
		KeyAttributes          modelKeys
		NonKeyAttributes       []modelKey
		TableFacets            []modelFacet
		GlobalSecondaryIndexes []modelIndex
		DataAccess             modelAccess
		BillingMode            string
	}
	modelFile struct {
		ModelName     string
		ModelMetadata struct{ Author, DateCreated, DateLastModified, Description, AWSService, Version string }
		DataModel     []modelTable
	}
)

// modelTime is the layout of times in a Workbench model.
const modelTime = "Jan 02, 2006, 03:04 PM"

// ExportModel writes a NoSQL Workbench model with the table, its indexes, a
// facet for each entity and the items, and returns the number of items by file.
// It keeps all items in memory, as Workbench does: use it for a sample or a
// small business. Damaged items are left out; it then returns an error at the
// end.
func ExportModel(ctx context.Context, table Table, to io.Writer, options ModelOptions) (map[string]int, error) {
	e := &modelExporter{ModelOptions: options}
	if err := table.Everything(ctx, e.add); err != nil {
		return nil, err
	}
	slices.SortFunc(e.items, func(a, b modelItem) int { return strings.Compare(a.keys, b.keys) })
	rows, data := map[string]int{}, map[string][]json.RawMessage{} // by file
	for _, item := range e.items {
		if options.Sample == 0 || rows[item.file] < options.Sample {
			rows[item.file]++
			data[item.file] = append(data[item.file], item.json)
		}
	}
	out := bufio.NewWriterSize(to, 64<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := errors.Join(encoder.Encode(newModel(options, data)), out.Flush())
	if err == nil {
		err = e.damaged.err()
	}
	return rows, err
}

type modelExporter struct {
	ModelOptions

	mu      sync.Mutex
	items   []modelItem
	damaged damagedItems
}

type modelItem struct {
	file string
	keys string
	json []byte
}

// add adds a page of items. It is called concurrently.
func (e *modelExporter) add(items []store.Item) error {
	for _, item := range items {
		s, _, item, err := exportedItem(item, e.Shards, func(s *sheet) bool { return slices.Contains(e.Files, s.file) })
		e.mu.Lock()
		switch {
		case err != nil:
			e.damaged.add(1, err)
		case s != nil:
			e.items = append(e.items, modelItem{s.file, text(item, "PK") + "\x00" + text(item, "SK"), appendItem(nil, item)})
		}
		e.mu.Unlock()
	}
	return nil
}

func newModel(options ModelOptions, data map[string][]json.RawMessage) modelFile {
	m := modelFile{ModelName: options.Table}
	made := options.Made.Format(modelTime)
	m.ModelMetadata.Author = "Stockroom"
	m.ModelMetadata.DateCreated, m.ModelMetadata.DateLastModified = made, made
	m.ModelMetadata.Description = "One table for a whole business, with overloaded indexes."
	m.ModelMetadata.AWSService, m.ModelMetadata.Version = "Amazon DynamoDB", "3.0"
	t := modelTable{TableName: options.Table, KeyAttributes: newModelKeys("PK", "SK"), BillingMode: "PAY_PER_REQUEST"}
	t.addAttribute("EntityType", "S")
	for n := 1; n <= store.IndexCount; n++ {
		index := modelIndex{IndexName: store.IndexName(n), KeyAttributes: newModelKeys(store.IndexName(n)+"-PK", store.IndexName(n)+"-SK")}
		index.Projection.ProjectionType = "ALL"
		t.GlobalSecondaryIndexes = append(t.GlobalSecondaryIndexes, index)
		t.addAttribute(index.KeyAttributes.PartitionKey.AttributeName, "S")
		t.addAttribute(index.KeyAttributes.SortKey.AttributeName, "S")
	}
	for i := range sheets {
		s := &sheets[i]
		if !slices.Contains(options.Files, s.file) {
			continue
		}
		t.TableFacets = append(t.TableFacets, newFacet(s, data[s.file]))
		for _, a := range s.definition.Attributes() {
			t.addAttribute(a.Name, dynamoType(a.Kind))
		}
	}
	m.DataModel = []modelTable{t}
	return m
}

// addAttribute adds an attribute, unless another entity has added its name.
func (t *modelTable) addAttribute(name, attributeType string) {
	if !slices.ContainsFunc(t.NonKeyAttributes, func(k modelKey) bool { return k.AttributeName == name }) {
		t.NonKeyAttributes = append(t.NonKeyAttributes, modelKey{name, attributeType})
	}
}

// newFacet returns the facet of an entity: its key templates, attributes and
// items.
func newFacet(s *sheet, data []json.RawMessage) modelFacet {
	f := modelFacet{FacetName: s.entityType, TableData: append([]json.RawMessage{}, data...), NonKeyAttributes: []string{"EntityType"}}
	f.KeyAttributeAlias.PartitionKeyAlias = s.definition.Table.PK.String()
	f.KeyAttributeAlias.SortKeyAlias = s.definition.Table.SK.String()
	for n := 1; n <= store.IndexCount; n++ {
		if !s.definition.Index[n].PK.IsZero() {
			f.NonKeyAttributes = append(f.NonKeyAttributes, store.IndexName(n)+"-PK", store.IndexName(n)+"-SK")
		}
	}
	for _, a := range s.definition.Attributes() {
		f.NonKeyAttributes = append(f.NonKeyAttributes, a.Name)
	}
	return f
}

func newModelKeys(pk, sk string) modelKeys {
	return modelKeys{modelKey{pk, "S"}, modelKey{sk, "S"}}
}

// dynamoType returns DynamoDB's type of an attribute.
func dynamoType(kind store.AttributeKind) string {
	switch kind {
	case store.Whole, store.Money, store.Seconds:
		return "N"
	case store.Flag:
		return "BOOL"
	case store.Texts, store.Groups:
		return "L"
	case store.Group:
		return "M"
	}
	return "S"
}
