package exchange

import (
	"bytes"
	"encoding/json"
	"io"

	"stockroom/store"
)

// RejectedRow is a row that was not imported.
type RejectedRow struct {
	Row
	Reason string // a sentence for the person who imports the file
}

// WriteRejected writes rejected rows as JSON Lines with file, table, row,
// reason and the item as in the file. It masks card numbers.
func WriteRejected(w io.Writer, file string, rows []RejectedRow) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range rows {
		item, err := maskedJSON(r.json())
		if err != nil {
			return err
		}
		err = out.Encode(struct {
			File   string `json:"file"`
			Table  string `json:"table"`
			Row    int    `json:"row"`
			Reason string `json:"reason"`
			Item   any    `json:"item"`
		}{file, r.Table, r.Number, store.MaskCardNumbers(r.Reason), item})
		if err != nil {
			return err
		}
	}
	return nil
}

// maskedJSON decodes a JSON value and masks each text and number in it. Masking
// the JSON itself could join the digits of two values, and a masked number is
// not JSON.
func maskedJSON(raw []byte) (any, error) {
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
		return store.MaskCardNumbers(v)
	case json.Number:
		if text := store.MaskCardNumbers(v.String()); text != v.String() {
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
