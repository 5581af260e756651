package exchange

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"stockroom/store"
)

// Modelling is how ExportModel goes about it.
type Modelling struct {
	Table  string   // its name
	Files  []string // of the entities that are wanted, as FileNames has them
	Shards int      // over which keys are spread
	Sample int      // the most items of each entity; 0 is all
	Made   time.Time
}

// The parts of a model of NoSQL Workbench, by the names that it has for them.
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

// modelTime is how Workbench writes when a model was made.
const modelTime = "Jan 02, 2006, 03:04 PM"

// ExportModel writes a model of NoSQL Workbench: the table and its indexes, a
// facet for each entity, and the items, all of them or some of each entity. It
// returns how many rows of each file went in. Workbench reads a model whole, so
// it is made whole too: it is for a sample, or for a business of a desk's size.
func ExportModel(ctx context.Context, table Table, to io.Writer, how Modelling) (map[string]int, error) {
	x := &modelExport{how: how, rows: map[string]int{}}
	if err := table.Everything(ctx, x.page); err != nil {
		return nil, err
	}
	slices.SortFunc(x.items, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	data := map[string][]json.RawMessage{} // by file
	for _, item := range x.items {
		if how.Sample == 0 || x.rows[item.file] < how.Sample {
			x.rows[item.file]++
			data[item.file] = append(data[item.file], item.json)
		}
	}
	out := bufio.NewWriterSize(to, 64<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := errors.Join(encoder.Encode(modelOf(how, data)), out.Flush())
	if err == nil && x.damaged > 0 {
		err = fmt.Errorf("items that cannot be read, and were left out: %d; the first: %w", x.damaged, x.first)
	}
	return x.rows, err
}

// modelExport is an ExportModel under way.
type modelExport struct {
	how  Modelling
	rows map[string]int

	mu      sync.Mutex
	items   []keyed
	damaged int
	first   error
}

// keyed is an item as JSON, with the key that it is sorted by.
type keyed struct {
	file string
	key  []byte
	json []byte
}

func (x *modelExport) page(items []store.Item) error {
	for _, item := range items {
		s, _, item, err := leaving(item, x.how.Shards, func(s *Sheet) bool { return slices.Contains(x.how.Files, s.File) })
		x.mu.Lock()
		switch {
		case err != nil:
			if x.damaged++; x.first == nil {
				x.first = err
			}
		case s != nil:
			x.items = append(x.items, keyed{s.File, []byte(text(item, "PK") + "\x00" + text(item, "SK")), appendItem(nil, item)})
		}
		x.mu.Unlock()
	}
	return nil
}

func modelOf(how Modelling, data map[string][]json.RawMessage) modelFile {
	m := modelFile{ModelName: how.Table}
	m.ModelMetadata.Author = "Stockroom"
	m.ModelMetadata.DateCreated, m.ModelMetadata.DateLastModified = how.Made.Format(modelTime), how.Made.Format(modelTime)
	m.ModelMetadata.Description = "One table for a whole business, with overloaded indexes."
	m.ModelMetadata.AWSService, m.ModelMetadata.Version = "Amazon DynamoDB", "3.0"
	t := modelTable{TableName: how.Table, KeyAttributes: keysOf("PK", "SK"), BillingMode: "PAY_PER_REQUEST"}
	named := map[string]bool{}
	attribute := func(name, kind string) {
		if !named[name] {
			named[name] = true
			t.NonKeyAttributes = append(t.NonKeyAttributes, modelKey{name, kind})
		}
	}
	attribute("EntityType", "S")
	for n := 1; n <= store.IndexCount; n++ {
		index := modelIndex{IndexName: store.IndexName(n), KeyAttributes: keysOf(store.IndexName(n)+"-PK", store.IndexName(n)+"-SK")}
		index.Projection.ProjectionType = "ALL"
		t.GlobalSecondaryIndexes = append(t.GlobalSecondaryIndexes, index)
		attribute(index.KeyAttributes.PartitionKey.AttributeName, "S")
		attribute(index.KeyAttributes.SortKey.AttributeName, "S")
	}
	for i := range sheets {
		s := &sheets[i]
		if !slices.Contains(how.Files, s.File) {
			continue
		}
		t.TableFacets = append(t.TableFacets, facetOf(s, data[s.File]))
		for _, a := range s.definition.Attributes() {
			attribute(a.Name, dynamoType(a.Kind))
		}
	}
	m.DataModel = []modelTable{t}
	return m
}

// facetOf is how Workbench shows one entity by itself: its keys under the
// names of what they hold, those attributes that it has, and its items.
func facetOf(s *Sheet, data []json.RawMessage) modelFacet {
	f := modelFacet{FacetName: s.Type, TableData: append([]json.RawMessage{}, data...), NonKeyAttributes: []string{"EntityType"}}
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

func keysOf(pk, sk string) modelKeys {
	return modelKeys{modelKey{pk, "S"}, modelKey{sk, "S"}}
}

// dynamoType is DynamoDB's type of an attribute.
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
