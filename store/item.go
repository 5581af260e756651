package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// Entity is a thing that lies in the table as one item.
type Entity interface {
	// KeyValue gives ${name} of the entity's key templates; "" where the
	// entity has none, which leaves the index off.
	key.Values
	// EntityType is the type by which the item is recognised.
	EntityType() string

	write(*attributes)
}

// Encode makes the item of an entity: its attributes, the keys of the table
// and of every index that it stands in. Keys that name a shard are spread
// over so many.
func Encode(e Entity, shards int) (Item, error) {
	d, found := definitionOf(e.EntityType())
	if !found {
		return nil, fmt.Errorf("store: no entity is called %q", e.EntityType())
	}
	a := attributes{item: make(Item, 24)}
	a.text(attrType, d.Type)
	e.write(&a)
	values := shardedValues{e, shards}
	pk, missing := d.Table.PK.Render(values)
	sk, missingToo := d.Table.SK.Render(values)
	if missing+missingToo != "" {
		return nil, fmt.Errorf("store: a %s without %s has no key", d.Type, missing+missingToo)
	}
	a.text(attrPK, pk)
	a.text(attrSK, sk)
	for n := 1; n <= IndexCount; n++ {
		k := d.Index[n]
		if k.PK.IsZero() {
			continue
		}
		pk, missing := k.PK.Render(values)
		sk, missingToo := k.SK.Render(values)
		if missing == "" && missingToo == "" {
			pkName, skName := keyAttributes(IndexName(n))
			a.text(pkName, pk)
			a.text(skName, sk)
		}
	}
	return a.item, nil
}

// Decode makes the entity of an item, recognised by its EntityType.
func Decode(item Item) (Entity, error) {
	f := fields{item: item}
	d, found := definitionOf(f.text(attrType))
	if !found {
		return nil, fail(Damaged, "The item %s is of no type that is known here.", f.key())
	}
	return d.decode(item)
}

// shardedValues adds the shard of an entity to its key values, which follows
// from its ID; an entity without one says itself in which shard it lies.
type shardedValues struct {
	Entity
	shards int
}

func (v shardedValues) KeyValue(name string) string {
	if name == "shard" {
		if of := v.Entity.KeyValue("shardOf"); of != "" {
			return key.Shard(of, v.shards)
		}
	}
	return v.Entity.KeyValue(name)
}

// attributes collects what an entity writes. Empty values are not written:
// an attribute that says nothing is left off.
type attributes struct {
	item  Item
	noted *[]Attribute // where what could be written is noted as well; nil: nowhere
}

func (a *attributes) text(name, value string) {
	a.note(name, Text)
	a.set(name, value)
}

func (a *attributes) set(name, value string) {
	if value != "" {
		a.item[name] = &types.AttributeValueMemberS{Value: value}
	}
}

// number is written even where it is 0: nothing in stock is a statement.
func (a *attributes) number(name string, value int) {
	a.note(name, Whole)
	a.item[name] = &types.AttributeValueMemberN{Value: strconv.Itoa(value)}
}

func (a *attributes) amount(name string, value Amount) {
	a.note(name, Money)
	a.item[name] = &types.AttributeValueMemberN{Value: value.String()}
}

// someAmount leaves off an amount of nothing, where that is the rule.
func (a *attributes) someAmount(name string, value Amount) {
	a.note(name, Money)
	if value.Sign() != 0 {
		a.item[name] = &types.AttributeValueMemberN{Value: value.String()}
	}
}

func (a *attributes) time(name string, t time.Time) {
	a.note(name, Instant)
	a.set(name, key.Time(t))
}

// seconds is the form that DynamoDB's Time to Live reads.
func (a *attributes) seconds(name string, t time.Time) {
	a.note(name, Seconds)
	if !t.IsZero() {
		a.item[name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}
	}
}

func (a *attributes) flag(name string, value bool) {
	a.note(name, Flag)
	if value {
		a.item[name] = &types.AttributeValueMemberBOOL{Value: true}
	}
}

func (a *attributes) texts(name string, values []string) {
	a.note(name, Texts)
	if len(values) == 0 {
		return
	}
	list := make([]types.AttributeValue, len(values))
	for i, v := range values {
		list[i] = &types.AttributeValueMemberS{Value: v}
	}
	a.item[name] = &types.AttributeValueMemberL{Value: list}
}

func (a *attributes) nested(name string, write func(*attributes)) {
	inner := a.within()
	write(&inner)
	a.note(name, Group, inner.parts()...)
	if len(inner.item) > 0 {
		a.item[name] = &types.AttributeValueMemberM{Value: inner.item}
	}
}

// groups writes a list each element of which has attributes of its own.
func groups[T any](a *attributes, name string, all []T, write func(*attributes, T)) {
	if a.noted != nil {
		var none T
		inner := a.within()
		write(&inner, none)
		a.note(name, Groups, inner.parts()...)
	}
	if len(all) == 0 {
		return
	}
	list := make([]types.AttributeValue, len(all))
	for i, element := range all {
		inner := attributes{item: Item{}}
		write(&inner, element)
		list[i] = &types.AttributeValueMemberM{Value: inner.item}
	}
	a.item[name] = &types.AttributeValueMemberL{Value: list}
}

// fields reads an item. The first attribute that cannot be read is kept as
// the error, so that a decoder reads straight through and asks once.
type fields struct {
	item Item
	err  error
}

// key names the item for an error.
func (f *fields) key() string { return f.text(attrPK) + " / " + f.text(attrSK) }

func (f *fields) damaged(name, want string) {
	if f.err == nil {
		f.err = fail(Damaged, "The item %s cannot be read: its %s is not %s.", f.key(), name, want)
	}
}

func (f *fields) text(name string) string {
	switch v := f.item[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

// number accepts the S form too, because published samples use it.
func (f *fields) number(name string) int {
	text := f.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > maxQuantity || n < -maxQuantity {
		f.damaged(name, "a whole number of at most seven digits")
		return 0
	}
	return n
}

func (f *fields) amount(name string) Amount {
	text := f.text(name)
	if text == "" {
		return Amount{}
	}
	a, err := ParseAmount(text)
	if err != nil {
		f.damaged(name, "an amount of money")
	}
	return a
}

func (f *fields) time(name string) time.Time {
	text := f.text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := ParseTime(text)
	if err != nil {
		f.damaged(name, "a time")
	}
	return t
}

// day reads a calendar day, also of a time: its date counts.
func (f *fields) day(name string) time.Time {
	t := f.time(name)
	if t.IsZero() {
		return t
	}
	return dayIn(t, time.UTC)
}

// epoch reads a time as Time to Live has it.
func (f *fields) epoch(name string) time.Time {
	text := f.text(name)
	if text == "" {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		f.damaged(name, "a time in seconds")
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// lastSecond is the end of the year 9999, after which dates have five digits.
const lastSecond = 253402300799

func (f *fields) flag(name string) bool {
	v, _ := f.item[name].(*types.AttributeValueMemberBOOL)
	return v != nil && v.Value
}

func (f *fields) texts(name string) []string {
	switch v := f.item[name].(type) {
	case *types.AttributeValueMemberSS:
		return v.Value
	case *types.AttributeValueMemberL:
		texts := make([]string, 0, len(v.Value))
		for _, member := range v.Value {
			if s, ok := member.(*types.AttributeValueMemberS); ok {
				texts = append(texts, s.Value)
			}
		}
		return texts
	}
	return nil
}

func (f *fields) nested(name string) *fields {
	m, _ := f.item[name].(*types.AttributeValueMemberM)
	if m == nil {
		return &fields{}
	}
	return &fields{item: m.Value}
}

// after is what a key attribute says behind its prefix: 12345 of c#12345.
func (f *fields) after(name, prefix string) string {
	rest, found := strings.CutPrefix(f.text(name), prefix)
	if !found {
		return ""
	}
	return rest
}

// ParseTime reads a time as tables have it: with or without a zone (none is
// UTC), with or without fractions of a second (dropped), or a day alone.
func ParseTime(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC().Truncate(time.Second), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", key.Day} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Truncate(time.Second), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time", text)
}
