package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// readDocuments reads JSON documents, one after the other:
//
//   - {"Items": [{…}], "Count": 1, …}, the output of aws dynamodb scan and query:
//     https://docs.aws.amazon.com/cli/latest/reference/dynamodb/scan.html
//   - {"Item": {…}} of get-item, {"Responses": {"Table": [{…}]}} of batch-get-item
//   - {"Table": [{"PutRequest": {"Item": {…}}}]}, the requests of batch-write-item:
//     https://docs.aws.amazon.com/cli/latest/reference/dynamodb/batch-write-item.html
//   - [{…}], a list of items, as --query Items returns it
func readDocuments(in io.Reader) func(*itemReader) error {
	return func(r *itemReader) error {
		limited := &elementReader{in: in}
		return (&documentReader{itemReader: r, in: json.NewDecoder(limited), limited: limited}).read()
	}
}

type documentReader struct {
	*itemReader
	in      *json.Decoder
	limited *elementReader // the reader from which the decoder in reads; it limits the size of values
	rows    int
}

// maxElement is the maximum size, in bytes, of an item or other value of a document.
// The JSON of an item of 400 KB can be several times as long.
const maxElement = 4 << 20

// elementReader limits how many bytes a decoder reads for one value, because the decoder
// keeps the whole value in memory.
type elementReader struct {
	in   io.Reader
	read int // bytes read since the start of the value
}

func (r *elementReader) Read(p []byte) (int, error) {
	if r.read > maxElement {
		return 0, documentError(fmt.Sprintf("a value is longer than %d MB", maxElement>>20))
	}
	n, err := r.in.Read(p)
	r.read += n
	return n, err
}

// next reports whether the object or array has another value. It resets the limit
// for this value.
func (d *documentReader) next() bool {
	d.limited.read = 0
	return d.in.More()
}

// errStopped means that the caller wants no more batches.
var errStopped = errors.New("stopped")

func (d *documentReader) read() error {
	for {
		token, err := d.in.Token()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = d.readDocument(token)
		}
		if err == errStopped {
			return nil
		}
		if err != nil {
			return d.documentError(err)
		}
	}
}

func (d *documentReader) documentError(err error) error {
	var syntax *json.SyntaxError
	var form documentError
	if errors.As(err, &form) || errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &FileError{File: d.file, Reason: fmt.Sprintf("can't read the JSON after item %d: %v", d.rows, err)}
	}
	return d.fileError(0, err)
}

// documentError means that the JSON has an unexpected structure, or a value that is too
// long.
type documentError string

func (e documentError) Error() string { return string(e) }

func (d *documentReader) readDocument(start json.Token) error {
	switch start {
	case json.Delim('['):
		return d.readElements("")
	case json.Delim('{'):
		return d.readMembers("")
	}
	return documentError(fmt.Sprintf("expected an object, got %v", start))
}

// readMembers reads the members of an object. These are the fields of a command's output,
// or lists of items by table name.
func (d *documentReader) readMembers(table string) error {
	for d.next() {
		token, err := d.in.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		switch name {
		case "Item":
			err = d.readItem(table)
		case "Items":
			err = d.readList(table)
		case "Responses", "RequestItems", "UnprocessedItems":
			err = d.readTables()
		case "Count", "ScannedCount", "ConsumedCapacity", "LastEvaluatedKey", "NextToken", "UnprocessedKeys", "ResponseMetadata", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "ItemCollectionMetrics":
			err = d.in.Decode(new(json.RawMessage))
		default: // the name is that of a table
			err = d.readList(name)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.in.Token()
	return err
}

// readTables reads an object that maps table names to lists of items.
func (d *documentReader) readTables() error {
	if token, err := d.in.Token(); err != nil || token != json.Delim('{') {
		return orForm(err, "expected an object with a list of items for each table")
	}
	return d.readMembers("")
}

func (d *documentReader) readList(table string) error {
	if token, err := d.in.Token(); err != nil || token != json.Delim('[') {
		return orForm(err, fmt.Sprintf("expected a list of items in %s", store.Quoted(table)))
	}
	return d.readElements(table)
}

func orForm(err error, form string) error {
	if err != nil {
		return err
	}
	return documentError(form)
}

func (d *documentReader) readElements(table string) error {
	for d.next() {
		if err := d.readItem(table); err != nil {
			return err
		}
	}
	_, err := d.in.Token()
	return err
}

// readItem reads an item, or a request to put or delete an item.
func (d *documentReader) readItem(table string) error {
	if d.out.stopped {
		return errStopped
	}
	var raw json.RawMessage
	if err := d.in.Decode(&raw); err != nil {
		return err
	}
	d.rows++
	row := Row{Table: table, Number: d.rows, raw: raw}
	if !utf8.Valid(raw) {
		row.raw = []byte("null")
		d.reject(row, "Can't read the item: "+csvfile.ErrEncoding.Error()+".")
		return nil
	}
	item, raw, err := parseRequest(raw)
	var deleted errDeleted
	switch {
	case errors.As(err, &deleted):
		d.reject(row, deleted.Error())
	case err != nil:
		d.reject(row, "Can't read the item: "+err.Error()+".")
	default:
		row.raw = raw
		return d.addItem(row, item)
	}
	return nil
}

// parseRequest returns the item of a put request, or the item itself. For a delete request,
// it returns errDeleted.
func parseRequest(raw []byte) (store.Item, []byte, error) {
	p := jsonParser{text: raw}
	if !p.skip('{') {
		return nil, raw, errNotItem
	}
	switch name, _ := p.string(); name {
	case "PutRequest":
		var request struct {
			PutRequest struct{ Item json.RawMessage }
		}
		if err := json.Unmarshal(raw, &request); err != nil || request.PutRequest.Item == nil {
			return nil, raw, errNotItem
		}
		raw = request.PutRequest.Item
	case "DeleteRequest":
		var request struct {
			DeleteRequest struct{ Key json.RawMessage }
		}
		_ = json.Unmarshal(raw, &request) // after an error, the request has no key
		key, err := parseItem(request.DeleteRequest.Key)
		if err == nil {
			err = deletedItem(key)
		}
		return nil, raw, err
	}
	item, err := parseItem(raw)
	return item, raw, err
}
