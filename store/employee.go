package store

import (
	"time"

	"stockroom/store/table"
)

// Employee is a member of staff. An employee who rents kayaks has the same ID as a renter.
// Each customer and order can have an account rep, who is an employee. Only users with the
// permission ReadStaff see private fields.
type Employee struct {
	ID           string
	Name         string
	Email        string    `json:",omitempty"`
	Phones       []string  `json:",omitempty"` // private
	HireDate     time.Time `json:",omitzero"`  // at midnight UTC; private
	JobID        string    `json:",omitempty"`
	JobTitle     string    `json:",omitempty"` // copied from the job, for lists
	DepartmentID string    `json:",omitempty"` // private
	LocationID   string    `json:",omitempty"`
	WarehouseID  string    `json:",omitempty"` // place of work; managers see only employees of their own warehouses and stores
	ManagerID    string    `json:",omitempty"` // an employee ID; private
	Address      Address   `json:",omitzero"`  // private
	Version      int
}

func (*Employee) EntityType() string { return "employee" }

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
	a.Nested("Address", e.Address.attributes)
	a.Version(&e.Version)
}

func (e Employee) withoutPrivate() Employee {
	e.Phones, e.HireDate, e.DepartmentID, e.ManagerID = nil, time.Time{}, "", ""
	e.Address = Address{}
	return e
}
