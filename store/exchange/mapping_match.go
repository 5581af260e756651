package exchange

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FileMatch describes how a mapping reads the rows of a CSV file as one entity. A file
// with several entities has several FileMatches.
type FileMatch struct {
	File    string
	Table   int    // 0 for the first entity of the file
	Entity  string // name of the entity's CSV file, or NoEntity
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
	Detail  string   // further settings of the column, as text; or ""
	Unsure  bool     // the suggestion may be wrong
	Unknown bool     // the column is not in the mapping
}

// Attribute is an attribute to which a column can be mapped.
type Attribute struct {
	Name     string
	Required bool   // the attribute is required, but no column and no other file provides it
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

// Match describes how the mapping reads a file, with an element for each entity of the
// file. The argument entities contains the entities in all files of the import. The
// result is empty if the mapping does not contain the file.
func (d *Draft) Match(f File, entities []string) (matches []FileMatch, err error) {
	tables := tablesOf(d.block(f.Name))
	if len(tables) == 0 {
		return nil, nil
	}
	s, err := readSample(f)
	if err != nil {
		return nil, err
	}
	for i := range tables {
		m := s.match(tables, i, entities)
		m.File = f.Name
		matches = append(matches, m)
	}
	return matches, nil
}

// match describes how one table of the mapping reads the file.
func (s *sample) match(tables []*yaml.Node, index int, entities []string) FileMatch {
	t := tables[index]
	entity, columns := entityOfTable(t)
	m := FileMatch{Table: index, Entity: entity}
	used := map[string]bool{}
	for i := range s.columns {
		c := matchColumn(t, &s.columns[i], columns)
		c.Unknown = c.Unknown && !slices.ContainsFunc(tables, func(other *yaml.Node) bool { return other != t && mentions(other, c.Name) })
		used[c.To] = true
		m.Columns = append(m.Columns, c)
	}
	constants := childOf(t, "constants")
	for i := range columns {
		c := &columns[i]
		a := Attribute{Name: c.name, Required: c.required && !used[c.name] && !targetsOf(t)[c.name] && !c.isIn(entities)}
		if value := childNamed(constants, c.name); value != nil {
			a.Constant = scalar(value)
		}
		m.Attributes = append(m.Attributes, a)
	}
	return m
}

// entityOfTable returns the entity of a table of the mapping, and its columns. If the
// table states no entity, it returns NoEntity.
func entityOfTable(t *yaml.Node) (entity string, columns []column) {
	entity = NoEntity
	if name := childOf(t, "entity"); name != nil {
		entity = strings.TrimSuffix(name.Value, ".csv")
	}
	sh, l, known := sheetNamed(entity)
	switch {
	case known && l != nil:
		columns = l.columns
	case known:
		columns = sh.columns
	}
	return entity, columns
}

// mentions reports whether a table of the mapping uses or ignores a column.
func mentions(t *yaml.Node, name string) bool {
	_, columns := entityOfTable(t)
	return !matchColumn(t, &sampledColumn{name: name}, columns).Unknown
}

// isIn reports whether the values of the column can come from a file of one of these
// entities.
func (c *column) isIn(entities []string) bool {
	s, found := sheetOf(c.from)
	return found && slices.Contains(entities, s.file)
}

// matchColumn describes how a table of the mapping reads one column of the file.
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
	if hasText(childOf(t, "ignore"), c.name) || hasText(childOf(t, "when"), c.name) {
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
	if join := childOf(t, "join"); join != nil && join.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(join.Content); i += 2 {
			all[join.Content[i].Value] = true
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
