package store

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// AttributeKind says what an attribute holds, whatever DynamoDB's type of it.
type AttributeKind int

// The kinds of attributes.
const (
	Text    AttributeKind = iota
	Whole                 // a whole number
	Money                 // an Amount
	Instant               // a time, in whole seconds
	Seconds               // a time as Time to Live reads it
	Flag                  // true, or left off
	Texts                 // a list of texts
	Group                 // attributes within an attribute
	Groups                // a list of such
)

// Attribute is one attribute of the items of an entity.
type Attribute struct {
	Name  string
	Kind  AttributeKind
	Parts []Attribute // of a Group or of each of Groups
}

// Attributes lists what the items of an entity may hold besides their keys,
// in the order in which the entity writes them. It is asked of the entity's
// own writer, so it cannot say anything else than what is written.
func (d *Definition) Attributes() []Attribute {
	blank, _ := d.decode(Item{}) // without a key it is damaged, but its writer is there
	if blank == nil {
		return nil
	}
	a := attributes{item: Item{}, noted: &[]Attribute{}}
	blank.write(&a)
	return a.parts()
}

// note notes that an attribute could be written here.
func (a *attributes) note(name string, kind AttributeKind, parts ...Attribute) {
	if a.noted != nil {
		*a.noted = append(*a.noted, Attribute{name, kind, parts})
	}
}

// within collects the parts of an attribute, noting them where a does.
func (a *attributes) within() attributes {
	inner := attributes{item: Item{}}
	if a.noted != nil {
		inner.noted = &[]Attribute{}
	}
	return inner
}

func (a *attributes) parts() []Attribute {
	if a.noted == nil {
		return nil
	}
	return *a.noted
}

// Lost names the first attribute of an item that the entity made of it would
// not write the same, or that it would add; "" where the entity says what the
// item says and nothing else. Keys of indexes follow from the rest, and the
// version counts changes: neither is compared.
func Lost(item Item, e Entity) string {
	a := attributes{item: make(Item, len(item))}
	e.write(&a)
	for name, value := range a.item {
		if name != attrVersion && !sameValue(item[name], value) || item[name] == nil {
			return name
		}
	}
	for name := range item {
		if a.item[name] == nil && !ofKeys(name) {
			return name
		}
	}
	return ""
}

// ofKeys holds for what an item has besides what its entity writes.
func ofKeys(name string) bool {
	return name == attrPK || name == attrSK || name == attrType ||
		strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}

// sameValue compares values of the types that entities write.
func sameValue(a, b types.AttributeValue) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, same := b.(*types.AttributeValueMemberS)
		return same && a.Value == b.Value
	case *types.AttributeValueMemberN:
		b, same := b.(*types.AttributeValueMemberN)
		return same && a.Value == b.Value
	case *types.AttributeValueMemberBOOL:
		b, same := b.(*types.AttributeValueMemberBOOL)
		return same && a.Value == b.Value
	case *types.AttributeValueMemberL:
		b, same := b.(*types.AttributeValueMemberL)
		return same && slices.EqualFunc(a.Value, b.Value, sameValue)
	case *types.AttributeValueMemberM:
		b, same := b.(*types.AttributeValueMemberM)
		return same && maps.EqualFunc(a.Value, b.Value, sameValue)
	}
	return false
}
