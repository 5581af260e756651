package store

import (
	"slices"

	"stockroom/store/table"
)

// SavedView is a list with filters that a user has saved under a name, for themselves
// or for all users.
type SavedView struct {
	ID      string
	Owner   string `json:",omitempty"` // user name; "" if the view is shared
	Name    string
	Path    string        // path and query of the list
	Email   ViewFrequency `json:",omitempty"` // how often the owner gets the list by email
	Version int
}

func (*SavedView) EntityType() string { return "view" }

func (v *SavedView) KeyValue(name string) string {
	switch name {
	case "id":
		return v.ID
	case "partition":
		return viewsOf(v.Owner)
	case "email":
		if v.Owner != "" && slices.Contains(ViewFrequencies, v.Email) {
			return string(v.Email)
		}
	}
	return ""
}

func (v *SavedView) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "view#", &v.ID)
	a.Text("Name", &v.Name)
	a.Text("Path", &v.Path)
	a.Text("Email", (*string)(&v.Email))
	a.Version(&v.Version)
	if a.Decoding() {
		v.Owner = a.AfterPrefix(table.AttrPK, "user#")
	}
}

// viewsOf returns the partition of the views of a user. For shared views, owner is
// "".
func viewsOf(owner string) string {
	if owner == "" {
		return partitionOf(getSharedViews, "", "")
	}
	return partitionOf(getOwnViews, "user", owner)
}
