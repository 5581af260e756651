package wire

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decode decodes a JSON body to an SDK input, whose fields are named like the members in
// the API. It ignores unknown members, as DynamoDB does. If a member occurs several times,
// decode uses the last value. If a value has the wrong type, decode returns a
// SerializationException with DynamoDB's message.
func decode(body []byte, input any) error {
	tree, ok := parse(body)
	if !ok {
		return serializationError("")
	}
	return decodeInto(reflect.ValueOf(input).Elem(), tree, inElement)
}

func serializationError(message string) error {
	return &serviceError{code: "SerializationException", message: message}
}

// position says where in the request a value is. DynamoDB's error messages depend on it.
type position string

const (
	inField   position = "Unexpected field type"
	inElement position = "Unexpected value type in payload"
)

var attributeValueType = reflect.TypeFor[types.AttributeValue]()

func decodeInto(v reflect.Value, data any, where position) error {
	if data == nil {
		v.SetZero()
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decodeInto(v.Elem(), data, where)
	case reflect.Interface:
		value, err := decodeAttribute(data, where)
		if err == nil && value != nil {
			v.Set(reflect.ValueOf(value))
		}
		return err
	case reflect.Struct:
		return decodeStructure(v, data, where)
	case reflect.Map:
		return decodeMap(v, data)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			blob, err := decodeBlob(data)
			v.SetBytes(blob)
			return err
		}
		return decodeList(v, data)
	case reflect.Bool:
		b, err := decodeBoolean(data)
		v.SetBool(b)
		return err
	case reflect.Int32:
		n, err := decodeInteger(data, "Integer", math.MinInt32, math.MaxInt32)
		v.SetInt(n)
		return err
	case reflect.Int64:
		n, err := decodeInteger(data, "Long", math.MinInt64, math.MaxInt64)
		v.SetInt(n)
		return err
	}
	s, err := decodeString(data)
	v.SetString(s)
	return err
}

func decodeStructure(v reflect.Value, data any, where position) error {
	members, err := object(data, "class com.amazonaws.dynamodb.v20120810."+v.Type().Name(), where)
	if err != nil {
		return err
	}
	for _, member := range members {
		field := v.FieldByName(member.name)
		if !field.IsValid() || !field.CanSet() {
			continue
		}
		if err := decodeInto(field, member.value, inField); err != nil {
			return err
		}
	}
	return nil
}

func decodeMap(v reflect.Value, data any) error {
	element := v.Type().Elem()
	entries, err := object(data, "java.util.Map<java.lang.String, "+javaName(element)+">", inField)
	if err != nil {
		return err
	}
	if v.Type() == itemType {
		item, err := decodeItem(entries)
		v.Set(reflect.ValueOf(item))
		return err
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(entries)))
	for _, entry := range entries {
		value := reflect.New(element).Elem()
		if err := decodeInto(value, entry.value, inElement); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(entry.name), value)
	}
	return nil
}

func decodeList(v reflect.Value, data any) error {
	elements, err := list(data)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, element := range elements {
		if err := decodeInto(v.Index(i), element, inElement); err != nil {
			return err
		}
	}
	return nil
}

// javaName returns the name of a map's element type in Java, which DynamoDB's error
// messages contain.
func javaName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "java.lang.String"
	case reflect.Slice:
		return "java.util.List<" + javaName(t.Elem()) + ">"
	case reflect.Map:
		return "java.util.Map<java.lang.String, " + javaName(t.Elem()) + ">"
	}
	return "com.amazonaws.dynamodb.v20120810." + t.Name()
}

// object returns the members of a JSON object. The argument name is the name of the
// expected structure or map, for error messages.
func object(data any, name string, where position) (members, error) {
	switch data := data.(type) {
	case members:
		return data, nil
	case []any:
		return nil, serializationError("Unrecognized collection type " + name)
	}
	return nil, serializationError(string(where))
}

func list(data any) ([]any, error) {
	switch data := data.(type) {
	case []any:
		return data, nil
	case members:
		return nil, serializationError("Start of structure or map found where not expected")
	}
	return nil, serializationError("Unexpected field type")
}

func decodeString(data any) (string, error) {
	if s, ok := data.(string); ok {
		return s, nil
	}
	return "", conversionError(data, "String")
}

// decodeBoolean decodes a boolean. Like DynamoDB, it also accepts some strings.
func decodeBoolean(data any) (bool, error) {
	switch data := data.(type) {
	case bool:
		return data, nil
	case string:
		switch strings.ToUpper(data) {
		case "TRUE", "YES", "1":
			return true, nil
		case "FALSE", "NO", "0":
			return false, nil
		}
		return false, serializationError("Unexpected token received from parser")
	}
	return false, conversionError(data, "Boolean")
}

// decodeInteger decodes an integer. Like DynamoDB, it accepts fractions and rounds
// them down.
func decodeInteger(data any, javaType string, lowest, highest int64) (int64, error) {
	text, ok := data.(json.Number)
	if !ok {
		return 0, conversionError(data, javaType)
	}
	n, err := text.Int64()
	if err != nil {
		fraction, err := text.Float64()
		if err != nil || fraction < math.MinInt64 || fraction >= math.MaxInt64 {
			return 0, conversionError(data, javaType)
		}
		n = int64(math.Floor(fraction))
	}
	if n < lowest || n > highest {
		return 0, conversionError(data, javaType)
	}
	return n, nil
}

func decodeBlob(data any) ([]byte, error) {
	text, ok := data.(string)
	if !ok {
		switch data.(type) {
		case bool, json.Number:
			return nil, serializationError("only base-64-encoded strings are convertible to bytes")
		case []any:
			return nil, serializationError("Unrecognized collection type class java.nio.ByteBuffer")
		}
		return nil, conversionError(data, "ByteBuffer")
	}
	if len(text)%4 != 0 {
		return nil, serializationError("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(text)))
	}
	blob, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, serializationError("Invalid last non-pad Base64 character dectected")
	}
	return blob, nil
}

func conversionError(data any, javaType string) error {
	switch data := data.(type) {
	case bool:
		if data {
			return serializationError("TRUE_VALUE cannot be converted to " + javaType)
		}
		return serializationError("FALSE_VALUE cannot be converted to " + javaType)
	case json.Number:
		if strings.ContainsAny(data.String(), ".eE") {
			return serializationError("DECIMAL_VALUE cannot be converted to " + javaType)
		}
		return serializationError("NUMBER_VALUE cannot be converted to " + javaType)
	case string:
		return serializationError("STRING_VALUE cannot be converted to " + javaType)
	case []any:
		return serializationError("Unrecognized collection type class java.lang." + javaType)
	}
	return serializationError("Start of structure or map found where not expected")
}
