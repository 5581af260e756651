package exchange

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// cells are a row of a sheet, or of a list in it.
func cells(columns []Column, entity store.Entity, item store.Item) []csvfile.Cell {
	row := make([]csvfile.Cell, len(columns))
	for i := range columns {
		c := &columns[i]
		if c.value != "" {
			row[i] = csvfile.Text(entity.KeyValue(c.value))
		} else if value := at(item, c.path); value != nil {
			row[i] = c.written(value)
		}
	}
	return row
}

// at is the value of an attribute that may lie within others.
func at(item store.Item, path []string) types.AttributeValue {
	for _, name := range path[:len(path)-1] {
		inner, _ := item[name].(*types.AttributeValueMemberM)
		if inner == nil {
			return nil
		}
		item = inner.Value
	}
	return item[path[len(path)-1]]
}

func elementsAt(item store.Item, path []string) []store.Item {
	list, _ := at(item, path).(*types.AttributeValueMemberL)
	if list == nil {
		return nil
	}
	var all []store.Item
	for _, element := range list.Value {
		if m, ok := element.(*types.AttributeValueMemberM); ok {
			all = append(all, m.Value)
		}
	}
	return all
}

// appendLine writes a line of DynamoDB's JSON lines.
func appendLine(to []byte, item store.Item) []byte {
	to = append(to, `{"Item":`...)
	to = appendItem(to, item)
	return append(to, "}\n"...)
}

func appendItem(to []byte, item store.Item) []byte {
	to = append(to, '{')
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendText(to, name), ':')
		to = appendValue(to, item[name])
	}
	return append(to, '}')
}

// appendValue writes a value of the types that entities write.
func appendValue(to []byte, value types.AttributeValue) []byte {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return append(appendText(append(to, `{"S":`...), v.Value), '}')
	case *types.AttributeValueMemberN:
		return append(appendText(append(to, `{"N":`...), v.Value), '}')
	case *types.AttributeValueMemberBOOL:
		return append(strconv.AppendBool(append(to, `{"BOOL":`...), v.Value), '}')
	case *types.AttributeValueMemberB:
		return append(appendText(append(to, `{"B":`...), base64.StdEncoding.EncodeToString(v.Value)), '}')
	case *types.AttributeValueMemberM:
		return append(appendItem(append(to, `{"M":`...), v.Value), '}')
	case *types.AttributeValueMemberL:
		to = append(to, `{"L":[`...)
		for i, element := range v.Value {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendValue(to, element)
		}
		return append(to, "]}"...)
	}
	return append(to, `{"NULL":true}`...)
}

// appendText writes a text as JSON; one of plain ASCII, as most are, as it is.
func appendText(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := json.Marshal(text) // a text can always be written
			return append(to, quoted...)
		}
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"')
}
