package store

import "stockroom/store/table"

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

func (v *View) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "view#", &v.ID)
	a.Text("Name", &v.Name)
	a.Text("Path", &v.Path)
	a.Version(&v.Version)
	if a.Decoding() {
		v.Owner = a.AfterPrefix(table.AttrPK, "user#")
	}
}

// viewsOf is the partition of a user's own views, or of those for all.
func viewsOf(owner string) string {
	if owner == "" {
		return partitionOf(getSharedViews, "", "")
	}
	return partitionOf(getOwnViews, "user", owner)
}
