package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Event records who changed what, when and why. The transaction of a change stores
// its event in the partition of the changed record.
type Event struct {
	ID        string
	Partition string `json:"About"` // the partition key of the record, such as o#12345
	When      time.Time
	By        string    // the user's name, or "stockroom" for the program itself
	What      EventCode // a code, or a sentence in older events; see Sentence
	Subject   string    `json:",omitempty"` // the variable part of the sentence, such as a shipment ID
	Why       string    `json:",omitempty"`
	Before    string    `json:",omitempty"`
	After     string    `json:",omitempty"`
	Token     string    `json:"-"` // form token; see form_token.go
}

func (*Event) EntityType() string { return "event" }

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
	a.Text("What", (*string)(&e.What))
	a.Text("Subject", &e.Subject)
	a.Text("Why", &e.Why)
	a.Text("Before", &e.Before)
	a.Text("After", &e.After)
	a.Text("Token", &e.Token)
	a.FixedVersion()
}
