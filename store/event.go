package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Event is the trace of a change: who did what to which thing, when and why.
// It lies in the partition of the thing that it is about and is written in
// the transaction that makes the change.
type Event struct {
	ID        string
	Partition string `json:"About"` // the key of what it is about, such as o#12345
	When      time.Time
	By        string // the user's name; "stockroom" where the program acted by itself
	What      string // the change in a word, such as password changed
	Why       string `json:",omitempty"`
	Before    string `json:",omitempty"`
	After     string `json:",omitempty"`
	Token     string `json:"-"` // of the form that made the change, which makes it once
}

// EntityType implements Entity.
func (*Event) EntityType() string { return "event" }

// KeyValue implements Entity.
func (e *Event) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return e.ID
	case "partition":
		return e.Partition
	case "day":
		return e.When.UTC().Format(key.Day)
	case "user":
		return e.By
	}
	return ""
}

func (e *Event) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "event#", &e.ID)
	a.FromKey(table.AttrPK, "", &e.Partition)
	a.Time("When", &e.When)
	a.Text("By", &e.By)
	a.Text("What", &e.What)
	a.Text("Why", &e.Why)
	a.Text("Before", &e.Before)
	a.Text("After", &e.After)
	a.Text("Token", &e.Token)
	a.FixedVersion()
}
