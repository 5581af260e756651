package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Event records who changed what, when and why. Events also record sign-ins and
// downloads. The transaction of a change stores the event in the partition of the
// changed record.
type Event struct {
	ID        string
	Partition string `json:"About"` // the partition key of the record, such as o#12345
	When      time.Time
	By        string    // the user's name, Program, or UnknownUser
	What      EventCode // a code, or a sentence in older events; see Sentence
	Subject   string    `json:",omitempty"` // the variable part of the sentence, such as a shipment ID
	Why       string    `json:",omitempty"`
	Before    string    `json:",omitempty"`
	After     string    `json:",omitempty"`
	Token     string    `json:"-"`          // form token; see form_token.go
	Values    string    `json:"-"`          // encoded EventValues, such as those that an undo restores; "" if there are none
	Undoes    string    `json:",omitempty"` // ID of the event that this change undid; "" for other changes
	Audience  string    `json:"-"`          // who sees the event in their News; "" for nobody. See newsForAll

	// Exports omit the next attributes, and the others in attributesOfTable.
	Address    string    `json:",omitempty"` // IP address of the client, or only its network for failed sign-ins; see EventCode.hasAddress
	Attempts   int       `json:",omitempty"` // number of downloads, failed sign-ins or refused access tokens that the event counts
	Rows       int       `json:",omitempty"` // number of rows of all downloads that the event counts
	Attempt    string    `json:"-"`          // keyed hash of the hour, the code, the user name and the network; set for failed sign-ins and refused access tokens
	ImportedBy string    `json:",omitempty"` // the user who imported the event
	Imported   time.Time `json:",omitzero"`  // time of the import; zero if the event was not imported, or was imported by an earlier program version
	Redacted   string    `json:"-"`          // hashes of the event before personal data was erased; see AuditKeys.redact
	Expires    time.Time `json:"-"`          // TTL; only if EventCode.isAccess returns true

	// A change that undoes this event sets the next attributes.
	UndoneBy string    `json:",omitempty"` // user name; "" if the change was not undone
	Undone   time.Time `json:",omitzero"`
}

// attributesOfTable lists the attributes of an event that concern only this table. Exports
// omit them, and comparisons with files ignore them.
var attributesOfTable = []string{"Address", "Attempts", "Rows", "Attempt", "ImportedBy", "Imported", "Redacted", "Values", "Undoes", "UndoneBy", "Undone", "Audience", "GSI3-PK", "GSI3-SK", "GSI4-PK", "GSI4-SK", table.AttrTTL}

// ForExport returns a copy of the event without the attributes that concern only this
// table.
func (e *Event) ForExport() *Event {
	exported := *e
	exported.Address, exported.Attempts, exported.Rows, exported.Attempt, exported.ImportedBy, exported.Expires = "", 0, 0, "", "", time.Time{}
	exported.Imported, exported.Undone, exported.Redacted = time.Time{}, time.Time{}, ""
	exported.Values, exported.Undoes, exported.UndoneBy, exported.Audience = "", "", "", ""
	return &exported
}

func (*Event) EntityType() string { return "event" }

// KeyValue returns the value of a placeholder. Events of the program have no key in the
// index of users, because all jobs of all servers would write to one partition.
func (e *Event) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return e.ID
	case "partition":
		return e.Partition
	case "day":
		return e.When.UTC().Format(key.Day)
	case "user":
		if e.By != Program {
			return e.By
		}
	case "importDay":
		if !e.Imported.IsZero() {
			return e.Imported.UTC().Format(key.Day)
		}
	case "newsMonth":
		switch month := e.When.UTC().Format(key.Month); {
		case e.Audience == "":
		case e.What == EventNote:
			return newsNotes + month
		default:
			return month
		}
	case "newsShard":
		if e.What == EventNote {
			return key.Shard(e.ID, 1)
		}
		return key.Shard(e.ID, NewsShards)
	case "when":
		return key.Time(e.When)
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
	a.Text("Address", &e.Address)
	a.OptionalNumber("Attempts", &e.Attempts)
	a.OptionalNumber("Rows", &e.Rows)
	a.Text("Attempt", &e.Attempt)
	a.Text("ImportedBy", &e.ImportedBy)
	a.Time("Imported", &e.Imported)
	a.Text("Redacted", &e.Redacted)
	a.Seconds(table.AttrTTL, &e.Expires)
	a.Text("Values", &e.Values)
	a.Text("Undoes", &e.Undoes)
	a.Text("UndoneBy", &e.UndoneBy)
	a.Time("Undone", &e.Undone)
	a.Text("Audience", &e.Audience)
	a.FixedVersion()
}
