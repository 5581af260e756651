package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// hasItems reports whether a CSV file contains DynamoDB items. Such a file has
// columns named PK and SK, and a column for each attribute.
func hasItems(in *bufio.Reader) bool {
	start, _ := in.Peek(16 << 10) // Peek returns an error if the file is shorter, which does not matter
	line, _, _ := bytes.Cut(start, []byte("\n"))
	header, err := csvfile.NewReader(bufio.NewReader(bytes.NewReader(line))).Read()
	return err == nil && slices.Contains(header, "PK") && slices.Contains(header, "SK")
}

// readItemCSV reads query results that NoSQL Workbench or the DynamoDB console saved
// as CSV. Cells contain text and numbers unchanged. Maps and lists are JSON, with or
// without DynamoDB's types. Neither program documents the format. For NoSQL Workbench, only
// the steps of the export are documented:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.querybuilder.exportcsv.html
func readItemCSV(in io.Reader) func(*itemReader) error {
	return func(r *itemReader) error {
		return (&itemCSVReader{itemReader: r, records: csvfile.NewReader(bufio.NewReader(in))}).read()
	}
}

type itemCSVReader struct {
	*itemReader
	records *csvfile.Reader
	header  []string
}

func (r *itemCSVReader) read() (err error) {
	if r.header, err = r.records.Read(); err != nil {
		return err
	}
	for n := 2; !r.out.stopped; n++ { // row numbers as in spreadsheets: the header is row 1
		cells, err := r.records.Read()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, csvfile.ErrTooLong) || errors.Is(err, io.ErrUnexpectedEOF):
			return &FileError{File: r.file, Reason: fmt.Sprintf("can't read row %d and the rows after it: %v", n, err)}
		case err != nil && !errors.Is(err, csvfile.ErrQuote) && !errors.Is(err, csvfile.ErrEncoding):
			return r.fileError(n, err)
		case err != nil:
			r.rejectCells(n, cells, "Can't read the row: "+err.Error()+".")
		case len(cells) != len(r.header):
			r.rejectCells(n, cells, wrongWidth(len(cells), len(r.header)))
		default:
			if err := r.addCells(n, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *itemCSVReader) rejectCells(n int, cells []string, reason string) {
	raw, _ := json.Marshal(strings.ToValidUTF8(strings.Join(cells, ","), "�")) // cannot fail for strings
	r.reject(Row{Number: n, raw: raw}, reason)
}

func (r *itemCSVReader) addCells(n int, cells []string) error {
	item := store.Item{}
	for i, name := range r.header {
		if cells[i] == "" {
			continue
		}
		value, err := parseCell(cells[i])
		if err != nil {
			r.rejectCells(n, cells, fmt.Sprintf("Can't read %s: %v.", name, err))
			return nil
		}
		item[name] = value
	}
	if len(item) == 0 {
		return nil
	}
	return r.addItem(Row{Number: n, raw: appendItem(nil, item)}, item)
}

// parseCell converts a cell to a bool, a map, a list or text. It converts a number to text,
// which an import also accepts for number attributes.
func parseCell(cell string) (types.AttributeValue, error) {
	if cell == "true" || cell == "false" {
		return &types.AttributeValueMemberBOOL{Value: cell == "true"}, nil
	}
	if cell[0] != '{' && cell[0] != '[' || !json.Valid([]byte(cell)) {
		return &types.AttributeValueMemberS{Value: cell}, nil
	}
	d := json.NewDecoder(strings.NewReader(cell))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	return attributeOf(value), nil
}

// attributeOf converts a JSON value to an attribute value. An object whose only name
// is a DynamoDB type, such as {"S": "text"}, is a value of that type.
func attributeOf(value any) types.AttributeValue {
	switch v := value.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case json.Number:
		return &types.AttributeValueMemberN{Value: v.String()}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []any:
		list := make([]types.AttributeValue, len(v))
		for i := range v {
			list[i] = attributeOf(v[i])
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		if raw, err := json.Marshal(v); err == nil && len(v) == 1 {
			p := jsonParser{text: raw}
			if typed, err := p.attribute(0); err == nil {
				return typed
			}
		}
		inner := store.Item{}
		for name := range v {
			inner[name] = attributeOf(v[name])
		}
		return &types.AttributeValueMemberM{Value: inner}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}
