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
)

// appendLine appends an item as a line of DynamoDB JSON Lines.
func appendLine(buf []byte, item store.Item) []byte {
	buf = append(buf, `{"Item":`...)
	buf = appendItem(buf, item)
	return append(buf, "}\n"...)
}

func appendItem(buf []byte, item store.Item) []byte {
	buf = append(buf, '{')
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(appendString(buf, name), ':')
		buf = appendValue(buf, item[name])
	}
	return append(buf, '}')
}

// appendValue appends a value. It supports the types that entities use.
func appendValue(buf []byte, value types.AttributeValue) []byte {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return append(appendString(append(buf, `{"S":`...), v.Value), '}')
	case *types.AttributeValueMemberN:
		return append(appendString(append(buf, `{"N":`...), v.Value), '}')
	case *types.AttributeValueMemberBOOL:
		return append(strconv.AppendBool(append(buf, `{"BOOL":`...), v.Value), '}')
	case *types.AttributeValueMemberB:
		return append(appendString(append(buf, `{"B":`...), base64.StdEncoding.EncodeToString(v.Value)), '}')
	case *types.AttributeValueMemberM:
		return append(appendItem(append(buf, `{"M":`...), v.Value), '}')
	case *types.AttributeValueMemberL:
		buf = append(buf, `{"L":[`...)
		for i, element := range v.Value {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = appendValue(buf, element)
		}
		return append(buf, "]}"...)
	}
	return append(buf, `{"NULL":true}`...)
}

// appendString appends a JSON string. The usual case is plain ASCII, which it copies
// unchanged.
func appendString(buf []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := json.Marshal(s) // cannot fail for strings
			return append(buf, quoted...)
		}
	}
	buf = append(buf, '"')
	buf = append(buf, s...)
	return append(buf, '"')
}
