package store

import "time"

// Employee is somebody who works for the business. Their ID is their rental
// person's ID too. An account rep is an employee like others, to whom
// customers and orders refer.
type Employee struct {
	ID           string
	Name         string
	Email        string    `json:",omitempty"`
	Phones       []string  `json:",omitempty"` // private, see ReadStaff
	HireDate     time.Time `json:",omitzero"`  // midnight UTC of the calendar day; private
	JobID        string    `json:",omitempty"`
	JobTitle     string    `json:",omitempty"` // the job's, copied for lists
	DepartmentID string    `json:",omitempty"` // private
	LocationID   string    `json:",omitempty"`
	WarehouseID  string    `json:",omitempty"` // where they work; a manager sees the staff of their own only
	ManagerID    string    `json:",omitempty"` // an employee; private
	Version      int
}

// EntityType implements Entity.
func (*Employee) EntityType() string { return "employee" }

// KeyValue implements Entity.
func (e *Employee) KeyValue(name string) string {
	switch name {
	case "id":
		return e.ID
	case "name":
		return nameKey(e.Name, e.ID)
	case "warehouseID":
		return e.WarehouseID
	case "jobID":
		return e.JobID
	case "hireDate":
		return calendarDay(e.HireDate)
	}
	return ""
}

func (e *Employee) write(a *attributes) {
	a.text("Name", e.Name)
	a.text("Email", e.Email)
	a.texts("Phones", e.Phones)
	a.text("HireDate", calendarDay(e.HireDate))
	a.text("JobID", e.JobID)
	a.text("JobTitle", e.JobTitle)
	a.text("DepartmentID", e.DepartmentID)
	a.text("LocationID", e.LocationID)
	a.text("WarehouseID", e.WarehouseID)
	a.text("ManagerID", e.ManagerID)
	a.number(attrVersion, e.Version)
}

func decodeEmployee(item Item) (Entity, error) {
	f := fields{item: item}
	e := &Employee{
		ID:           f.after(attrPK, "e#"),
		Name:         f.text("Name"),
		Email:        f.text("Email"),
		Phones:       f.texts("Phones"),
		HireDate:     f.time("HireDate"),
		JobID:        f.text("JobID"),
		JobTitle:     f.text("JobTitle"),
		DepartmentID: f.text("DepartmentID"),
		LocationID:   f.text("LocationID"),
		WarehouseID:  f.text("WarehouseID"),
		ManagerID:    f.text("ManagerID"),
		Version:      f.number(attrVersion),
	}
	return e, f.err
}

// withoutPrivate is an employee as everybody may see them.
func (e Employee) withoutPrivate() Employee {
	e.Phones, e.HireDate, e.DepartmentID, e.ManagerID = nil, time.Time{}, "", ""
	return e
}
