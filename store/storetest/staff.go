package storetest

import (
	"fmt"
	"time"

	"stockroom/store"
)

// Numbers of employees in the shop.
const (
	shopEmployees = 24
	shopReps      = 3
)

// AccountRep is the ID of the job of the first employees. Customers and orders refer
// to these employees.
const AccountRep = "j1"

// staff adds the employees. Employee n was hired n months before Now and works in
// warehouse n mod 4, where 3 means no warehouse. All employees except e00 report to
// e00. The first employees are account reps. Three of four customers have an account
// rep.
func (shop *Shop) staff() {
	shop.References = []store.Reference{
		{Kind: store.Region, ID: "r1", Name: "Europe", Version: 1},
		{Kind: store.Region, ID: "r2", Name: "Asia", Version: 1},
		{Kind: store.Country, ID: "co1", Name: "Sweden", ParentID: "r1", Version: 1},
		{Kind: store.Country, ID: "co2", Name: "Åland", ParentID: "gone", Version: 1},
		{Kind: store.Location, ID: "l1", Name: "Göteborg", ParentID: "co1", Version: 1},
		{Kind: store.Department, ID: "d1", Name: "Sales", ParentID: "l1", Version: 1},
		{Kind: store.Department, ID: "d2", Name: "Dispatch", Version: 1},
		{Kind: store.Job, ID: AccountRep, Name: "Account rep", Version: 1},
		{Kind: store.Job, ID: "j2", Name: "Packer", Version: 1},
	}
	names := []string{"Maja", "Åke", "Ömer", "Mara", "김서연"}
	for n := range shopEmployees {
		e := store.Employee{
			ID: fmt.Sprintf("e%02d", n), Name: fmt.Sprintf("%s %d", names[n%len(names)], n), Email: fmt.Sprintf("staff%d@example.com", n),
			Phones:   []string{fmt.Sprintf("+46 31 %d", n), "+46 70 0"},
			HireDate: time.Date(Now.Year(), Now.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC),
			JobID:    "j2", JobTitle: "Packer", DepartmentID: "d2", LocationID: "l1", Version: 1,
		}
		if n > 0 {
			e.ManagerID = shop.Employees[0].ID
		}
		if n < shopReps {
			e.JobID, e.JobTitle, e.DepartmentID = AccountRep, "Account rep", "d1"
		}
		if n%4 < shopWarehouses {
			e.WarehouseID = shop.Warehouses[n%4].ID
		}
		shop.Employees = append(shop.Employees, e)
	}
	for n := range shop.Customers {
		if n%4 < shopReps {
			shop.Customers[n].AccountRepID = shop.Employees[n%4].ID
		}
	}
}

// quotas adds the quotas, which contain the quarterly sales of each account rep.
func (shop *Shop) quotas() {
	for i := range shop.Orders {
		o := &shop.Orders[i].Order
		if o.AccountRepID == "" || o.Status == store.OrderCancelled || o.Status == store.OrderReturned {
			continue
		}
		q := shop.quota(o.AccountRepID, store.QuarterOf(o.Date))
		q.Orders++
		q.OrderTotal = q.OrderTotal.Plus(o.Total.Sum())
	}
}

func (shop *Shop) quota(rep string, period store.Quarter) *store.Quota {
	for i := range shop.Quotas {
		if q := &shop.Quotas[i]; q.EmployeeID == rep && q.Period == period {
			return q
		}
	}
	q := store.Quota{EmployeeID: rep, Period: period, Version: 1}
	for _, e := range shop.Employees {
		if e.ID == rep {
			q.Name = e.Name
		}
	}
	shop.Quotas = append(shop.Quotas, q)
	return &shop.Quotas[len(shop.Quotas)-1]
}
