package embedded

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// Item is an item as the SDK has it: attribute names and values.
type Item = codec.Item

// definition is what CreateTable said of a table, as the file keeps it.
type definition struct {
	ID         uint32 // never used again, so what a deleted table left cannot be mistaken
	Name       string
	ARNID      string // the TableId of DescribeTable
	Created    time.Time
	Key        keySchema
	Indexes    []indexDefinition
	NextIndex  uint32
	TTL        ttlDefinition
	Billing    types.BillingMode
	Throughput throughput
	Class      types.TableClass
	Protected  bool // from DeleteTable
}

// keySchema names the key attributes; Sort has no name if there is none.
type keySchema struct {
	Partition, Sort keyAttribute
}

// keyAttribute is an attribute that is part of a key; its type is S, N or B.
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
	Included   []string // the attributes that INCLUDE names
	Throughput throughput
	// Filling is set while what the table held before the index is put into
	// it, item by item in the order of the table; Filled is how far that got.
	Filling bool
	Filled  []byte
}

type throughput struct{ Read, Write int64 }

type ttlDefinition struct {
	Attribute string // empty while disabled
	Filling   bool   // as of an index
	Filled    []byte
}

// catalog is the definitions of all tables. It never changes, nor does a table
// in it: with and without make the next one.
type catalog struct{ tables map[string]*table }

func (c *catalog) table(name string) (*table, error) {
	if t, ok := c.tables[name]; ok {
		return t, nil
	}
	return nil, noSuchTable()
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

// table is a definition with what follows from it.
type table struct {
	definition
	items      *keyspace // by table key
	expiry     *keyspace // by time of expiry and table key
	dictionary *keyspace // attribute names by number
	indexes    []*index
	names      *codec.Names

	keys        *codec.Wanted // the table's key attributes
	maintaining *codec.Wanted // the attributes on which index keys and expiry depend
}

// index is an index's definition with what follows from it.
type index struct {
	indexDefinition
	entries *keyspace     // by index key and table key
	keys    *codec.Wanted // the key attributes of index and table
	kept    map[string]bool
}

func newTable(d definition, names *codec.Names) *table {
	id := string(binary.BigEndian.AppendUint32(nil, d.ID))
	t := &table{
		definition: d,
		items:      newKeyspace("items/"+id, "table "+d.Name),
		expiry:     newKeyspace("expiry/"+id, "the time-to-live index of table "+d.Name),
		dictionary: newKeyspace("names/"+id, "the attribute names of table "+d.Name),
	}
	for _, def := range d.Indexes {
		ix := &index{indexDefinition: def}
		entry := string(binary.BigEndian.AppendUint32(nil, def.ID))
		ix.entries = newKeyspace("index/"+id+entry, fmt.Sprintf("index %s of table %s", def.Name, d.Name))
		if def.Projection != types.ProjectionTypeAll {
			ix.kept = make(map[string]bool)
			for _, name := range append(ix.keyNames(&t.Key), def.Included...) {
				ix.kept[name] = true
			}
		}
		t.indexes = append(t.indexes, ix)
	}
	return t.withNames(names)
}

// withNames returns a copy of the table that has another dictionary.
func (t *table) withNames(names *codec.Names) *table {
	next := *t
	next.names = names
	next.keys = names.Want(t.Key.names())
	maintaining := []string{}
	if t.TTL.Attribute != "" {
		maintaining = append(maintaining, t.TTL.Attribute)
	}
	next.indexes = make([]*index, len(t.indexes))
	for i, ix := range t.indexes {
		copied := *ix
		copied.keys = names.Want(ix.keyNames(&t.Key))
		next.indexes[i] = &copied
		maintaining = append(maintaining, ix.Key.names()...)
	}
	next.maintaining = names.Want(maintaining)
	return &next
}

// index finds an index by name.
func (t *table) index(name string) (*index, bool) {
	for _, ix := range t.indexes {
		if ix.Name == name {
			return ix, true
		}
	}
	return nil, false
}

// names are the names of the key attributes, partition key first.
func (k *keySchema) names() []string {
	if k.Sort.Name == "" {
		return []string{k.Partition.Name}
	}
	return []string{k.Partition.Name, k.Sort.Name}
}

// keyNames are the names of the index's and the table's key attributes, which
// every entry holds.
func (ix *index) keyNames(table *keySchema) []string {
	return append(ix.Key.names(), table.names()...)
}

// loadCatalog reads all definitions.
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
			return dictionary.damaged(key, "a name is missing before it")
		}
		names = append(names, string(body))
		return nil
	})
	return codec.NewNames(names), err
}

// tables holds the definitions by the tables' names.
var tables = newKeyspace("tables", "the list of tables")

// define saves a definition and makes it that of this transaction.
func (w *writeTx) define(d definition, names *codec.Names) (*table, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("embedded: definition of table %s: %w", d.Name, err)
	}
	bucket, err := tables.bucket(w.bolt)
	if err != nil {
		return nil, err
	}
	key := []byte(d.Name)
	if err := bucket.Put(key, tables.seal(key, body)); err != nil {
		return nil, fmt.Errorf("embedded: definition of table %s: %w", d.Name, err)
	}
	t := newTable(d, names)
	w.catalog = w.catalog.with(t)
	w.changed = true
	return t, nil
}
