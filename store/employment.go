package store

import (
	"time"

	"stockroom/store/table"
)

// Employment is a time that somebody worked at a store. Who comes back has
// another one; who works at two stores has two.
type Employment struct {
	ID       string
	StoreID  string
	PersonID string
	From     time.Time // the first day, at midnight UTC
	To       time.Time `json:",omitzero"` // the last; zero: they are still there
	Position string    `json:",omitempty"`

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	Version    int
}

// EntityType implements Entity.
func (*Employment) EntityType() string { return "employmentRelationship" }

// KeyValue implements Entity.
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

func (e *Employment) write(a *table.Attributes) {
	a.Text("From", calendarDay(e.From))
	a.Text("To", calendarDay(e.To))
	a.Text("Position", e.Position)
	a.Text("StoreName", e.StoreName)
	a.Text("PersonName", e.PersonName)
	a.Number(table.AttrVersion, e.Version)
}

func decodeEmployment(item Item) (Entity, error) {
	f := table.NewFields(item)
	e := &Employment{
		ID:         f.After(table.AttrPK, "v1#employment#employmentULID#"),
		StoreID:    f.After("GSI2-PK", "v1#employment#"),
		PersonID:   f.After("GSI3-PK", "v1#employment#"),
		From:       f.Time("From"),
		To:         f.Time("To"),
		Position:   f.Text("Position"),
		StoreName:  f.Text("StoreName"),
		PersonName: f.Text("PersonName"),
		Version:    f.Number(table.AttrVersion),
	}
	return e, f.Err()
}

// StoreEmployee is somebody who works at a store now. It stands beside the
// Employment that stays, and is written and removed in the same transactions.
type StoreEmployee struct {
	StoreID      string
	PersonID     string
	EmploymentID string
	From         time.Time // the first day, at midnight UTC
	Position     string    `json:",omitempty"`
	Name         string    `json:",omitempty"` // the person's, copied for lists
	Version      int
}

// EntityType implements Entity.
func (*StoreEmployee) EntityType() string { return "storeEmployee" }

// KeyValue implements Entity.
func (e *StoreEmployee) KeyValue(name string) string {
	switch name {
	case "storeULID":
		return e.StoreID
	case "personULID":
		return e.PersonID
	}
	return ""
}

func (e *StoreEmployee) write(a *table.Attributes) {
	a.Text("EmploymentID", e.EmploymentID)
	a.Text("From", calendarDay(e.From))
	a.Text("Position", e.Position)
	a.Text("Name", e.Name)
	a.Number(table.AttrVersion, e.Version)
}

func decodeStoreEmployee(item Item) (Entity, error) {
	f := table.NewFields(item)
	e := &StoreEmployee{
		StoreID:      f.After(table.AttrPK, storePrefix),
		PersonID:     f.After(table.AttrSK, "employee#metadata#personULID#"),
		EmploymentID: f.Text("EmploymentID"),
		From:         f.Time("From"),
		Position:     f.Text("Position"),
		Name:         f.Text("Name"),
		Version:      f.Number(table.AttrVersion),
	}
	return e, f.Err()
}
