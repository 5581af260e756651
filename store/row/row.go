// Package row represents an item as a flat list of attributes. An engine can decode its own
// encoding to such a list. This takes less time and memory than decoding to the SDK's maps.
package row

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item as the SDK represents it.
type Item = map[string]types.AttributeValue

// Row is an item as a list: its attributes in any order, each followed by its parts.
type Row []Value

// Value is an attribute, or a part of a list, set or map.
type Value struct {
	Name  string // "" for parts of lists and sets
	Text  string // string, binary value, or digits of a number
	Parts int32  // number of the following values that are parts of this one, at any depth
	Kind  Kind
	True  bool // the value of a Bool
}

// Kind is the DynamoDB type of a value.
type Kind uint8

// The kinds of values.
const (
	String Kind = iota + 1
	Number
	Binary
	Bool
	Null
	StringSet
	NumberSet
	BinarySet
	List
	Map
)

// Next returns the position after an attribute and its parts.
func (r Row) Next(at int) int { return at + 1 + int(r[at].Parts) }

// Find returns the position of an attribute, or -1.
func (r Row) Find(name string) int {
	for i := 0; i < len(r); i = r.Next(i) {
		if r[i].Name == name {
			return i
		}
	}
	return -1
}

// Inside returns the parts of the value at a position, at any depth.
func (r Row) Inside(at int) Row { return r[at+1 : r.Next(at)] }

// Item returns the SDK's representation of the row.
func (r Row) Item() Item {
	item := make(Item, len(r))
	for i := 0; i < len(r); i = r.Next(i) {
		item[r[i].Name] = r.value(i)
	}
	return item
}

func (r Row) value(at int) types.AttributeValue {
	v, inside := &r[at], r.Inside(at)
	switch v.Kind {
	case String:
		return &types.AttributeValueMemberS{Value: v.Text}
	case Number:
		return &types.AttributeValueMemberN{Value: v.Text}
	case Binary:
		return &types.AttributeValueMemberB{Value: []byte(v.Text)}
	case Bool:
		return &types.AttributeValueMemberBOOL{Value: v.True}
	case Null:
		return &types.AttributeValueMemberNULL{Value: true}
	case StringSet:
		return &types.AttributeValueMemberSS{Value: inside.texts()}
	case NumberSet:
		return &types.AttributeValueMemberNS{Value: inside.texts()}
	case BinarySet:
		set := make([][]byte, len(inside))
		for i := range inside {
			set[i] = []byte(inside[i].Text)
		}
		return &types.AttributeValueMemberBS{Value: set}
	case List:
		list := make([]types.AttributeValue, 0, len(inside))
		for i := 0; i < len(inside); i = inside.Next(i) {
			list = append(list, inside.value(i))
		}
		return &types.AttributeValueMemberL{Value: list}
	case Map:
		return &types.AttributeValueMemberM{Value: inside.Item()}
	}
	return nil
}

func (r Row) texts() []string {
	texts := make([]string, len(r))
	for i := range r {
		texts[i] = r[i].Text
	}
	return texts
}

// Of returns the row of an item.
func Of(item Item) Row {
	r := make(Row, 0, len(item))
	for name, value := range item {
		r = r.add(name, value)
	}
	return r
}

// add appends a value with its parts.
func (r Row) add(name string, value types.AttributeValue) Row {
	at := len(r)
	r = append(r, Value{Name: name})
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		r[at].Kind, r[at].Text = String, v.Value
	case *types.AttributeValueMemberN:
		r[at].Kind, r[at].Text = Number, v.Value
	case *types.AttributeValueMemberB:
		r[at].Kind, r[at].Text = Binary, string(v.Value)
	case *types.AttributeValueMemberBOOL:
		r[at].Kind, r[at].True = Bool, v.Value
	case *types.AttributeValueMemberNULL:
		r[at].Kind = Null
	case *types.AttributeValueMemberSS:
		r[at].Kind = StringSet
		r = r.addTexts(String, v.Value)
	case *types.AttributeValueMemberNS:
		r[at].Kind = NumberSet
		r = r.addTexts(Number, v.Value)
	case *types.AttributeValueMemberBS:
		r[at].Kind = BinarySet
		for _, b := range v.Value {
			r = append(r, Value{Kind: Binary, Text: string(b)})
		}
	case *types.AttributeValueMemberL:
		r[at].Kind = List
		for _, part := range v.Value {
			r = r.add("", part)
		}
	case *types.AttributeValueMemberM:
		r[at].Kind = Map
		for key, part := range v.Value {
			r = r.add(key, part)
		}
	}
	r[at].Parts = int32(len(r) - at - 1)
	return r
}

func (r Row) addTexts(kind Kind, texts []string) Row {
	for _, text := range texts {
		r = append(r, Value{Kind: kind, Text: text})
	}
	return r
}
