package table

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// Entity is a record that is stored as one item.
type Entity interface {
	// KeyValue returns the value of the placeholder ${name} in the entity's key
	// templates, or "". If a value of an index key is missing, the item is not in that
	// index.
	key.Values
	// EntityType returns the value of the item's EntityType attribute.
	EntityType() string
}

// Definition defines an entity type: its keys, and how its items are encoded and
// decoded.
type Definition struct {
	Type  string
	Table Keys
	Index [IndexCount + 1]Keys // keys in the indexes, by index number, from 1

	New   func() Entity             // makes an empty entity
	Codec func(Entity, *Attributes) // encodes or decodes the attributes of an entity

	goType reflect.Type
	size   *atomic.Int32 // number of attributes of the last encoded item
}

// Keys are the partition and sort key templates of an item, in the table or in
// one index.
type Keys struct{ PK, SK key.Template }

// IsSharded reports whether a key of the entity in the table, or its partition key in an
// index, contains a shard.
func (d *Definition) IsSharded() bool {
	hasShard := func(t key.Template) bool { return slices.Contains(t.Names(), "shard") }
	return hasShard(d.Table.PK) || hasShard(d.Table.SK) || slices.ContainsFunc(d.Index[:], func(k Keys) bool { return hasShard(k.PK) })
}

// Schema is the design of a table: its entities and the access patterns that query
// them.
type Schema struct {
	Definitions []Definition
	Patterns    []Pattern

	byType map[string]*Definition
	secret map[string]bool
}

// NewSchema returns a schema. Items of the secret entity types never appear in a
// trace.
func NewSchema(definitions []Definition, patterns []Pattern, secretTypes ...string) *Schema {
	s := &Schema{Definitions: definitions, Patterns: patterns, byType: make(map[string]*Definition, len(definitions)), secret: map[string]bool{}}
	for i := range definitions {
		d := &definitions[i]
		d.goType, d.size = reflect.TypeOf(d.New()), new(atomic.Int32)
		s.byType[d.Type] = d
	}
	for _, t := range secretTypes {
		s.secret[t] = true
	}
	return s
}

// Definition returns the definition of an entity type.
func (s *Schema) Definition(entityType string) (*Definition, bool) {
	d, ok := s.byType[entityType]
	return d, ok
}

// Pattern returns the access pattern with the given name.
func (s *Schema) Pattern(name string) (*Pattern, bool) {
	for i := range s.Patterns {
		if s.Patterns[i].Name == name {
			return &s.Patterns[i], true
		}
	}
	return nil, false
}

// IsSecret reports whether the item must never be shown in raw form.
func (s *Schema) IsSecret(item Item) bool { return s.isSecret(RowOf(item)) }

func (s *Schema) isSecret(r Row) bool { return s.secret[r.Text(AttrType)] }

// Encode returns the item of an entity. The item has the entity's attributes, its
// key, and each index key for which the entity has all values. shards is the number
// of shards of sharded keys. Encode returns Invalid if a value is too large to be
// decoded again.
func (s *Schema) Encode(e Entity, shards int) (Item, error) {
	return s.EncodeInto(&ItemBuffer{}, e, shards)
}

// ItemBuffer is reusable memory for one encoded item. The zero ItemBuffer is ready to
// use.
type ItemBuffer struct {
	item  Item
	texts []types.AttributeValueMemberS
}

// EncodeInto is like Encode, but uses the memory of b. The next call with the same
// buffer overwrites the item.
func (s *Schema) EncodeInto(b *ItemBuffer, e Entity, shards int) (Item, error) {
	d, ok := s.byType[e.EntityType()]
	if !ok {
		return nil, fmt.Errorf("table: unknown entity type %q", e.EntityType())
	}
	expected := int(d.size.Load())
	if b.item == nil {
		b.item = make(Item, expected)
	}
	if cap(b.texts) < expected {
		b.texts = make([]types.AttributeValueMemberS, 0, expected)
	}
	clear(b.item)
	a := Attributes{item: b.item, texts: b.texts[:0]}
	a.set(AttrType, d.Type)
	d.Codec(e, &a)
	if a.err != nil {
		return nil, a.err
	}
	var values key.Values = &shardedValues{e, shards}
	pk, missingPK := d.Table.PK.Render(values)
	sk, missingSK := d.Table.SK.Render(values)
	if missing := missingPK + missingSK; missing != "" {
		return nil, fmt.Errorf("table: a %s needs %s for its key", d.Type, missing)
	}
	a.set(AttrPK, pk)
	a.set(AttrSK, sk)
	for n := 1; n <= IndexCount; n++ {
		k := d.Index[n]
		if k.PK.IsZero() {
			continue
		}
		pk, missing := k.PK.Render(values)
		if missing != "" {
			continue
		}
		if sk, missing := k.SK.Render(values); missing == "" {
			a.set(indexKeys[n].pk, pk)
			a.set(indexKeys[n].sk, sk)
		}
	}
	if len(a.item) != expected {
		d.size.Store(int32(len(a.item)))
	}
	return a.item, nil
}

// Decode returns the entity of an item. It returns Damaged if the type is
// unknown or an attribute cannot be read.
func (s *Schema) Decode(item Item) (Entity, error) { return s.DecodeRow(RowOf(item)) }

// DecodeRow is like Decode, for a row.
func (s *Schema) DecodeRow(r Row) (Entity, error) {
	d, ok := s.byType[r.Text(AttrType)]
	if !ok {
		return nil, Errorf(Damaged, "The item %s has an unknown entity type.", describeKey(r))
	}
	e := d.New()
	return e, d.decode(r, e)
}

// DecodeInto decodes a row into an empty entity. It returns Damaged if the row has
// another entity type or an attribute cannot be decoded.
func (s *Schema) DecodeInto(r Row, e Entity) error {
	d, ok := s.byType[r.Text(AttrType)]
	if !ok {
		return Errorf(Damaged, "The item %s has an unknown entity type.", describeKey(r))
	}
	if d.goType != reflect.TypeOf(e) {
		return Errorf(Damaged, "The item %s has the entity type %s, not %s.", describeKey(r), d.Type, e.EntityType())
	}
	return d.decode(r, e)
}

// DecodeProjected is like DecodeInto, but does not check the entity type. Rows of a
// projection have none.
func (s *Schema) DecodeProjected(r Row, e Entity) error {
	return s.byType[e.EntityType()].decode(r, e)
}

// decoders contains Attributes to reuse, which saves an allocation for each row of a
// list.
var decoders = sync.Pool{New: func() any { return new(Attributes) }}

func (d *Definition) decode(r Row, e Entity) error {
	a := decoders.Get().(*Attributes)
	*a = Attributes{source: r, root: r}
	d.Codec(e, a)
	err := a.err
	*a = Attributes{}
	decoders.Put(a)
	return err
}

func describeKey(r Row) string { return r.Text(AttrPK) + " / " + r.Text(AttrSK) }

// DecodeAs decodes a row as an entity of type E. It returns Damaged if the row has another
// entity type. If err is not nil, DecodeAs only returns err, so that callers can pass both
// results of a read.
func DecodeAs[E Entity](s *Schema, r Row, err error) (E, error) {
	var none E
	if err != nil {
		return none, err
	}
	entity, err := s.DecodeRow(r)
	if err != nil {
		return none, err
	}
	e, ok := entity.(E)
	if !ok {
		return none, Errorf(Damaged, "The item %s has the entity type %s, not %s.", describeKey(r), entity.EntityType(), none.EntityType())
	}
	return e, nil
}

// shardedValues are the entity's values with ${shard} added. ${shard} is computed from
// the entity's value of ${shardOf}. If that is "", the entity itself has the value of
// ${shard}.
type shardedValues struct {
	Entity
	shards int
}

func (v *shardedValues) KeyValue(name string) string {
	if name == "shard" {
		if id := v.Entity.KeyValue("shardOf"); id != "" {
			return key.Shard(id, v.shards)
		}
	}
	return v.Entity.KeyValue(name)
}

// Attributes lists the attributes that items of the entity can have besides their
// keys, in the order in which they are encoded.
func (d *Definition) Attributes() []Attribute {
	var listed []Attribute
	d.Codec(d.New(), &Attributes{item: Item{}, listed: &listed})
	return listed
}

// Mismatch encodes the entity and compares the result with the item. It returns the
// name of an attribute that is different or missing on one side, or "". It ignores the
// keys, the entity type and the value of the version.
func (s *Schema) Mismatch(item Item, e Entity) string {
	a := Attributes{item: make(Item, len(item))}
	if d, ok := s.byType[e.EntityType()]; ok {
		d.Codec(e, &a)
	}
	for name, value := range a.item {
		if name != AttrVersion && !sameValue(item[name], value) || item[name] == nil {
			return name
		}
	}
	for name := range item {
		if a.item[name] == nil && !isKeyAttribute(name) {
			return name
		}
	}
	return ""
}

func isKeyAttribute(name string) bool {
	return name == AttrPK || name == AttrSK || name == AttrType ||
		strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}
