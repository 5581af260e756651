package codec

// maxNames is the maximum number of names in the dictionary of a table. It is limited,
// because the dictionary is in memory. Further names are stored in each item.
const maxNames = 8192

// maxNameLen is the maximum length of a name in the dictionary. Longer names are stored in
// each item.
const maxNameLen = 255

// Names is the dictionary of a table's attribute names. The number of a name is its
// position. Names is immutable and safe for concurrent use.
type Names struct {
	list []string
	ids  map[string]uint32
}

// NewNames returns a dictionary with the names in list.
func NewNames(list []string) *Names {
	n := &Names{list: list, ids: make(map[string]uint32, len(list))}
	for i, name := range list {
		n.ids[name] = uint32(i)
	}
	return n
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.list) }

// canAdd reports whether a name that the dictionary lacks can be added to it.
func (n *Names) canAdd(name string) bool { return len(name) <= maxNameLen && n.Len() < maxNames }

// Missing returns the names in item that the dictionary lacks and has room for. Add them
// before encoding the item. Usually there are none.
func (n *Names) Missing(item Item) []string {
	var missing []string
	for name := range item {
		if _, known := n.ids[name]; known || len(name) > maxNameLen {
			continue
		}
		if n.Len()+len(missing) >= maxNames {
			break
		}
		missing = append(missing, name)
	}
	return missing
}

// With returns a dictionary with further names appended.
func (n *Names) With(added []string) *Names {
	list := make([]string, 0, len(n.list)+len(added))
	list = append(list, n.list...)
	return NewNames(append(list, added...))
}

// Selection is a set of top-level attributes to decode, by their numbers in one
// dictionary.
type Selection struct {
	names  *Names
	known  []bool
	inline map[string]bool
	count  int
}

// Select returns the selection of these attributes.
func (n *Names) Select(attributes []string) *Selection {
	s := &Selection{names: n, known: make([]bool, len(n.list))}
	for _, name := range attributes {
		id, ok := n.ids[name]
		switch {
		case ok && !s.known[id]:
			s.known[id] = true
			s.count++
		case !ok && !s.inline[name]:
			if s.inline == nil {
				s.inline = make(map[string]bool)
			}
			s.inline[name] = true
			s.count++
		}
	}
	return s
}
