package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
)

// jsonForm is the kind of content of a JSON file.
type jsonForm int

const (
	formModel     jsonForm = iota // a NoSQL Workbench model
	formLines                     // one item per line
	formDocuments                 // output of the AWS CLI, or a batch of writes
)

// documentNames contains names with which a document can start: those in the output of aws
// dynamodb scan, query, get-item and batch-get-item, and those in requests of
// batch-write-item.
var documentNames = []string{
	"Items", "Count", "ScannedCount", "ConsumedCapacity", "LastEvaluatedKey", "NextToken", "Item", "Responses", "RequestItems", "UnprocessedItems",
}

// formOf determines the kind of a JSON file from its start.
func formOf(in *bufio.Reader) jsonForm {
	start, _ := in.Peek(64 << 10) // Peek returns an error if the file is shorter, which does not matter
	start = bytes.TrimPrefix(start, []byte("\ufeff"))
	p := jsonParser{text: start}
	if p.skip('[') {
		if p.peek() == '{' {
			return formDocuments
		}
		return formModel
	}
	if !p.skip('{') {
		return formModel
	}
	name, err := p.string()
	switch {
	case err != nil:
		return formModel
	case name == "Item" && isOneLine(start), slices.Contains(incrementalNames, name):
		return formLines
	case slices.Contains(documentNames, name) || p.isWriteRequest():
		return formDocuments
	}
	return formModel
}

// isOneLine reports whether the first line of a file is a complete JSON document. If the
// argument start, the start of the file, ends within this line, isOneLine returns true.
func isOneLine(start []byte) bool {
	line, _, whole := bytes.Cut(bytes.TrimLeft(start, " \t\r\n"), []byte("\n"))
	return !whole || json.Valid(line)
}

// isWriteRequest reports whether the next value is a list of write requests. Call it after
// reading the name of a table.
func (p *jsonParser) isWriteRequest() bool {
	if !p.skip(':') || !p.skip('[') || !p.skip('{') {
		return false
	}
	name, err := p.string()
	return err == nil && (name == "PutRequest" || name == "DeleteRequest")
}
