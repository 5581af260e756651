package codec

// MaxNames bounds a table's dictionary. A table that is used as a map of maps
// (a new attribute name with every item) must not grow a dictionary that is
// held in memory; names beyond the bound are stored with their items.
const MaxNames = 8192

// maxNameLen is the longest name that the dictionary takes.
const maxNameLen = 255

// Names is a table's dictionary of attribute names: a name's number is its
// place. A Names never changes, so readers share it without a lock; With
// makes the next one.
type Names struct {
	list []string
	ids  map[string]uint32
}

// NewNames makes a dictionary of names in the order of their numbers.
func NewNames(list []string) *Names {
	n := &Names{list: list, ids: make(map[string]uint32, len(list))}
	for i, name := range list {
		n.ids[name] = uint32(i)
	}
	return n
}

// Len is the number of names.
func (n *Names) Len() int { return len(n.list) }

// List returns the names in the order of their numbers; it is not to be changed.
func (n *Names) List() []string { return n.list }

// Missing returns those names of item that the dictionary should take before
// item is encoded; nil, the usual case, without an allocation.
func (n *Names) Missing(item Item) []string {
	var missing []string
	for name := range item {
		if _, known := n.ids[name]; known || len(name) > maxNameLen {
			continue
		}
		if n.Len()+len(missing) >= MaxNames {
			break
		}
		missing = append(missing, name)
	}
	return missing
}

// With returns a dictionary that has added behind n's names.
func (n *Names) With(added []string) *Names {
	list := make([]string, 0, len(n.list)+len(added))
	list = append(list, n.list...)
	return NewNames(append(list, added...))
}

// Wanted is a choice of top-level attributes, resolved against one dictionary
// so that a decoder decides by number.
type Wanted struct {
	names  *Names
	known  []bool
	inline map[string]bool
	count  int
}

// Want resolves a choice of attribute names.
func (n *Names) Want(attributes []string) *Wanted {
	w := &Wanted{names: n, known: make([]bool, len(n.list))}
	for _, name := range attributes {
		id, ok := n.ids[name]
		switch {
		case ok && !w.known[id]:
			w.known[id] = true
			w.count++
		case !ok && !w.inline[name]:
			if w.inline == nil {
				w.inline = make(map[string]bool)
			}
			w.inline[name] = true
			w.count++
		}
	}
	return w
}
