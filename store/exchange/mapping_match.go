package exchange

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FileMatch describes how a mapping reads a CSV file.
type FileMatch struct {
	File    string
	Entity  string // name of the entity's CSV file, or NoEntity
	Several bool   // the file has several entities
	Columns []ColumnMatch

	Attributes []Attribute // attributes of the entity
}

// NoEntity is the entity of a file that is not imported.
const NoEntity = noEntity

// ColumnMatch describes how a mapping reads a column.
type ColumnMatch struct {
	Name    string
	Values  []string // the first values of the column
	To      string   // an attribute, or "" if the column is not imported
	Detail  string   // further settings of the column as text, or ""
	Unsure  bool     // the suggestion may be wrong
	Unknown bool     // the column is not in the mapping
}

// Attribute is an attribute to which a column can be mapped.
type Attribute struct {
	Name     string
	Required bool   // required, but not provided by a column or another file
	Constant string // the value in every row; "" if there is no constant
}

// EntityNames returns the names of the CSV files of all entities and lists.
func EntityNames() []string {
	var names []string
	for i := range sheets {
		names = append(names, sheets[i].file)
		for j := range sheets[i].lists {
			names = append(names, sheets[i].lists[j].file)
		}
	}
	return names
}

// shownValues is the maximum number of values of a column in a ColumnMatch.
const shownValues = 3

// Match describes how the mapping reads a file. others contains the entities in the
// other files. found is false if the mapping does not contain the file.
func (d *Draft) Match(f File, others []string) (match FileMatch, found bool, err error) {
	tables := tablesOf(d.block(f.Name))
	if len(tables) == 0 {
		return FileMatch{}, false, nil
	}
	s, err := readSample(f)
	if err != nil {
		return FileMatch{}, false, err
	}
	m := FileMatch{File: f.Name, Several: len(tables) > 1, Entity: NoEntity}
	t := tables[0]
	if entity := childOf(t, "entity"); entity != nil {
		m.Entity = strings.TrimSuffix(entity.Value, ".csv")
	}
	sh, l, known := sheetNamed(m.Entity)
	var columns []column
	if known && l != nil {
		columns = l.columns
	} else if known {
		columns = sh.columns
	}
	used := map[string]bool{}
	for i := range s.columns {
		c := matchColumn(t, &s.columns[i], columns)
		used[c.To] = true
		m.Columns = append(m.Columns, c)
	}
	constants := childOf(t, "constants")
	for i := range columns {
		c := &columns[i]
		a := Attribute{Name: c.name, Required: c.required && !used[c.name] && !targetsOf(t)[c.name] && !c.isIn(others)}
		if value := childNamed(constants, c.name); value != nil {
			a.Constant = scalar(value)
		}
		m.Attributes = append(m.Attributes, a)
	}
	return m, true, nil
}

// isIn reports whether a file of one of these entities provides the values of the
// column.
func (c *column) isIn(entities []string) bool {
	s, found := sheetOf(c.from)
	return found && slices.Contains(entities, s.file)
}

// matchColumn describes how a table of the mapping reads a column.
func matchColumn(t *yaml.Node, c *sampledColumn, columns []column) ColumnMatch {
	m := ColumnMatch{Name: c.name, Values: c.values[:min(shownValues, len(c.values))]}
	if target := childNamed(childOf(t, "columns"), c.name); target != nil {
		m.To, m.Detail = describeTarget(target)
		m.Unsure = strings.Contains(target.LineComment, "unsure")
		return m
	}
	joins := childOf(t, "join")
	for i := 0; joins != nil && i+1 < len(joins.Content); i += 2 {
		if hasText(childOf(joins.Content[i+1], "columns"), c.name) {
			m.To, m.Detail = joins.Content[i].Value, "joined"
			return m
		}
	}
	for _, target := range valuesOf(childOf(t, "columns")) {
		if discount := childOf(target, "discount"); discount != nil && isName(discount.Value, c.name) {
			m.To, m.Detail = childOf(target, "to").Value, "discount"
			return m
		}
	}
	if hasText(childOf(t, "ignore"), c.name) {
		return m
	}
	if i := indexNamed(columns, c.name); i >= 0 {
		m.To = columns[i].name
		return m
	}
	m.Unknown = true
	return m
}

// describeTarget returns the attribute of a target, and its other settings as text.
func describeTarget(target *yaml.Node) (to, detail string) {
	switch target.Kind {
	case yaml.ScalarNode:
		return target.Value, ""
	case yaml.SequenceNode:
		var also []string
		for i, n := range target.Content {
			name, _ := describeTarget(n)
			if i == 0 {
				to = name
				continue
			}
			also = append(also, name)
		}
		return to, "also " + strings.Join(also, ", ")
	}
	var others []string
	for i := 0; i+1 < len(target.Content); i += 2 {
		switch name := target.Content[i].Value; name {
		case "to":
			to = target.Content[i+1].Value
		default:
			others = append(others, name)
		}
	}
	return to, "with " + strings.Join(others, ", ")
}

// targetsOf returns the attributes to which a table maps its columns and joins.
func targetsOf(t *yaml.Node) map[string]bool {
	all := map[string]bool{}
	for _, target := range valuesOf(childOf(t, "columns")) {
		to, _ := describeTarget(target)
		all[to] = true
	}
	for _, name := range []string{"join", "constants"} {
		m := childOf(t, name)
		for i := 0; m != nil && i+1 < len(m.Content) && m.Kind == yaml.MappingNode && name == "join"; i += 2 {
			all[m.Content[i].Value] = true
		}
	}
	return all
}

func childNamed(m *yaml.Node, name string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isName(m.Content[i].Value, name) {
			return m.Content[i+1]
		}
	}
	return nil
}

func hasText(list *yaml.Node, text string) bool {
	switch {
	case list == nil:
		return false
	case list.Kind == yaml.SequenceNode:
		return slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return isName(n.Value, text) })
	}
	return isName(list.Value, text)
}
