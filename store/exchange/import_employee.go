package exchange

import (
	"cmp"

	"stockroom/store"
)

// checkStaff returns a reason to reject an invalid employee, quota or reference, or "".
func checkStaff(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Employee:
		return first(
			longEmail(e.Email), invalidID("JobID", e.JobID), invalidID("DepartmentID", e.DepartmentID), invalidID("LocationID", e.LocationID),
			invalidID("WarehouseID", e.WarehouseID), invalidID("ManagerID", e.ManagerID),
		)
	case *store.Quota:
		return first(negative("OrderTotal", e.OrderTotal), below("Orders", e.Orders, 0))
	case *store.Reference:
		_, _, parent := e.Kind.Attributes()
		return invalidID(parent, e.ParentID)
	}
	return ""
}

// completeStaff copies missing job titles of employees from their jobs, and missing names
// of quotas from their employees.
func (d *dataset) completeStaff() {
	for _, r := range d.others {
		switch e := r.entity.(type) {
		case *store.Employee:
			e.JobTitle = cmp.Or(e.JobTitle, d.titles[e.JobID])
		case *store.Quota:
			e.Name = cmp.Or(e.Name, d.employees[e.EmployeeID])
		}
	}
}
