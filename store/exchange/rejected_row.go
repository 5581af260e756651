package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// RejectedRow is a row that was not imported.
type RejectedRow struct {
	Row
	Reason string // a sentence for the user who imports the file
}

// ErrRejectedFull is returned by RejectedWriter.Write if the file would become too
// large.
var ErrRejectedFull = fmt.Errorf("the file of rejected rows is limited to %d MB", maxRejected>>20)

// maxRejected is the default limit of a RejectedWriter, in bytes.
const maxRejected = 128 << 20

// RejectedWriter writes rejected rows to a file, so that users can correct and import
// them again. It writes CSV with the original columns and a reason, or JSON Lines
// with the original items. It masks card numbers in payment data.
type RejectedWriter struct {
	out     io.Writer
	file    string
	written int
	limit   int
}

// NewRejectedWriter returns a writer for the rejected rows of a file.
func NewRejectedWriter(out io.Writer, file string) *RejectedWriter {
	return &RejectedWriter{out: out, file: file, limit: maxRejected}
}

// IsCSV reports whether a RejectedWriter writes the row as CSV. Otherwise it writes JSON.
func (r *Row) IsCSV() bool { return r.csv != nil }

// Write writes a row. It returns ErrRejectedFull if the file would become too large.
func (w *RejectedWriter) Write(r *RejectedRow) error {
	var line []byte
	if r.IsCSV() {
		line = w.appendCSV(nil, r)
	} else {
		line = w.appendJSON(nil, r)
	}
	if w.written+len(line) > w.limit {
		return ErrRejectedFull
	}
	w.written += len(line)
	_, err := w.out.Write(line)
	return err
}

// reasonColumn is the name of the column with the reason in a CSV file of rejected
// rows. Imports ignore this column.
const reasonColumn = "Reason"

func (w *RejectedWriter) appendCSV(buf []byte, r *RejectedRow) []byte {
	f := r.csv
	if w.written == 0 {
		if f.marked { // the next import then ignores the encoding in its options
			buf = append(buf, utf8Mark...)
		}
		cells := make([]csvfile.Cell, len(f.names()))
		for i, name := range f.names() {
			cells[i] = escaped(name)
		}
		buf = csvfile.AppendRecordWith(buf, append(cells, csvfile.Plain(reasonColumn)), f.comma)
	}
	cells := make([]csvfile.Cell, 0, len(r.cells)+1)
	names := len(f.names())
	for i, value := range r.cells {
		if i == names && i < len(f.header) {
			continue // leave out the reason from an earlier import
		}
		if f.isPaymentData(i) {
			value = store.MaskCardNumbers(value)
		}
		if f.dependsOnDecimal(i) {
			value = unambiguous(value, f.decimal)
		}
		cells = append(cells, escaped(strings.ToValidUTF8(value, "�")))
	}
	for len(cells) < names {
		cells = append(cells, csvfile.Cell{})
	}
	// If the row has more cells than the header, the reason still has its own column.
	cells = slices.Insert(cells, names, csvfile.Text(r.MaskedReason()))
	return csvfile.AppendRecordWith(buf, cells, f.comma)
}

// escaped returns a cell of a CSV file as a cell that a spreadsheet does not run as a
// formula. An import reads the same value from it. Numbers such as -5 are not formulas, so
// they remain as they are.
func escaped(cell string) csvfile.Cell {
	if signedNumber.MatchString(withoutSpaces(strings.TrimSpace(cell))) {
		return csvfile.Plain(cell)
	}
	return csvfile.Text(csvfile.Unescape(cell))
}

var signedNumber = regexp.MustCompile(`^[+-][0-9.,]+$`)

// IsPaymentData reports whether an attribute may contain a card number.
func IsPaymentData(attribute string) bool { return slices.Contains(paymentData, attribute) }

// MaskValue masks the card numbers in a value. The argument attribute is the name of
// the attribute, such as PaymentDetails.Card. If the attribute may contain a card
// number, MaskValue masks every number that is as long as one.
func MaskValue(attribute, value string) string {
	if slices.ContainsFunc(strings.Split(attribute, "."), IsPaymentData) {
		return store.MaskCardNumbers(value)
	}
	return store.MaskLikelyCards(value)
}

// isPaymentData reports whether the cells of a column may contain card numbers: the
// column is for payment data or, in a file with a mapping, any of its columns is.
func (f *csvFile) isPaymentData(at int) bool {
	if f.mapper != nil {
		return slices.ContainsFunc(f.columns, (*column).isPaymentData)
	}
	return at < len(f.columns) && f.columns[at].isPaymentData()
}

// dependsOnDecimal reports whether a column is for numbers that the file of rejected rows
// must write unambiguously. Their meaning can depend on the decimal separator of the file,
// which may be clear only from rows that are not rejected. With a mapping, the meaning of
// a number does not depend on other rows.
func (f *csvFile) dependsOnDecimal(at int) bool {
	return f.mapper == nil && f.decimal != 0 && at < len(f.columns) && (f.columns[at].kind == store.Money || f.columns[at].kind == store.Whole)
}

func (c *column) isPaymentData() bool {
	return slices.ContainsFunc(c.path, IsPaymentData)
}

// paymentData lists the attributes that may contain a card number.
var paymentData = []string{"Data", "PaymentDetails"}

// MaskedReason returns the reason with masked card numbers. If the row can be about a
// payment, MaskedReason masks every number that is as long as a card number.
func (r *RejectedRow) MaskedReason() string {
	switch r.Entity {
	case "invoice-payments", kindPayment, kindInvoice, kindSubscription, "":
		return store.MaskCardNumbers(r.Reason)
	}
	return store.MaskLikelyCards(r.Reason)
}

// appendJSON appends a line of the form {"Item": {…}, "Rejected": {…}}. If the row is a
// line that cannot be read as an item, appendJSON writes the members of that line instead
// of Item.
func (w *RejectedWriter) appendJSON(buf []byte, r *RejectedRow) []byte {
	about, _ := json.Marshal(struct {
		File, Table string `json:",omitempty"`
		Row         int
		Reason      string
	}{w.file, r.Table, r.Number, r.MaskedReason()}) // cannot fail for strings
	raw := maskedJSON(r.rawItem())
	if isLine(raw) {
		buf = append(buf, raw[:len(raw)-1]...)
	} else {
		buf = append(append(buf, `{"Item":`...), raw...)
	}
	return append(append(append(buf, `,"Rejected":`...), about...), "}\n"...)
}

// isLine reports whether raw is a whole line of JSON Lines. Otherwise it is only an item.
func isLine(raw []byte) bool {
	p := jsonParser{text: raw}
	if !p.skip('{') {
		return false
	}
	name, err := p.string()
	return err == nil && (name == "Item" || slices.Contains(incrementalNames, name))
}

// rawItem returns the JSON of the row, with the names that keys have in this table.
func (r *Row) rawItem() []byte {
	if r.keys == (keyNames{}) || r.keys == (keyNames{"PK", "SK"}) {
		return r.raw
	}
	item, err := parseItem(r.raw)
	if err != nil {
		return r.raw
	}
	r.keys.rename(item)
	return appendItem(nil, item)
}

// maskedJSON returns JSON on one line. It masks card numbers in payment data. Text that
// is not JSON becomes a JSON string.
func maskedJSON(raw []byte) []byte {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		line.Reset()
		quoted, _ := json.Marshal(strings.ToValidUTF8(string(raw), "�")) // cannot fail for strings
		line.Write(quoted)
	}
	if !slices.ContainsFunc(paymentData, func(name string) bool { return bytes.Contains(raw, []byte(name)) }) {
		return line.Bytes()
	}
	d := json.NewDecoder(bytes.NewReader(line.Bytes()))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return line.Bytes()
	}
	text, isText := value.(string) // true if raw is not valid JSON
	if isText {
		value = store.MaskCardNumbers(text)
	}
	masked, err := json.Marshal(mask(value, false))
	if err != nil {
		return line.Bytes()
	}
	return masked
}

// mask masks card numbers in strings and numbers of payment data. A masked number becomes a
// string.
func mask(value any, inPayment bool) any {
	switch v := value.(type) {
	case string:
		if inPayment {
			return store.MaskCardNumbers(v)
		}
	case json.Number:
		if text := store.MaskCardNumbers(v.String()); inPayment && text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = mask(v[i], inPayment)
		}
	case map[string]any:
		for name := range v {
			v[name] = mask(v[name], inPayment || IsPaymentData(name))
		}
	}
	return value
}
