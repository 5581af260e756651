package wire

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// encode encodes an SDK output as JSON. Like DynamoDB, it omits members that are not
// set.
func encode(output any) []byte {
	return appendValue(make([]byte, 0, 512), reflect.ValueOf(output))
}

var (
	itemType     = reflect.TypeFor[map[string]types.AttributeValue]()
	timeType     = reflect.TypeFor[time.Time]()
	metadataType = reflect.TypeFor[middleware.Metadata]()
)

func appendValue(out []byte, v reflect.Value) []byte {
	switch v.Type() {
	case itemType:
		return appendItem(out, v.Interface().(map[string]types.AttributeValue))
	case attributeValueType:
		value, _ := v.Interface().(types.AttributeValue)
		return appendAttribute(out, value)
	case timeType:
		return appendTime(out, v.Interface().(time.Time))
	}
	switch v.Kind() {
	case reflect.Pointer:
		return appendValue(out, v.Elem())
	case reflect.Struct:
		return appendStructure(out, v)
	case reflect.Map:
		return appendMap(out, v)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return appendBlob(out, v.Bytes())
		}
		return appendSlice(out, v)
	case reflect.Bool:
		return appendBool(out, v.Bool())
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(out, v.Float(), 'f', -1, 64)
	}
	return appendString(out, v.String())
}

func appendStructure(out []byte, v reflect.Value) []byte {
	out = append(out, '{')
	start := len(out)
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || field.Type == metadataType || !isSet(v.Field(i)) {
			continue
		}
		if len(out) > start {
			out = append(out, ',')
		}
		name := field.Name
		if tag := field.Tag.Get("wire"); tag != "" {
			name = tag
		}
		out = append(appendString(out, name), ':')
		out = appendValue(out, v.Field(i))
	}
	return append(out, '}')
}

// isSet reports whether a member is set. Numbers and booleans that are not pointers
// are always set. An enumeration is not set if it is "".
func isSet(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.String:
		return !v.IsZero()
	}
	return true
}

func appendMap(out []byte, v reflect.Value) []byte {
	out = append(out, '{')
	for i, key := range v.MapKeys() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, key.String()), ':')
		out = appendValue(out, v.MapIndex(key))
	}
	return append(out, '}')
}

func appendSlice(out []byte, v reflect.Value) []byte {
	out = append(out, '[')
	for i := range v.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendValue(out, v.Index(i))
	}
	return append(out, ']')
}

// appendTime appends a time in seconds since 1970, with milliseconds as a fraction.
func appendTime(out []byte, t time.Time) []byte {
	return strconv.AppendFloat(out, float64(t.UnixMilli())/1000, 'f', -1, 64)
}

func appendBool(out []byte, b bool) []byte { return strconv.AppendBool(out, b) }

func appendBlob(out, blob []byte) []byte {
	out = append(out, '"')
	out = slices.Grow(out, base64.StdEncoding.EncodedLen(len(blob))+1)
	return append(base64.StdEncoding.AppendEncode(out, blob), '"')
}

// appendString appends a JSON string. It replaces invalid UTF-8, which JSON cannot
// represent, with the replacement character U+FFFD.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	plain := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				out = append(out, s[plain:i]...)
				out = appendEscaped(out, c)
				plain = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(out, s[plain:i]...)
			out = utf8.AppendRune(out, utf8.RuneError)
			plain = i + 1
		}
		i += size
	}
	return append(append(out, s[plain:]...), '"')
}

func appendEscaped(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
