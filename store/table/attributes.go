package table

import (
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// MaxNumber is the largest absolute value that Attributes.Number accepts. Sums and products
// of such numbers fit into an int.
const MaxNumber = 9_999_999

// Attributes encodes or decodes an entity. The entity lists its attributes once, each
// with a pointer to its field:
//
//	func (w *Warehouse) attributes(a *table.Attributes) {
//		a.FromKey(table.AttrPK, "w#", &w.ID)
//		a.Text("Name", &w.Name)
//		a.Nested("Address", w.Address.attributes)
//		a.Version(&w.Version)
//	}
//
// Encoding copies fields to attributes and omits empty values. It fails with Invalid
// if a value is too large to be decoded later. Decoding copies attributes to the fields
// of an empty entity, and fails with Damaged if an attribute cannot be decoded. The
// field of a missing attribute stays empty. Attributes keeps the first error, so an
// entity need not check after each call.
type Attributes struct {
	item   Item                          // when encoding: the item to fill
	texts  []types.AttributeValueMemberS // when encoding: preallocated values
	source Row                           // when decoding: the attributes to read, which can be those of a nested map
	root   Row                           // when decoding: the whole item, which contains the keys
	listed *[]Attribute                  // when listing: the attributes so far
	err    error
}

// Decoding reports whether the attributes of an item are being decoded.
func (a *Attributes) Decoding() bool { return a.source != nil }

// Listing reports whether the attributes of an entity are being listed for the
// documentation. While Listing is true, the entity must also list the attributes that
// it encodes only in some cases.
func (a *Attributes) Listing() bool { return a.listed != nil }

// Has reports whether the item that is being decoded has the attribute.
func (a *Attributes) Has(name string) bool { return a.source.Has(name) }

// Read returns the text of a string or number attribute of the item that is being
// decoded.
func (a *Attributes) Read(name string) string { return a.source.Text(name) }

// Damaged records a Damaged error: the attribute cannot be decoded. want describes a
// valid value.
func (a *Attributes) Damaged(name, want string) {
	if a.err == nil {
		a.err = Errorf(Damaged, "The item %s / %s cannot be read: its %s is not %s.", a.root.Text(AttrPK), a.root.Text(AttrSK), name, want)
	}
}

// Refuse records an Invalid error: the value must not be encoded, because it could
// not be decoded later. want describes a valid value.
func (a *Attributes) Refuse(name, want string) {
	if a.err == nil {
		a.err = Errorf(Invalid, "%s is too large: it must be %s.", name, want)
	}
}

// FromKey decodes a field from a key attribute. It removes the prefix: c#12345
// becomes 12345. Encoding ignores FromKey, because keys are built from the templates
// of the schema.
func (a *Attributes) FromKey(name, prefix string, v *string) {
	if a.Decoding() {
		*v = a.AfterPrefix(name, prefix)
	}
}

// AfterPrefix returns the rest of a key attribute after the prefix, or "" if the key
// does not have the prefix. Call it only while decoding.
func (a *Attributes) AfterPrefix(name, prefix string) string {
	rest, ok := strings.CutPrefix(a.source.Text(name), prefix)
	if !ok {
		return ""
	}
	return rest
}

// Text encodes or decodes a string. Decoding also accepts a number.
func (a *Attributes) Text(name string, v *string) {
	if a.Decoding() {
		*v = a.source.Text(name)
		return
	}
	a.list(name, Text)
	a.set(name, *v)
}

func (a *Attributes) set(name, text string) {
	if text == "" {
		return
	}
	if len(a.texts) == cap(a.texts) {
		a.texts = make([]types.AttributeValueMemberS, 0, 8)
	}
	a.texts = append(a.texts, types.AttributeValueMemberS{Value: text})
	a.item[name] = &a.texts[len(a.texts)-1]
}

// Number encodes or decodes a whole number up to MaxNumber, including 0. Decoding
// also accepts a string, because published sample data contains numbers as strings.
func (a *Attributes) Number(name string, v *int) {
	if !a.Decoding() {
		a.list(name, Whole)
		if *v > MaxNumber || *v < -MaxNumber {
			a.Refuse(name, "a whole number of at most seven digits")
		}
		a.item[name] = NumberValue(strconv.Itoa(*v))
		return
	}
	text := a.source.Text(name)
	if text == "" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > MaxNumber || n < -MaxNumber {
		a.Damaged(name, "a whole number of at most seven digits")
		return
	}
	*v = n
}

// Count encodes or decodes any int, including 0. Use it for numbers that grow with
// every change, such as a number of orders or a version.
func (a *Attributes) Count(name string, v *int) {
	if !a.Decoding() {
		a.list(name, Whole)
		a.item[name] = NumberValue(strconv.Itoa(*v))
		return
	}
	text := a.source.Text(name)
	if text == "" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		a.Damaged(name, "a whole number")
		return
	}
	*v = n
}

// OptionalNumber is like Number, but omits 0.
func (a *Attributes) OptionalNumber(name string, v *int) {
	if a.Decoding() || *v != 0 {
		a.Number(name, v)
		return
	}
	a.list(name, Whole)
}

// Version encodes or decodes the entity's Version, which every change increments.
func (a *Attributes) Version(v *int) { a.Count(AttrVersion, v) }

// FixedVersion encodes Version 1. Use it for entities that never change.
func (a *Attributes) FixedVersion() {
	if !a.Decoding() {
		one := 1
		a.Version(&one)
	}
}

// WriteDecimal encodes a decimal number that is given as text. It omits "".
func (a *Attributes) WriteDecimal(name, text string) {
	a.list(name, Money)
	if text != "" {
		a.item[name] = NumberValue(text)
	}
}

// Time encodes or decodes a time in whole seconds.
func (a *Attributes) Time(name string, v *time.Time) {
	if a.Decoding() {
		a.readTime(name, v, ParseTime)
		return
	}
	a.list(name, Instant)
	a.set(name, key.Time(*v))
}

// Date encodes or decodes a calendar day, which the item stores as 2006-01-02 and the
// field as midnight UTC. Decoding drops the time of day and the time zone; see ParseDate.
func (a *Attributes) Date(name string, v *time.Time) {
	if a.Decoding() {
		a.readTime(name, v, ParseDate)
		return
	}
	a.list(name, Day)
	if !v.IsZero() {
		a.set(name, v.Format(key.Day))
	}
}

func (a *Attributes) readTime(name string, v *time.Time, parse func(string) (time.Time, error)) {
	text := a.source.Text(name)
	if text == "" {
		return
	}
	t, err := parse(text)
	if err != nil {
		a.Damaged(name, "a time")
		return
	}
	*v = t
}

// Seconds encodes or decodes a time as seconds since 1970, the format that Time to
// Live requires.
func (a *Attributes) Seconds(name string, v *time.Time) {
	if !a.Decoding() {
		a.list(name, Seconds)
		if !v.IsZero() {
			a.item[name] = NumberValue(strconv.FormatInt(v.Unix(), 10))
		}
		return
	}
	text := a.source.Text(name)
	if text == "" {
		return
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		a.Damaged(name, "a time in seconds")
		return
	}
	*v = time.Unix(seconds, 0).UTC()
}

// lastSecond is the end of the year 9999. The year of a later time would have five
// digits.
const lastSecond = 253402300799

// Flag encodes or decodes a boolean. It omits false.
func (a *Attributes) Flag(name string, v *bool) {
	if a.Decoding() {
		*v = a.source.flag(name)
		return
	}
	a.list(name, Flag)
	if *v {
		a.item[name] = &types.AttributeValueMemberBOOL{Value: true}
	}
}

// Texts encodes or decodes a list of strings. Decoding also accepts a set of
// strings.
func (a *Attributes) Texts(name string, v *[]string) {
	if a.Decoding() {
		*v = a.source.texts(name)
		return
	}
	a.list(name, Texts)
	if len(*v) == 0 {
		return
	}
	values := make([]types.AttributeValue, len(*v))
	for i, text := range *v {
		values[i] = StringValue(text)
	}
	a.item[name] = &types.AttributeValueMemberL{Value: values}
}

// Nested encodes or decodes a map of attributes. It omits an empty map.
func (a *Attributes) Nested(name string, attributes func(*Attributes)) {
	if a.Decoding() {
		outer := a.source
		if a.source = outer.nested(name); a.source != nil {
			attributes(a)
		}
		a.source = outer
		return
	}
	inner, parts := a.writeNested(attributes)
	a.list(name, Group, parts...)
	if len(inner) > 0 {
		a.item[name] = &types.AttributeValueMemberM{Value: inner}
	}
}

func (a *Attributes) writeNested(attributes func(*Attributes)) (Item, []Attribute) {
	outer := *a
	a.item = Item{}
	if a.Listing() {
		a.listed = &[]Attribute{}
	}
	attributes(a)
	inner := *a
	a.item, a.listed = outer.item, outer.listed
	if inner.listed == nil {
		return inner.item, nil
	}
	return inner.item, *inner.listed
}

// Slice encodes or decodes a list of maps, one for each element.
func Slice[T any](a *Attributes, name string, v *[]T, attributes func(*T, *Attributes)) {
	if a.Decoding() {
		outer := a.source
		for _, element := range outer.maps(name) {
			var t T
			a.source = element
			attributes(&t, a)
			*v = append(*v, t)
		}
		a.source = outer
		return
	}
	if a.Listing() {
		var none T
		_, parts := a.writeNested(func(a *Attributes) { attributes(&none, a) })
		a.list(name, Groups, parts...)
	}
	if len(*v) == 0 {
		return
	}
	values := make([]types.AttributeValue, len(*v))
	for i := range *v {
		inner, _ := a.writeNested(func(a *Attributes) { attributes(&(*v)[i], a) })
		values[i] = &types.AttributeValueMemberM{Value: inner}
	}
	a.item[name] = &types.AttributeValueMemberL{Value: values}
}

// AttributeKind is the kind of value that an attribute holds. It is more specific
// than the DynamoDB type.
type AttributeKind int

// The kinds of attributes.
const (
	Text    AttributeKind = iota
	Whole                 // an int
	Money                 // a decimal number
	Instant               // a time in whole seconds
	Day                   // a calendar day
	Seconds               // a time in seconds since 1970, for Time to Live
	Flag                  // true or omitted
	Texts                 // a list of strings
	Group                 // a map of attributes
	Groups                // a list of maps of attributes
)

// Attribute describes one attribute of an entity's items.
type Attribute struct {
	Name  string
	Kind  AttributeKind
	Parts []Attribute // the attributes of a Group, or of each element of Groups
}

func (a *Attributes) list(name string, kind AttributeKind, parts ...Attribute) {
	if a.Listing() {
		*a.listed = append(*a.listed, Attribute{name, kind, parts})
	}
}
