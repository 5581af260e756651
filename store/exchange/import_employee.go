package exchange

import (
	"fmt"

	"stockroom/store"
)

// The kinds of people, beside the kinds of references.
const (
	kindEmployee = "employee"
	kindQuota    = "quota"
)

// nonsenseOfPeople is nonsense for people and what they refer to.
func nonsenseOfPeople(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Employee:
		if len(e.Email) > maxEmail {
			return fmt.Sprintf("Its Email has %d bytes; an address has at most %d.", len(e.Email), maxEmail)
		}
		return first(
			noKey("JobID", e.JobID), noKey("DepartmentID", e.DepartmentID), noKey("LocationID", e.LocationID),
			noKey("WarehouseID", e.WarehouseID), noKey("ManagerID", e.ManagerID),
		)
	case *store.Quota:
		return first(negative("OrderTotal", e.OrderTotal), outside("Orders", e.Orders, 0))
	case *store.Reference:
		_, _, parent := e.Kind.Attributes()
		return noKey(parent, e.ParentID)
	}
	return ""
}

// nameStaff gives employees the titles of their jobs, and quotas the names of
// their reps, where the file has them elsewhere.
func nameStaff(all []*found) {
	titles, names := map[string]string{}, map[string]string{}
	for _, f := range all {
		switch e := f.entity.(type) {
		case *store.Reference:
			if e.Kind == store.Job {
				titles[e.ID] = e.Name
			}
		case *store.Employee:
			names[e.ID] = e.Name
		}
	}
	for _, f := range all {
		switch e := f.entity.(type) {
		case *store.Employee:
			e.JobTitle = either(e.JobTitle, titles[e.JobID])
		case *store.Quota:
			e.Name = either(e.Name, names[e.EmployeeID])
		}
	}
}
