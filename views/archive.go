package views

import (
	"fmt"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// Archive is the form that archives or restores a record.
type Archive struct {
	Page
	Form
	Noun       string // kind of record, such as Product
	Hint       string // explains what archiving does
	Path, Name string // path and name of the record
	Restore    bool
	Level      store.StockLevel // stock of a product to archive
	Why        ui.Input
}

// stock says how much of a product to archive is in stock, committed and incoming. It
// returns "" if nothing is, or if the numbers are unknown.
func (p Archive) stock() string {
	l := p.Level
	if l == (store.StockLevel{}) || l.Unreadable {
		return ""
	}
	return fmt.Sprintf("%s on hand, %s committed to open orders, %s incoming.", number(l.OnHand), number(l.Committed), number(l.Incoming))
}

// ArchiveTitle returns the title of the form. Its button has the same text.
func (p Archive) ArchiveTitle() string {
	if p.Restore {
		return "Restore " + strings.ToLower(p.Noun)
	}
	return "Archive " + strings.ToLower(p.Noun)
}

func (p Archive) change() ui.Change {
	action := "/archive"
	if p.Restore {
		action = "/restore"
	}
	return p.to(p.Path+action, p.ArchiveTitle(), p.Path)
}

func (p Archive) why() ui.Field {
	return ui.Field{Name: "why", Label: "Reason (optional)", Hint: "Shown in the history.", Input: p.Why}
}

// archivedLink returns the link from a list to its archived records. If the list shows
// archived records, it returns the link to the current ones.
func archivedLink(path, many string, archived bool) (url, label string) {
	if archived {
		return path, "Show current " + many
	}
	return path + "?archived=yes", "Show archived " + many
}

// orArchived returns "No archived …" if the list shows archived records. If not, it returns
// the given text for an empty list.
func orArchived(otherwise, many string, archived bool) string {
	if archived {
		return "No archived " + many + "."
	}
	return otherwise
}
