package store

import (
	"time"

	"stockroom/store/table"
)

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

func (e *Employee) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "e#", &e.ID)
	a.Text("Name", &e.Name)
	a.Text("Email", &e.Email)
	a.Texts("Phones", &e.Phones)
	a.Date("HireDate", &e.HireDate)
	a.Text("JobID", &e.JobID)
	a.Text("JobTitle", &e.JobTitle)
	a.Text("DepartmentID", &e.DepartmentID)
	a.Text("LocationID", &e.LocationID)
	a.Text("WarehouseID", &e.WarehouseID)
	a.Text("ManagerID", &e.ManagerID)
	a.Version(&e.Version)
}

// withoutPrivate is an employee as everybody may see them.
func (e Employee) withoutPrivate() Employee {
	e.Phones, e.HireDate, e.DepartmentID, e.ManagerID = nil, time.Time{}, "", ""
	return e
}
