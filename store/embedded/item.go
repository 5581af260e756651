package embedded

import (
	"maps"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// maxItemBytes is the maximum size of an item. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const maxItemBytes = 400 << 10

// normalizeItem returns item with its numbers in canonical form. If nothing changes,
// the result is the same map. It returns a ValidationException for values that
// DynamoDB does not accept.
func normalizeItem(item Item) (Item, error) {
	result, copied := item, false
	for name, value := range item {
		normal, err := expr.NormalizeValue(value)
		if err != nil {
			return nil, invalid(err)
		}
		if normal == value {
			continue
		}
		if !copied {
			result, copied = maps.Clone(item), true
		}
		result[name] = normal
	}
	return result, nil
}

// storedItem is the state of an item before or after a write.
type storedItem struct {
	item Item // decoded attributes, possibly only some; nil if the item does not exist
	body []byte
}

// size returns the size of the item in bytes by DynamoDB's rules, or 0 if there is
// no item.
func (s *storedItem) size() int { return codec.SizeOfStored(s.body) }

// load reads the item with a table key. It decodes the selected attributes, or all
// if selected is nil.
func (w *writeTx) load(t *table, key []byte, selected *codec.Selection) (storedItem, error) {
	body, found, err := w.get(t.items, key)
	if err != nil || !found {
		return storedItem{}, err
	}
	decoder := codec.NewDecoder(t.names)
	if selected != nil {
		decoder = selected.Decoder()
	}
	return t.decodeBody(decoder, key, body)
}

// decode decodes all attributes of an item from the keyspace of the items.
func (t *table) decode(key, value []byte) (storedItem, error) {
	body, err := t.items.unseal(key, value)
	if err != nil {
		return storedItem{}, err
	}
	return t.decodeBody(codec.NewDecoder(t.names), key, body)
}

func (t *table) decodeBody(decoder *codec.Decoder, key, body []byte) (storedItem, error) {
	item, err := decoder.Item(body)
	if err != nil {
		return storedItem{}, t.items.damaged(key, err.Error())
	}
	return storedItem{item, body}, nil
}
