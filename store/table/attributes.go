package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// MaxNumber is the largest whole number that an attribute may hold: seven
// digits, so that sums and products stay within an int.
const MaxNumber = 9_999_999

// Attributes collects the attributes of an entity. Empty values are left out.
type Attributes struct {
	item   Item
	listed *[]Attribute // what may be written is listed here; nil to skip listing
}

// NewAttributes returns an empty collection.
func NewAttributes() *Attributes { return &Attributes{item: Item{}} }

// Listing reports whether attributes are listed rather than written. Write
// every attribute then, also if the entity would leave it out.
func (a *Attributes) Listing() bool { return a.listed != nil }

// Item returns what was collected.
func (a *Attributes) Item() Item { return a.item }

// Text writes a string.
func (a *Attributes) Text(name, value string) {
	a.list(name, Text)
	a.set(name, value)
}

func (a *Attributes) set(name, value string) {
	if value != "" {
		a.item[name] = &types.AttributeValueMemberS{Value: value}
	}
}

// Number writes a whole number, also if it is 0.
func (a *Attributes) Number(name string, value int) {
	a.list(name, Whole)
	a.item[name] = &types.AttributeValueMemberN{Value: strconv.Itoa(value)}
}

// Decimal writes a decimal number, given as text. "" is left out.
func (a *Attributes) Decimal(name, value string) {
	a.list(name, Money)
	if value != "" {
		a.item[name] = &types.AttributeValueMemberN{Value: value}
	}
}

// Time writes a time in whole seconds.
func (a *Attributes) Time(name string, t time.Time) {
	a.list(name, Instant)
	a.set(name, key.Time(t))
}

// Seconds writes a time as Time to Live reads it.
func (a *Attributes) Seconds(name string, t time.Time) {
	a.list(name, Seconds)
	if !t.IsZero() {
		a.item[name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}
	}
}

// Flag writes true; false is left out.
func (a *Attributes) Flag(name string, value bool) {
	a.list(name, Flag)
	if value {
		a.item[name] = &types.AttributeValueMemberBOOL{Value: true}
	}
}

// Texts writes a list of strings.
func (a *Attributes) Texts(name string, values []string) {
	a.list(name, Texts)
	if len(values) == 0 {
		return
	}
	list := make([]types.AttributeValue, len(values))
	for i, v := range values {
		list[i] = &types.AttributeValueMemberS{Value: v}
	}
	a.item[name] = &types.AttributeValueMemberL{Value: list}
}

// Nested writes a map of attributes.
func (a *Attributes) Nested(name string, write func(*Attributes)) {
	inner := a.inner()
	write(&inner)
	a.list(name, Group, inner.parts()...)
	if len(inner.item) > 0 {
		a.item[name] = &types.AttributeValueMemberM{Value: inner.item}
	}
}

// WriteGroups writes a list of maps, one for each element.
func WriteGroups[T any](a *Attributes, name string, all []T, write func(*Attributes, T)) {
	if a.listed != nil {
		var none T
		inner := a.inner()
		write(&inner, none)
		a.list(name, Groups, inner.parts()...)
	}
	if len(all) == 0 {
		return
	}
	list := make([]types.AttributeValue, len(all))
	for i, element := range all {
		inner := Attributes{item: Item{}}
		write(&inner, element)
		list[i] = &types.AttributeValueMemberM{Value: inner.item}
	}
	a.item[name] = &types.AttributeValueMemberL{Value: list}
}

func (a *Attributes) list(name string, kind AttributeKind, parts ...Attribute) {
	if a.listed != nil {
		*a.listed = append(*a.listed, Attribute{name, kind, parts})
	}
}

func (a *Attributes) inner() Attributes {
	inner := Attributes{item: Item{}}
	if a.listed != nil {
		inner.listed = &[]Attribute{}
	}
	return inner
}

func (a *Attributes) parts() []Attribute {
	if a.listed == nil {
		return nil
	}
	return *a.listed
}

// AttributeKind is what an attribute holds, beyond its DynamoDB type.
type AttributeKind int

// The kinds of attributes.
const (
	Text    AttributeKind = iota
	Whole                 // a whole number
	Money                 // a decimal number
	Instant               // a time in whole seconds
	Seconds               // a time as Time to Live reads it
	Flag                  // true, or left out
	Texts                 // a list of strings
	Group                 // a map of attributes
	Groups                // a list of such maps
)

// Attribute describes one attribute of an entity's items.
type Attribute struct {
	Name  string
	Kind  AttributeKind
	Parts []Attribute // of a Group, or of each element of Groups
}

// sameValue compares values of the types that entities write.
func sameValue(a, b types.AttributeValue) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberL:
		b, ok := b.(*types.AttributeValueMemberL)
		return ok && slices.EqualFunc(a.Value, b.Value, sameValue)
	case *types.AttributeValueMemberM:
		b, ok := b.(*types.AttributeValueMemberM)
		return ok && maps.EqualFunc(a.Value, b.Value, sameValue)
	}
	return false
}

// Fields reads the attributes of an item. It keeps the first error, so that a
// decoder reads all attributes and checks once.
type Fields struct {
	item Item
	err  error
}

// NewFields returns a reader of the item's attributes.
func NewFields(item Item) *Fields { return &Fields{item: item} }

// Err returns the first error.
func (f *Fields) Err() error { return f.err }

// Key names the item in an error message.
func (f *Fields) Key() string { return f.Text(AttrPK) + " / " + f.Text(AttrSK) }

// Has reports whether the item has the attribute.
func (f *Fields) Has(name string) bool { return f.item[name] != nil }

// Damaged records that the attribute is not what it should be.
func (f *Fields) Damaged(name, want string) {
	if f.err == nil {
		f.err = Errorf(Damaged, "The item %s cannot be read: its %s is not %s.", f.Key(), name, want)
	}
}

// Text reads a string, or the digits of a number.
func (f *Fields) Text(name string) string {
	switch v := f.item[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

// Number reads a whole number, also from a string, because published sample
// data has it so.
func (f *Fields) Number(name string) int {
	text := f.Text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > MaxNumber || n < -MaxNumber {
		f.Damaged(name, "a whole number of at most seven digits")
		return 0
	}
	return n
}

// Time reads a time.
func (f *Fields) Time(name string) time.Time {
	text := f.Text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := ParseTime(text)
	if err != nil {
		f.Damaged(name, "a time")
	}
	return t
}

// Day reads a calendar day, or the date of a time.
func (f *Fields) Day(name string) time.Time { return f.Time(name).Truncate(24 * time.Hour) }

// Seconds reads a time as Time to Live has it.
func (f *Fields) Seconds(name string) time.Time {
	text := f.Text(name)
	if text == "" {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		f.Damaged(name, "a time in seconds")
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// lastSecond is the end of the year 9999, after which dates have five digits.
const lastSecond = 253402300799

// Flag reads a boolean.
func (f *Fields) Flag(name string) bool {
	v, _ := f.item[name].(*types.AttributeValueMemberBOOL)
	return v != nil && v.Value
}

// Texts reads a list or a set of strings.
func (f *Fields) Texts(name string) []string {
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

// Nested reads a map of attributes.
func (f *Fields) Nested(name string) *Fields {
	m, _ := f.item[name].(*types.AttributeValueMemberM)
	if m == nil {
		return &Fields{}
	}
	return &Fields{item: m.Value}
}

// ReadGroups reads a list of maps.
func ReadGroups[T any](f *Fields, name string, read func(*Fields) T) []T {
	list, _ := f.item[name].(*types.AttributeValueMemberL)
	if list == nil {
		return nil
	}
	all := make([]T, 0, len(list.Value))
	for _, member := range list.Value {
		m, ok := member.(*types.AttributeValueMemberM)
		if !ok {
			continue
		}
		inner := Fields{item: m.Value}
		all = append(all, read(&inner))
		if inner.err != nil && f.err == nil {
			f.err = inner.err
		}
	}
	return all
}

// After returns what follows a prefix in a key attribute: 12345 in c#12345.
func (f *Fields) After(name, prefix string) string {
	rest, found := strings.CutPrefix(f.Text(name), prefix)
	if !found {
		return ""
	}
	return rest
}

// ParseTime parses a stored time: with or without a zone (none is UTC), with
// or without fractions of a second (dropped), or a date alone.
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
