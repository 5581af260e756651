package store

import "time"

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

func (e *Employment) write(a *attributes) {
	a.text("From", calendarDay(e.From))
	a.text("To", calendarDay(e.To))
	a.text("Position", e.Position)
	a.text("StoreName", e.StoreName)
	a.text("PersonName", e.PersonName)
	a.number(attrVersion, e.Version)
}

func decodeEmployment(item Item) (Entity, error) {
	f := fields{item: item}
	e := &Employment{
		ID:         f.after(attrPK, "v1#employment#employmentULID#"),
		StoreID:    f.after("GSI2-PK", "v1#employment#"),
		PersonID:   f.after("GSI3-PK", "v1#employment#"),
		From:       f.time("From"),
		To:         f.time("To"),
		Position:   f.text("Position"),
		StoreName:  f.text("StoreName"),
		PersonName: f.text("PersonName"),
		Version:    f.number(attrVersion),
	}
	return e, f.err
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

func (e *StoreEmployee) write(a *attributes) {
	a.text("EmploymentID", e.EmploymentID)
	a.text("From", calendarDay(e.From))
	a.text("Position", e.Position)
	a.text("Name", e.Name)
	a.number(attrVersion, e.Version)
}

func decodeStoreEmployee(item Item) (Entity, error) {
	f := fields{item: item}
	e := &StoreEmployee{
		StoreID:      f.after(attrPK, storePrefix),
		PersonID:     f.after(attrSK, "employee#metadata#personULID#"),
		EmploymentID: f.text("EmploymentID"),
		From:         f.time("From"),
		Position:     f.text("Position"),
		Name:         f.text("Name"),
		Version:      f.number(attrVersion),
	}
	return e, f.err
}
