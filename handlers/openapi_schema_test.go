package handlers

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"stockroom/store"
)

type object = map[string]any

// schemas builds the JSON schemas of Go types, with the rules of encoding/json. Named
// structs become components.
type schemas struct {
	components object
	types      map[string]reflect.Type // Go type of each component
}

// encoded contains the schemas of types that have a method MarshalJSON or MarshalText.
var encoded = map[reflect.Type]object{
	reflect.TypeFor[time.Time]():     {"type": "string", "format": "date-time"},
	reflect.TypeFor[store.Amount]():  {"type": "number", "description": "An amount of money."},
	reflect.TypeFor[store.Sum]():     {"type": "number", "description": "A sum of amounts of money."},
	reflect.TypeFor[store.TaxRate](): {"type": "number", "description": "A tax rate in percent."},
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func (s *schemas) of(t reflect.Type) object {
	if schema, known := encoded[t]; known {
		return schema
	}
	if t == reflect.TypeFor[store.Event]() {
		return s.component(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.Interface:
		return object{}
	}
	switch {
	case strings.HasPrefix(t.Name(), "firstRows["):
		return s.firstRows(t)
	case t.Implements(jsonMarshaler):
		panic(fmt.Sprintf("no schema for %v, which encodes itself. Add it to encoded.", t))
	case t.Implements(textMarshaler):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint32:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": s.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" {
			return s.structOf(t)
		}
		return s.component(t)
	}
	panic(fmt.Sprintf("no schema for %v", t))
}

func nullable(schema object) object {
	if kind, ok := schema["type"].(string); ok {
		schema = copyOf(schema)
		schema["type"] = []string{kind, "null"}
		return schema
	}
	return object{"anyOf": []object{schema, {"type": "null"}}}
}

func copyOf(o object) object {
	c := object{}
	for name, value := range o {
		c[name] = value
	}
	return c
}

// component returns a reference to the schema of a named struct.
func (s *schemas) component(t reflect.Type) object {
	name := componentName(t)
	if other, known := s.types[name]; known && other != t {
		panic(fmt.Sprintf("got two types called %s: %v and %v", name, other, t))
	}
	if _, known := s.types[name]; !known {
		s.types[name] = t // set before the fields are read, because they can refer to this type
		s.components[name] = s.structOf(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

var typeArgument = regexp.MustCompile(`\[.*[./](\w+)\]$`)

// componentName returns the name of a type, such as Order or FirstRowsOfOrder.
func componentName(t reflect.Type) string {
	name := typeArgument.ReplaceAllString(t.Name(), "Of$1")
	return strings.ToUpper(name[:1]) + name[1:]
}

// structOf returns the schema of a struct with its own fields and the promoted ones.
func (s *schemas) structOf(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" || !field.IsExported() || name == "-" {
			continue // not a member of its own: encoding/json promotes the fields of an embedded struct
		}
		if name == "" {
			name = field.Name
		}
		properties[name] = s.of(field.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
	}
	if t == reflect.TypeFor[store.Event]() { // Event has a method MarshalJSON
		properties["Sentence"] = object{"type": "string", "description": "What happened, as a sentence."}
		required = append(required, "Sentence")
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// firstRows returns the schema of the first rows of a list, as in the JSON of a record.
// Next to the IDs of other records, these rows also contain the names.
func (s *schemas) firstRows(t reflect.Type) object {
	reference := s.component(t)
	rows, _ := t.FieldByName("Rows")
	of := rows.Type.Elem()
	has := func(name string) bool { _, found := of.FieldByName(name); return found }
	row, named := s.structOf(of), false
	for column, related := range nameColumns {
		if !has(related.name) && (has(column) || has(column+"ID")) {
			row["properties"].(object)[related.name], named = object{"type": "string"}, true
		}
	}
	if named {
		name := componentName(of) + "InRecord"
		s.components[name] = row
		s.components[componentName(t)].(object)["properties"].(object)["rows"] = object{"type": "array", "items": object{"$ref": "#/components/schemas/" + name}}
	}
	return reference
}

// rowsOf returns the schema of a complete list. The argument added contains the columns
// with names of other records, because the row type has no fields for them.
func (s *schemas) rowsOf(t reflect.Type, added []string) object {
	items := s.of(t)
	if len(added) > 0 {
		row := s.structOf(t)
		for _, name := range added {
			row["properties"].(object)[name] = object{"type": "string"}
		}
		row["required"] = append(row["required"].([]string), added...)
		name := componentName(t) + "Row"
		s.components[name] = row
		items = object{"$ref": "#/components/schemas/" + name}
	}
	return object{"type": "object", "required": []string{"rows"}, "properties": object{"rows": object{"type": "array", "items": items}}}
}
