package exchange

import (
	"encoding/json"
	"errors"
	"slices"

	"stockroom/store"
)

// The parts of a NoSQL Workbench model, with the field names of NoSQL Workbench.
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

// ModelName is the file name of a model.
const ModelName = "model.json"

// modelDate is the date in every exported model, because NoSQL Workbench requires one. If
// it were the time of the export, two exports of the same data would differ.
const modelDate = "Nov 21, 2026, 12:00 AM"

// modelOutput collects the items of a model. At the end, it writes them with the table, its
// indexes, and a facet for each entity.
type modelOutput struct {
	ExportOptions
	file *outputFile
	data map[string][]json.RawMessage // items by file name
}

func openModelOutput(options ExportOptions) (output, error) {
	file, err := createOutput(options, ModelName)
	if err != nil {
		return nil, err
	}
	return &modelOutput{options, file, map[string][]json.RawMessage{}}, nil
}

func (o *modelOutput) write(file int, text []byte) error {
	name := o.Files[file]
	o.data[name] = append(o.data[name], text)
	return nil
}

func (o *modelOutput) close() error {
	encoder := json.NewEncoder(o.file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return errors.Join(encoder.Encode(newModel(o.ExportOptions, o.data)), o.file.close())
}

func newModel(options ExportOptions, data map[string][]json.RawMessage) modelFile {
	m := modelFile{ModelName: options.Table}
	m.ModelMetadata.Author = "Stockroom"
	m.ModelMetadata.DateCreated, m.ModelMetadata.DateLastModified = modelDate, modelDate
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

// addAttribute adds an attribute. If the table already has an attribute with this name, it
// does nothing.
func (t *modelTable) addAttribute(name, attributeType string) {
	if !slices.ContainsFunc(t.NonKeyAttributes, func(k modelKey) bool { return k.AttributeName == name }) {
		t.NonKeyAttributes = append(t.NonKeyAttributes, modelKey{name, attributeType})
	}
}

// newFacet returns the facet of an entity, with its key templates, attributes and
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
