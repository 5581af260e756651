package embedded

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// Item is an item in the SDK's types: attribute values by name.
type Item = codec.Item

// definition is a table definition, stored as JSON.
type definition struct {
	ID         uint32 // never reused, even after the table is deleted
	Name       string
	ARNID      string // TableId in the output of DescribeTable
	Created    time.Time
	Key        keySchema
	Indexes    []indexDefinition
	NextIndex  uint32
	TTL        ttlDefinition
	Billing    types.BillingMode
	Throughput throughput
	Class      types.TableClass
	Protected  bool               // DeletionProtectionEnabled in the API
	Tags       map[string]string  `json:",omitempty"`
	Streams    []streamDefinition `json:",omitempty"` // oldest first; only the last one can be enabled
	NextStream uint32             `json:",omitempty"`
}

// keySchema contains the key attributes of a table or index. Without a sort key,
// Sort.Name is "".
type keySchema struct {
	Partition, Sort keyAttribute
	// Further attributes of the two keys. Only global indexes can have them.
	MorePartition []keyAttribute `json:",omitempty"`
	MoreSort      []keyAttribute `json:",omitempty"`
}

func (k *keySchema) partition() []keyAttribute {
	return append([]keyAttribute{k.Partition}, k.MorePartition...)
}

func (k *keySchema) sort() []keyAttribute {
	if k.Sort.Name == "" {
		return nil
	}
	return append([]keyAttribute{k.Sort}, k.MoreSort...)
}

// isMulti reports whether the partition key or the sort key has several attributes.
func (k *keySchema) isMulti() bool { return k.MorePartition != nil || k.MoreSort != nil }

// keyAttribute is a key attribute. Its type is S, N or B.
type keyAttribute struct {
	Name string
	Type types.ScalarAttributeType
}

type indexDefinition struct {
	ID         uint32
	Name       string
	Local      bool
	Key        keySchema
	Projection types.ProjectionType
	Included   []string // NonKeyAttributes of an INCLUDE projection
	Throughput throughput
	// Backfilling is true until all items that are older than the index have entries in
	// it. Items up to the table key BackfilledTo have entries.
	Backfilling  bool   `json:"Filling"`
	BackfilledTo []byte `json:"Filled"`
}

type throughput struct{ Read, Write int64 }

type ttlDefinition struct {
	Attribute    string // "" if Time to Live is disabled
	Backfilling  bool   `json:"Filling"` // see indexDefinition
	BackfilledTo []byte `json:"Filled"`
}

// catalog contains the definitions of all tables. A catalog and its tables are immutable.
// To change a catalog, call c.with or c.without, which return modified copies.
type catalog struct{ tables map[string]*table }

func (c *catalog) table(name string) (*table, error) {
	if t, ok := c.tables[name]; ok {
		return t, nil
	}
	return nil, errTableNotFound()
}

func (c *catalog) with(t *table) *catalog {
	next := &catalog{maps.Clone(c.tables)}
	next.tables[t.Name] = t
	return next
}

func (c *catalog) without(name string) *catalog {
	next := &catalog{maps.Clone(c.tables)}
	delete(next.tables, name)
	return next
}

// table is a table definition, together with values derived from it.
type table struct {
	definition
	items      *keyspace // keyspace of the items, by table key
	expiry     *keyspace // keyspace of the expiry times, by time and table key
	dictionary *keyspace // keyspace of the attribute names, by number
	indexes    []*index
	streams    []*tableStream
	enabled    *tableStream // the enabled stream; nil if there is none
	names      *codec.Names

	keys        *codec.Selection // the table's key attributes
	derivedFrom *codec.Selection // attributes from which index keys and expiry are derived
}

// index is an index definition, together with values derived from it.
type index struct {
	indexDefinition
	entries *keyspace        // keyspace of the entries, by index key and table key
	keys    *codec.Selection // key attributes of the index and the table
	// projected contains the projected attributes. It is nil if all are projected.
	projected map[string]bool
}

func newTable(d definition, names *codec.Names) *table {
	id := string(binary.BigEndian.AppendUint32(nil, d.ID))
	t := &table{
		definition: d,
		items:      newKeyspace("items/"+id, "table "+d.Name),
		expiry:     newKeyspace("expiry/"+id, "the time-to-live index of table "+d.Name),
		dictionary: newKeyspace("names/"+id, "the attribute names of table "+d.Name),
	}
	t.streams, t.enabled = newStreams(&d)
	for _, def := range d.Indexes {
		ix := &index{indexDefinition: def}
		entry := string(binary.BigEndian.AppendUint32(nil, def.ID))
		ix.entries = newKeyspace("index/"+id+entry, fmt.Sprintf("index %s of table %s", def.Name, d.Name))
		if def.Projection != types.ProjectionTypeAll {
			ix.projected = make(map[string]bool)
			for _, name := range append(ix.keyNames(&t.Key), def.Included...) {
				ix.projected[name] = true
			}
		}
		t.indexes = append(t.indexes, ix)
	}
	return t.withNames(names)
}

func (t *table) withNames(names *codec.Names) *table {
	next := *t
	next.names = names
	next.keys = names.Select(t.Key.names())
	derivedFrom := []string{}
	if t.TTL.Attribute != "" {
		derivedFrom = append(derivedFrom, t.TTL.Attribute)
	}
	next.indexes = make([]*index, len(t.indexes))
	for i, ix := range t.indexes {
		copied := *ix
		copied.keys = names.Select(ix.keyNames(&t.Key))
		next.indexes[i] = &copied
		derivedFrom = append(derivedFrom, ix.Key.names()...)
	}
	next.derivedFrom = names.Select(derivedFrom)
	return &next
}

func (t *table) index(name string) (*index, bool) {
	for _, ix := range t.indexes {
		if ix.Name == name {
			return ix, true
		}
	}
	return nil, false
}

func (t *table) hasIndex(id uint32) bool {
	return slices.ContainsFunc(t.indexes, func(ix *index) bool { return ix.ID == id })
}

// names returns the names of the key attributes, partition key first.
func (k *keySchema) names() []string {
	if k.isMulti() {
		return namesOf(k.attributes())
	}
	if k.Sort.Name == "" {
		return []string{k.Partition.Name}
	}
	return []string{k.Partition.Name, k.Sort.Name}
}

func namesOf(attributes []keyAttribute) []string {
	names := make([]string, len(attributes))
	for i, attribute := range attributes {
		names[i] = attribute.Name
	}
	return names
}

// keyNames returns the names of the key attributes of the index and the table. Every
// index entry contains them.
func (ix *index) keyNames(table *keySchema) []string {
	return append(ix.Key.names(), table.names()...)
}

func loadCatalog(tx *bbolt.Tx) (*catalog, error) {
	c := &catalog{make(map[string]*table)}
	err := tables.each(tx, func(key, body []byte) error {
		var d definition
		if err := json.Unmarshal(body, &d); err != nil {
			return tables.damaged(key, err.Error())
		}
		t := newTable(d, codec.NewNames(nil))
		names, err := loadNames(tx, t.dictionary)
		if err != nil {
			return err
		}
		c.tables[d.Name] = t.withNames(names)
		return nil
	})
	return c, err
}

func loadNames(tx *bbolt.Tx, dictionary *keyspace) (*codec.Names, error) {
	var names []string
	err := dictionary.each(tx, func(key, body []byte) error {
		if len(key) != 4 || binary.BigEndian.Uint32(key) != uint32(len(names)) {
			return dictionary.damaged(key, "the preceding name is missing")
		}
		names = append(names, string(body))
		return nil
	})
	return codec.NewNames(names), err
}

// tables is the keyspace of the table definitions, by name.
var tables = newKeyspace("tables", "the list of tables")

// saveDefinition stores a table definition, and updates the catalog of the
// transaction.
func (w *writeTx) saveDefinition(d definition, names *codec.Names) (*table, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("embedded: definition of table %s: %w", d.Name, err)
	}
	bucket, err := tables.bucket(w.bolt)
	if err != nil {
		return nil, err
	}
	key := []byte(d.Name)
	if err := w.guard(tables, key, false); err != nil {
		return nil, err
	}
	if err := bucket.Put(key, tables.seal(key, body)); err != nil {
		return nil, fmt.Errorf("embedded: definition of table %s: %w", d.Name, err)
	}
	t := newTable(d, names)
	w.catalog = w.catalog.with(t)
	w.changed = true
	if d.needsVersion2() {
		err = w.raiseFormat(2)
	}
	return t, err
}
