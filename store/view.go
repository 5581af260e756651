package store

import "strings"

// View is a list as somebody saved it: its address under a name, for
// themselves or for all.
type View struct {
	ID      string
	Owner   string `json:",omitempty"` // a user's name; "" where the view is for all
	Name    string
	Path    string // the local address of the list with its filters
	Version int
}

// EntityType implements Entity.
func (*View) EntityType() string { return "view" }

// KeyValue implements Entity.
func (v *View) KeyValue(name string) string {
	switch name {
	case "id":
		return v.ID
	case "partition":
		return viewsOf(v.Owner)
	}
	return ""
}

func (v *View) write(a *attributes) {
	a.text("Name", v.Name)
	a.text("Path", v.Path)
	a.number(attrVersion, v.Version)
}

func decodeView(item Item) (Entity, error) {
	f := fields{item: item}
	v := &View{
		ID:      f.after(attrSK, "view#"),
		Name:    f.text("Name"),
		Path:    f.text("Path"),
		Version: f.number(attrVersion),
	}
	if owner, own := strings.CutPrefix(f.text(attrPK), "user#"); own {
		v.Owner = owner
	}
	return v, f.err
}

// viewsOf is the partition of a user's own views, or of those for all.
func viewsOf(owner string) string {
	if owner == "" {
		return partitionOf(getSharedViews, "", "")
	}
	return partitionOf(getOwnViews, "user", owner)
}
