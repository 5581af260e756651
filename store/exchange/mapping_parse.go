package exchange

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govalues/decimal"
	"go.yaml.in/yaml/v3"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
)

// maxMapping is the maximum size of a mapping in bytes.
const maxMapping = 1 << 20

// ReadMapping parses a mapping in YAML. It returns a FileError with the line number
// if a key or value is unknown.
func ReadMapping(name string, in io.Reader) (*Mapping, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxMapping+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxMapping {
		return nil, &FileError{File: name, Reason: "the mapping is larger than 1 MB"}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, &FileError{File: name, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	p := mappingParser{&Mapping{name: name, files: map[string][]*mappedTable{}}}
	if len(document.Content) == 0 {
		return nil, &FileError{File: name, Reason: "the mapping is empty; its first line must be 'files:'"}
	}
	return p.mapping, p.parse(document.Content[0])
}

// mappingParser parses the YAML nodes of a mapping.
type mappingParser struct{ mapping *Mapping }

func (p mappingParser) errorf(n *yaml.Node, format string, args ...any) error {
	return &FileError{p.mapping.name, n.Line, fmt.Sprintf(format, args...)}
}

func (p mappingParser) parse(root *yaml.Node) error {
	var format cellFormat
	var files *yaml.Node
	known := p.formatFields(&format)
	known["files"] = func(n *yaml.Node) error { files = n; return nil }
	if err := p.fields(root, known); err != nil {
		return err
	}
	if files == nil {
		return p.errorf(root, "the key 'files' is missing")
	}
	return p.pairs(files, func(name, n *yaml.Node) error {
		key := fileKey(name.Value)
		if p.mapping.files[key] != nil {
			return p.errorf(name, "the file %s appears twice", name.Value)
		}
		p.mapping.names = append(p.mapping.names, name.Value)
		tables := []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			tables = n.Content
		}
		for _, n := range tables {
			t, err := p.table(n, format)
			if err != nil {
				return err
			}
			if t.sheet == nil && len(tables) > 1 {
				return p.errorf(n, "a file with the entity %s can't have another entity", noEntity)
			}
			p.mapping.files[key] = append(p.mapping.files[key], t)
		}
		return nil
	})
}

// table parses how the rows of a file become one kind of entity.
func (p mappingParser) table(n *yaml.Node, format cellFormat) (*mappedTable, error) {
	t := &mappedTable{mapping: p.mapping.name, line: n.Line, format: format}
	var entity string
	var columns, joins, constants *yaml.Node
	known := p.formatFields(&t.format)
	known["entity"] = p.text(&entity)
	known["when"] = p.text(&t.when)
	known["ignore"] = p.texts(&t.ignored)
	for name, to := range map[string]**yaml.Node{"columns": &columns, "join": &joins, "constants": &constants} {
		known[name] = func(n *yaml.Node) error { *to = n; return nil }
	}
	if err := p.fields(n, known); err != nil {
		return nil, err
	}
	if entity == noEntity {
		return t, nil
	}
	var found bool
	if t.sheet, t.list, found = sheetNamed(strings.TrimSuffix(entity, ".csv")); !found {
		return nil, p.errorf(n, "unknown entity %s; use %s or %s", store.Quoted(entity), strings.Join(sheetNames(), ", "), noEntity)
	}
	for _, part := range []struct {
		node *yaml.Node
		read func(t *mappedTable, name, n *yaml.Node) error
	}{{columns, p.column}, {joins, p.join}, {constants, p.constant}} {
		if part.node == nil {
			continue
		}
		err := p.pairs(part.node, func(name, n *yaml.Node) error { return part.read(t, name, n) })
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// column parses what the mapping says about a column: the name of an attribute, a map with
// settings, or a list of names and maps.
func (p mappingParser) column(t *mappedTable, name, n *yaml.Node) error {
	if containsName(t.ignored, name.Value) {
		return p.errorf(name, "the column %s is under columns and under ignore; remove one", name.Value)
	}
	targets := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		targets = n.Content
	}
	for _, n := range targets {
		to := target{from: []string{name.Value}, format: t.format}
		attribute := n.Value
		if n.Kind == yaml.MappingNode {
			known := p.targetFields(&to)
			known["to"] = p.text(&attribute)
			if err := p.fields(n, known); err != nil {
				return err
			}
		} else if err := p.text(&attribute)(n); err != nil {
			return err
		}
		if err := p.add(t, attribute, n, &to); err != nil {
			return err
		}
	}
	return nil
}

// join parses an attribute that joins the values of several columns.
func (p mappingParser) join(t *mappedTable, attribute, n *yaml.Node) error {
	to := target{separator: " ", format: t.format}
	known := p.targetFields(&to)
	known["columns"] = p.texts(&to.from)
	known["separator"] = p.text(&to.separator)
	if err := p.fields(n, known); err != nil {
		return err
	}
	if len(to.from) == 0 {
		return p.errorf(n, "the columns of %s are missing", attribute.Value)
	}
	return p.add(t, attribute.Value, attribute, &to)
}

// constant parses an attribute with the same value in every row.
func (p mappingParser) constant(t *mappedTable, attribute, n *yaml.Node) error {
	to := target{format: t.format}
	if err := p.text(&to.constant)(n); err != nil {
		return err
	}
	return p.add(t, attribute.Value, attribute, &to)
}

func (p mappingParser) add(t *mappedTable, attribute string, n *yaml.Node, to *target) error {
	columns := t.columns()
	i := indexNamed(columns, attribute)
	if i < 0 {
		return p.errorf(n, "unknown attribute %s of %s; use %s", store.Quoted(attribute), t.file(), columnNames(columns))
	}
	to.column, to.line = &columns[i], n.Line
	if i := slices.IndexFunc(t.targets, func(other *target) bool { return other.column == to.column }); i >= 0 {
		return p.errorf(n, "%s already has a value in line %d; use join for several columns", to.column.name, t.targets[i].line)
	}
	number := to.column.kind == store.Money || to.column.kind == store.Whole
	switch {
	case !number && !to.scale.IsZero():
		return p.errorf(n, "%s is not a number, so it can't have a scale", to.column.name)
	case to.discount != "" && (to.column.kind != store.Money || t.list != nil):
		return p.errorf(n, "%s can't have a discount", to.column.name)
	case to.prefix != "" && number:
		return p.errorf(n, "%s is a number, so it can't have a prefix", to.column.name)
	case to.prefix != "" && key.CheckID(to.prefix) != nil:
		return p.errorf(n, "the prefix %s can't be part of an ID", store.Quoted(to.prefix))
	}
	t.targets = append(t.targets, to)
	return nil
}

// targetFields returns, for each key that columns and joins can have in the mapping, a
// function that parses its value.
func (p mappingParser) targetFields(to *target) map[string]func(*yaml.Node) error {
	known := p.formatFields(&to.format)
	delete(known, "encoding")
	known["prefix"] = p.text(&to.prefix)
	known["discount"] = p.text(&to.discount)
	known["other"] = func(n *yaml.Node) error {
		to.other = new(string)
		return p.text(to.other)(n)
	}
	known["scale"] = func(n *yaml.Node) (err error) {
		if to.scale, err = decimal.Parse(n.Value); err != nil || to.scale.IsZero() {
			return p.errorf(n, "scale %s is not a number other than 0, such as 0.01", store.Quoted(n.Value))
		}
		return nil
	}
	known["values"] = func(n *yaml.Node) error {
		to.values = map[string]string{}
		return p.pairs(n, func(from, n *yaml.Node) error {
			var value string
			err := p.text(&value)(n)
			to.values[csvfile.Unescape(scalar(from))] = value
			return err
		})
	}
	return known
}

// formatFields returns, for each key about the format of values, a function that parses its
// value.
func (p mappingParser) formatFields(f *cellFormat) map[string]func(*yaml.Node) error {
	return map[string]func(*yaml.Node) error{
		"encoding": func(n *yaml.Node) error {
			if f.encoding = strings.ToLower(n.Value); !isEncoding(f.encoding) {
				return p.errorf(n, "unknown encoding %s; use %s", store.Quoted(n.Value), strings.Join(encodingNames(), ", "))
			}
			return nil
		},
		"dates": func(n *yaml.Node) error {
			var formats []string
			if err := p.texts(&formats)(n); err != nil {
				return err
			}
			f.dates = nil
			for _, format := range formats {
				layout, ok := dateLayout(format)
				if !ok {
					return p.errorf(n, "unknown date format %s; use YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY hh:mm", store.Quoted(format))
				}
				f.dates = append(f.dates, layout)
			}
			return nil
		},
		"decimal": func(n *yaml.Node) error {
			if f.decimal = n.Value; f.decimal != "." && f.decimal != "," {
				return p.errorf(n, `unknown decimal separator %s; use "." or ","`, store.Quoted(n.Value))
			}
			return nil
		},
		"empty": p.texts(&f.empty),
	}
}

// text returns a function that parses a single value.
func (p mappingParser) text(to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode {
			return p.errorf(n, "one value is expected here")
		}
		*to = scalar(n)
		return nil
	}
}

// texts returns a function that parses a single value or a list.
func (p mappingParser) texts(to *[]string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		values := []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			values = n.Content
		}
		*to = nil
		for _, n := range values {
			var value string
			if err := p.text(&value)(n); err != nil {
				return err
			}
			*to = append(*to, value)
		}
		return nil
	}
}

func scalar(n *yaml.Node) string {
	if n.Tag == "!!null" && n.Value != "NULL" {
		return ""
	}
	return n.Value
}

// fields parses a map in which only the known keys are allowed.
func (p mappingParser) fields(n *yaml.Node, known map[string]func(*yaml.Node) error) error {
	return p.pairs(n, func(name, value *yaml.Node) error {
		read := known[name.Value]
		if read == nil {
			var names []string
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			return p.errorf(name, "unknown key %s; use %s", store.Quoted(name.Value), strings.Join(names, ", "))
		}
		return read(value)
	})
}

// pairs parses a map, and calls the function read for each pair of name and value.
func (p mappingParser) pairs(n *yaml.Node, read func(name, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return p.errorf(n, "keys with values are expected here")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch {
		case name.Kind != yaml.ScalarNode || value.Kind == yaml.AliasNode:
			return p.errorf(name, "a name with a value is expected here")
		case seen[scalar(name)]:
			return p.errorf(name, "the key %s appears twice", store.Quoted(name.Value))
		}
		if seen[scalar(name)] = true; value.Tag != "!!null" || value.Value == "NULL" {
			if err := read(name, value); err != nil {
				return err
			}
		} else if err := read(name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Line: value.Line}); err != nil {
			return err
		}
	}
	return nil
}
