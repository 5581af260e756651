package exchange

import (
	"bytes"
	"encoding/json"
	"io"

	"stockroom/store"
)

// WriteRefused writes rows that were refused as JSON lines: file, table, row,
// reason and the item as it stood there, without card numbers.
func WriteRefused(w io.Writer, file string, refused []Refused) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range refused {
		item, err := masked(r.json())
		if err != nil {
			return err
		}
		err = out.Encode(struct {
			File   string `json:"file"`
			Table  string `json:"table"`
			Row    int    `json:"row"`
			Reason string `json:"reason"`
			Item   any    `json:"item"`
		}{file, r.Table, r.Number, store.LastFour(r.Reason), item})
		if err != nil {
			return err
		}
	}
	return nil
}

// masked is a JSON value whose texts and numbers keep of a card number its
// last four digits. They are masked one by one and not in the JSON as it
// stands, where digits of neighbours could be taken for one number, and where
// a mask in the place of a bare number would be no JSON.
func masked(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	return mask(value), nil
}

func mask(value any) any {
	switch v := value.(type) {
	case string:
		return store.LastFour(v)
	case json.Number:
		if text := store.LastFour(v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = mask(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = mask(v[name])
		}
	}
	return value
}
