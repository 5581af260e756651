package codec

// maxNames limits the size of a table's dictionary, which is held in memory.
// Tables with a new attribute name in every item exceed it; further names are
// stored in their items.
const maxNames = 8192

// maxNameLen is the length of the longest name in the dictionary.
const maxNameLen = 255

// Names is a table's dictionary of attribute names, numbered by position. It is
// immutable and safe for concurrent use.
type Names struct {
	list []string
	ids  map[string]uint32
}

// NewNames returns a dictionary of names in the order of their numbers.
func NewNames(list []string) *Names {
	n := &Names{list: list, ids: make(map[string]uint32, len(list))}
	for i, name := range list {
		n.ids[name] = uint32(i)
	}
	return n
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.list) }

// Missing returns the names of item to add to the dictionary before encoding
// it. Usually there are none, and Missing does not allocate.
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

// With returns a dictionary with more names at the end.
func (n *Names) With(added []string) *Names {
	list := make([]string, 0, len(n.list)+len(added))
	list = append(list, n.list...)
	return NewNames(append(list, added...))
}

// Selection is a set of top-level attributes to decode, resolved to the numbers
// of one dictionary.
type Selection struct {
	names  *Names
	known  []bool
	inline map[string]bool
	count  int
}

// Select resolves attribute names.
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
