package exchange

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Draft is a mapping that users edit in a form. It keeps comments, and parts of the
// mapping that the form does not show.
type Draft struct{ root *yaml.Node }

// ReadDraft parses a mapping, which may be empty. It returns a FileError if the
// mapping is invalid; see ReadMapping.
func ReadDraft(name, text string) (*Draft, error) {
	if strings.TrimSpace(text) == "" {
		return &Draft{yamlMap()}, nil
	}
	if _, err := ReadMapping(name, strings.NewReader(text)); err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil || len(document.Content) == 0 {
		return nil, errors.Join(err, &FileError{File: name, Reason: "the mapping is empty; its first line must be 'files:'"})
	}
	return &Draft{document.Content[0]}, nil
}

// Text returns the mapping as YAML, or "" if it has no files.
func (d *Draft) Text() (string, error) {
	if d.files() == nil {
		return "", nil
	}
	removeEmpty(d.root)
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := errors.Join(encoder.Encode(d.root), encoder.Close())
	return text.String(), err
}

// removeEmpty removes empty lists and maps. If one has a comment, the YAML encoder would
// write text that cannot be parsed.
func removeEmpty(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			removeEmpty(child)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		removeEmpty(value)
		if (value.Kind == yaml.MappingNode || value.Kind == yaml.SequenceNode) && len(value.Content) == 0 {
			n.Content = slices.Delete(n.Content, i, i+2)
			i -= 2
		}
	}
}

// RemoveComments removes all comments. The comments of a suggested mapping contain
// values from the file.
func (d *Draft) RemoveComments() { removeComments(d.root) }

func removeComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		removeComments(child)
	}
}

// RemoveDecimalSigns removes the decimal separators, so that the import finds the
// separator of each file in its numbers.
func (d *Draft) RemoveDecimalSigns() {
	removeChild(d.root, "decimal")
	for _, t := range valuesOf(d.files()) {
		removeChild(t, "decimal")
	}
}

// Has reports whether the mapping contains the file.
func (d *Draft) Has(file string) bool { return d.block(file) != nil }

// Take copies the part about a file from another mapping. The argument from is the name of the
// file in the other mapping, and the argument file is its name in this mapping. The copy
// includes formats that the other mapping sets for all files. Take returns false if the other
// mapping does not contain the file.
func (d *Draft) Take(file string, other *Draft, from string) bool {
	block := other.block(from)
	if block == nil {
		return false
	}
	for _, t := range tablesOf(block) {
		for _, name := range []string{"dates", "decimal", "encoding", "empty"} {
			if format := childOf(other.root, name); format != nil && childOf(t, name) == nil {
				setChild(t, name, format)
			}
		}
	}
	d.remove(file)
	files := d.files()
	if files == nil {
		files = yamlMap()
		setChild(d.root, "files", files)
	}
	setChild(files, file, block)
	return true
}

// Entities returns the names of the entities for a file.
func (d *Draft) Entities(file string) (names []string) {
	for _, t := range tablesOf(d.block(file)) {
		if entity := childOf(t, "entity"); entity != nil {
			names = append(names, strings.TrimSuffix(entity.Value, ".csv"))
		}
	}
	return names
}

// Choose sets the attribute for a column of a file. The argument table is the index of
// the entity in the file. If attribute is "", the column is ignored.
func (d *Draft) Choose(file string, table int, column, attribute string) {
	t := d.table(file, table)
	if t == nil {
		return
	}
	columns := ensureMap(t, "columns")
	removeName(columns, column)
	removeText(childOf(t, "ignore"), column)
	for _, join := range valuesOf(childOf(t, "join")) {
		removeText(childOf(join, "columns"), column)
	}
	for _, target := range valuesOf(columns) {
		if discount := childOf(target, "discount"); discount != nil && isName(discount.Value, column) {
			removeChild(target, "discount")
		}
	}
	d.removeEmptyJoins(t)
	if attribute != "" {
		d.release(t, attribute)
		setChild(columns, column, yamlScalar(attribute))
		return
	}
	ignored := childOf(t, "ignore")
	if ignored == nil || ignored.Kind != yaml.SequenceNode {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		if ignored != nil && ignored.Value != "" {
			list.Content = append(list.Content, ignored)
		}
		setChild(t, "ignore", list)
		ignored = list
	}
	ignored.Content = append(ignored.Content, yamlScalar(column))
}

// release removes the constant of an attribute, because the attribute gets another value.
func (d *Draft) release(t *yaml.Node, attribute string) {
	if constants := childOf(t, "constants"); constants != nil {
		removeName(constants, attribute)
		if len(constants.Content) == 0 {
			removeChild(t, "constants")
		}
	}
}

func (d *Draft) removeEmptyJoins(t *yaml.Node) {
	joins := childOf(t, "join")
	for i := 0; joins != nil && i+1 < len(joins.Content); i += 2 {
		if from := childOf(joins.Content[i+1], "columns"); from == nil || from.Kind == yaml.SequenceNode && len(from.Content) == 0 {
			joins.Content = slices.Delete(joins.Content, i, i+2)
			i -= 2
		}
	}
	if joins != nil && len(joins.Content) == 0 {
		removeChild(t, "join")
	}
}

// SetConstant sets the constant value of an attribute. The argument table is the index
// of the entity in the file. If value is "", it removes the constant.
func (d *Draft) SetConstant(file string, table int, attribute, value string) {
	t := d.table(file, table)
	if t == nil {
		return
	}
	d.release(t, attribute)
	if value != "" {
		setChild(ensureMap(t, "constants"), attribute, yamlScalar(value))
	}
}

func (d *Draft) files() *yaml.Node {
	if files := childOf(d.root, "files"); files != nil && files.Kind == yaml.MappingNode {
		return files
	}
	return nil
}

// block returns the YAML node of a file: a map, or a list of maps. It returns nil if
// the mapping does not contain the file.
func (d *Draft) block(file string) *yaml.Node {
	files := d.files()
	for i := 0; files != nil && i+1 < len(files.Content); i += 2 {
		if fileKey(files.Content[i].Value) == fileKey(file) {
			return files.Content[i+1]
		}
	}
	return nil
}

// table returns the YAML map of one of the entities of a file, or nil.
func (d *Draft) table(file string, index int) *yaml.Node {
	if tables := tablesOf(d.block(file)); index < len(tables) {
		return tables[index]
	}
	return nil
}

func (d *Draft) remove(file string) {
	files := d.files()
	for i := 0; files != nil && i+1 < len(files.Content); i += 2 {
		if fileKey(files.Content[i].Value) == fileKey(file) {
			files.Content = slices.Delete(files.Content, i, i+2)
			return
		}
	}
}

func tablesOf(block *yaml.Node) []*yaml.Node {
	switch {
	case block == nil:
		return nil
	case block.Kind == yaml.SequenceNode:
		return block.Content
	}
	return []*yaml.Node{block}
}

func yamlMap() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func yamlScalar(text string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	return node
}

// childOf returns the value for a name in a YAML map, or nil.
func childOf(m *yaml.Node, name string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i+1]
		}
	}
	return nil
}

// valuesOf returns the values of a YAML map, with the elements of lists as separate
// values.
func valuesOf(m *yaml.Node) (values []*yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 1; i < len(m.Content); i += 2 {
		values = append(values, tablesOf(m.Content[i])...)
	}
	return values
}

func setChild(m *yaml.Node, name string, value *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			m.Content[i+1] = value
			return
		}
	}
	m.Content = append(m.Content, yamlScalar(name), value)
}

func removeChild(m *yaml.Node, name string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			m.Content = slices.Delete(m.Content, i, i+2)
			return
		}
	}
}

// ensureMap returns the map with a name in a YAML map, and adds it if it is missing.
func ensureMap(m *yaml.Node, name string) *yaml.Node {
	if child := childOf(m, name); child != nil && child.Kind == yaml.MappingNode {
		return child
	}
	child := yamlMap()
	setChild(m, name, child)
	return child
}

// isName reports whether two strings are the same column name, ignoring case and
// surrounding spaces.
func isName(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

func removeName(m *yaml.Node, name string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isName(m.Content[i].Value, name) {
			m.Content = slices.Delete(m.Content, i, i+2)
			return
		}
	}
}

func removeText(list *yaml.Node, text string) {
	switch {
	case list == nil:
	case list.Kind == yaml.SequenceNode:
		list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool { return isName(n.Value, text) })
	case isName(list.Value, text):
		*list = yaml.Node{Kind: yaml.SequenceNode}
	}
}
