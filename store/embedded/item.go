package embedded

import (
	"maps"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// maxItem is the largest item that DynamoDB stores, in bytes by its own rule.
const maxItem = 400 << 10

// normalized returns item with its numbers in the form in which they are stored
// and returned, and refuses values that DynamoDB does not take. It is item
// itself if nothing had to change.
func normalized(item Item) (Item, error) {
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

// stored is an item as one state of it: before a write, or after.
type stored struct {
	item Item // what is decoded of it; nil if there is no item
	body []byte
}

// size is the item's size in bytes by DynamoDB's rule, 0 if there is none.
func (s *stored) size() int { return codec.SizeOfStored(s.body) }

// load reads the item under a table key: all of it, or only what wanted says.
func (w *writeTx) load(t *table, key []byte, wanted *codec.Wanted) (stored, error) {
	body, found, err := t.items.get(w.bolt, key)
	if err != nil || !found {
		return stored{}, err
	}
	decoder := codec.NewDecoder(t.names)
	if wanted != nil {
		decoder = wanted.Decoder()
	}
	return t.decodeBody(decoder, key, body)
}

// decode reads a whole item of the table's own keyspace.
func (t *table) decode(key, value []byte) (stored, error) {
	body, err := t.items.unseal(key, value)
	if err != nil {
		return stored{}, err
	}
	return t.decodeBody(codec.NewDecoder(t.names), key, body)
}

func (t *table) decodeBody(decoder *codec.Decoder, key, body []byte) (stored, error) {
	item, err := decoder.Item(body)
	if err != nil {
		return stored{}, t.items.damaged(key, err.Error())
	}
	return stored{item, body}, nil
}
