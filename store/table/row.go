package table

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/row"
)

// Row is an item that was read. An attribute that is missing or has another type reads
// as the zero value.
type Row interface {
	// Text returns a string, or the digits of a number.
	Text(name string) string
	// Has reports whether the item has the attribute.
	Has(name string) bool
	// Item returns the SDK's representation of the item.
	Item() Item

	flag(name string) bool
	texts(name string) []string
	nested(name string) Row // nil if the attribute is not a map
	maps(name string) []Row // the maps in a list
}

// RowReader is an optional interface of a DB that can read items as rows, which are
// faster to decode. Its methods are like Query, GetItem and BatchGetItem, except that the
// responses have no items.
type RowReader interface {
	QueryRows(context.Context, *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error)
	// GetRow returns nil if there is no such item.
	GetRow(context.Context, *dynamodb.GetItemInput) (row.Row, *dynamodb.GetItemOutput, error)
	// BatchGetRows returns the rows of each table.
	BatchGetRows(context.Context, *dynamodb.BatchGetItemInput) (map[string][]row.Row, *dynamodb.BatchGetItemOutput, error)
}

// RowOf returns an item as a row, or nil for a nil item.
func RowOf(item Item) Row {
	if item == nil {
		return nil
	}
	return itemRow(item)
}

func rowsOf(items []Item) []Row {
	rows := make([]Row, len(items))
	for i, item := range items {
		rows[i] = RowOf(item)
	}
	return rows
}

// itemRow is a row in the SDK's representation.
type itemRow Item

func (r itemRow) Item() Item { return Item(r) }

func (r itemRow) Has(name string) bool { return r[name] != nil }

func (r itemRow) Text(name string) string {
	switch v := r[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func (r itemRow) flag(name string) bool {
	v, _ := r[name].(*types.AttributeValueMemberBOOL)
	return v != nil && v.Value
}

func (r itemRow) texts(name string) []string {
	switch v := r[name].(type) {
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

func (r itemRow) nested(name string) Row {
	m, ok := r[name].(*types.AttributeValueMemberM)
	if !ok {
		return nil
	}
	return itemRow(m.Value)
}

func (r itemRow) maps(name string) []Row {
	list, ok := r[name].(*types.AttributeValueMemberL)
	if !ok {
		return nil
	}
	all := make([]Row, 0, len(list.Value))
	for _, member := range list.Value {
		if m, ok := member.(*types.AttributeValueMemberM); ok {
			all = append(all, itemRow(m.Value))
		}
	}
	return all
}

type storedRow row.Row

// storedRows converts the rows of a response. The results share the memory of found.
func storedRows(found []row.Row) []Row {
	rows := make([]Row, len(found))
	for i := range found {
		rows[i] = (*storedRow)(&found[i])
	}
	return rows
}

func (r *storedRow) Item() Item { return row.Row(*r).Item() }

func (r *storedRow) find(name string) row.Value {
	if at := row.Row(*r).Find(name); at >= 0 {
		return (*r)[at]
	}
	return row.Value{}
}

func (r *storedRow) Has(name string) bool { return row.Row(*r).Find(name) >= 0 }

func (r *storedRow) Text(name string) string {
	if v := r.find(name); v.Kind == row.String || v.Kind == row.Number {
		return v.Text
	}
	return ""
}

func (r *storedRow) flag(name string) bool { return r.find(name).True }

// inside returns the elements of an attribute that is a list, a map or a set, or false if
// the attribute has none of the kinds.
func (r *storedRow) inside(name string, kinds ...row.Kind) (row.Row, bool) {
	at := row.Row(*r).Find(name)
	if at < 0 || !slices.Contains(kinds, (*r)[at].Kind) {
		return nil, false
	}
	return row.Row(*r).Inside(at), true
}

func (r *storedRow) texts(name string) []string {
	parts, ok := r.inside(name, row.StringSet, row.List)
	if !ok {
		return nil
	}
	texts := make([]string, 0, len(parts))
	for i := 0; i < len(parts); i = parts.Next(i) {
		if parts[i].Kind == row.String {
			texts = append(texts, parts[i].Text)
		}
	}
	return texts
}

func (r *storedRow) nested(name string) Row {
	parts, ok := r.inside(name, row.Map)
	if !ok {
		return nil
	}
	inner := storedRow(parts)
	return &inner
}

func (r *storedRow) maps(name string) []Row {
	parts, ok := r.inside(name, row.List)
	if !ok {
		return nil
	}
	all := make([]Row, 0, len(parts))
	for i := 0; i < len(parts); i = parts.Next(i) {
		if parts[i].Kind == row.Map {
			element := parts.Inside(i)
			all = append(all, (*storedRow)(&element))
		}
	}
	return all
}
