package store

import (
	"time"

	"stockroom/store/table"
)

// Employment is a period during which a person worked at a store.
type Employment struct {
	ID       string
	StoreID  string
	PersonID string
	From     time.Time // the first day, at midnight UTC
	To       time.Time `json:",omitzero"` // the last day, which can be in the future; zero if no last day is set
	Position string    `json:",omitempty"`

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	Version    int
}

func (*Employment) EntityType() string { return "employmentRelationship" }

func (e *Employment) KeyValue(name string) string {
	switch name {
	case "employmentULID":
		return e.ID
	case "storeULID":
		return e.StoreID
	case "personULID":
		return e.PersonID
	case "from":
		return calendarDay(e.From)
	}
	return ""
}

func (e *Employment) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "v1#employment#employmentULID#", &e.ID)
	a.FromKey("GSI2-PK", "v1#employment#", &e.StoreID)
	a.FromKey("GSI3-PK", "v1#employment#", &e.PersonID)
	a.Date("From", &e.From)
	a.Date("To", &e.To)
	a.Text("Position", &e.Position)
	a.Text("StoreName", &e.StoreName)
	a.Text("PersonName", &e.PersonName)
	a.Version(&e.Version)
}

// StoreEmployee is a person who works at a store, or will start there on the day From. The
// transaction that starts an Employment creates the StoreEmployee. The transaction that
// ends the Employment sets the last day of the StoreEmployee, or deletes it if this day has
// passed. TTL deletes it after the last day.
type StoreEmployee struct {
	StoreID      string
	PersonID     string
	EmploymentID string
	From         time.Time // the first day, at midnight UTC
	To           time.Time `json:",omitzero"` // the last day; zero if no last day is set
	Position     string    `json:",omitempty"`
	Name         string    `json:",omitempty"` // copied from the person, for lists
	Version      int
}

func (*StoreEmployee) EntityType() string { return "storeEmployee" }

func (e *StoreEmployee) KeyValue(name string) string {
	switch name {
	case "storeULID":
		return e.StoreID
	case "personULID":
		return e.PersonID
	}
	return ""
}

func (e *StoreEmployee) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &e.StoreID)
	a.FromKey(table.AttrSK, "employee#metadata#personULID#", &e.PersonID)
	a.Text("EmploymentID", &e.EmploymentID)
	a.Date("From", &e.From)
	a.Date("To", &e.To)
	a.Text("Position", &e.Position)
	a.Text("Name", &e.Name)
	ttl := e.To
	if !ttl.IsZero() {
		ttl = ttl.AddDate(0, 0, 2) // the last day has then passed in every time zone
	}
	a.Seconds(table.AttrTTL, &ttl)
	a.Version(&e.Version)
}

// worksOn reports whether a day (at midnight UTC) is not after the last day. TTL deletes
// items late, so lists must omit people whose last day has passed.
func (e *StoreEmployee) worksOn(day time.Time) bool { return e.To.IsZero() || !day.After(e.To) }
