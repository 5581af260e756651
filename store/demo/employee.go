package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

const firstEmployee = 9001

// office is the city of employees who do not work in a warehouse.
const office = "Stockholm"

var jobs = []store.Reference{
	{ID: "MD", Name: "Managing director"},
	{ID: "SALES_MAN", Name: "Sales manager"},
	{ID: "SALES_REP", Name: "Account rep"},
	{ID: "SUPPORT", Name: "Customer service"},
	{ID: "BUYER", Name: "Buyer"},
	{ID: "ACCOUNT", Name: "Accountant"},
	{ID: "STOCK_MAN", Name: "Warehouse manager"},
	{ID: "PACKER", Name: "Packer"},
	{ID: "DRIVER", Name: "Forklift driver"},
	{ID: guide, Name: "Kayak guide"},
}

const accountRep = "SALES_REP"

// regions contains the regions of the warehouses and the office.
var regions = []struct {
	name      string
	countries []string // each with code and name
}{
	{"Northern Europe", []string{"DK Denmark", "SE Sweden"}},
	{"Central Europe", []string{"DE Germany", "PL Poland"}},
	{"Western Europe", []string{"ES Spain", "FR France"}},
}

var officeJobs = []struct {
	job, department string
	count           int
}{
	{"MD", "Management", 1},
	{"SALES_MAN", "Sales", 1},
	{accountRep, "Sales", 8},
	{"SUPPORT", "Customer service", 6},
	{"BUYER", "Purchasing", 4},
	{"ACCOUNT", "Finance", 3},
}

// warehouseJobs contains the jobs in a warehouse. The first one is that of the manager.
var warehouseJobs = []struct {
	job   string
	count int
}{
	{"STOCK_MAN", 1}, {accountRep, 1}, {"PACKER", 5}, {"DRIVER", 2},
}

// addReferences adds regions, countries, locations, departments and jobs.
func (g *generator) addReferences() {
	locations := map[string]string{} // location IDs by city
	add := func(kind store.ReferenceKind, id, name, parent string) {
		g.add(&store.Reference{Kind: kind, ID: id, Name: name, ParentID: parent, Version: 1})
	}
	for i, r := range regions {
		id := fmt.Sprint(i + 1)
		add(store.Region, id, r.name, "")
		for _, c := range r.countries {
			code, name, _ := strings.Cut(c, " ")
			add(store.Country, code, name, id)
			cities := []string{}
			for _, w := range g.warehouses {
				if w.Address.Country == name {
					cities = append(cities, w.Address.City)
				}
			}
			if name == "Sweden" {
				cities = append(cities, office)
			}
			for _, city := range cities {
				locations[city] = fmt.Sprint(1001 + len(locations))
				add(store.Location, locations[city], city, code)
			}
		}
	}
	for i, j := range officeJobs {
		if i == 0 || officeJobs[i-1].department != j.department {
			g.addDepartment(j.department, locations[office])
		}
	}
	for _, w := range g.warehouses {
		g.addDepartment("Warehouse "+w.Name, locations[w.Address.City])
	}
	for _, j := range jobs {
		add(store.Job, j.ID, j.Name, "")
	}
}

func (g *generator) addDepartment(name, locationID string) {
	d := store.Reference{Kind: store.Department, ID: fmt.Sprint(11 + len(g.departments)), Name: name, ParentID: locationID, Version: 1}
	g.departments = append(g.departments, d)
	g.add(&d)
}

// addEmployees adds the employees. Managers come before the employees they manage.
func (g *generator) addEmployees() {
	director, head := "", ""
	for _, post := range officeJobs {
		for n := range post.count {
			manager := head
			if n == 0 && post.job != accountRep {
				manager = director
			}
			id := g.addEmployee(post.job, post.department, manager, nil)
			switch {
			case director == "":
				director = id
			case n == 0 && post.job != accountRep:
				head = id
			}
		}
	}
	for i := range g.warehouses {
		w := &g.warehouses[i]
		manager := director
		for _, c := range warehouseJobs {
			for range c.count {
				id := g.addEmployee(c.job, "Warehouse "+w.Name, manager, w)
				if manager == director {
					manager = id
				}
			}
		}
	}
}

// addEmployee adds an employee with the given job and department, and returns the
// employee's ID. Most employees of a warehouse are from its country.
func (g *generator) addEmployee(job, department, manager string, w *store.Warehouse) string {
	from := g.country()
	if w != nil && !g.chance(20) {
		from = countries[slices.IndexFunc(countries, func(c country) bool { return c.name == w.Address.Country })]
	}
	name, latin := g.name(from)
	d := g.departments[slices.IndexFunc(g.departments, func(d store.Reference) bool { return d.Name == department })]
	e := store.Employee{
		ID:       fmt.Sprint(firstEmployee + g.employees),
		Name:     name,
		Email:    g.staffEmail(latin),
		Phones:   []string{from.code + g.digits("### ## ##")},
		JobID:    job,
		JobTitle: jobs[slices.IndexFunc(jobs, func(j store.Reference) bool { return j.ID == job })].Name,

		DepartmentID: d.ID,
		LocationID:   d.ParentID,
		ManagerID:    manager,
		Version:      1,
	}
	if w != nil {
		e.WarehouseID = w.ID
	}
	// The first order can have any account rep, so all account reps were hired before it.
	days := g.intBetween(20, 12*365)
	if job == accountRep {
		days = g.intBetween(months*31, 12*365)
		g.reps = append(g.reps, e.ID)
	}
	hired := g.now.AddDate(0, 0, -days)
	e.HireDate = time.Date(hired.Year(), hired.Month(), hired.Day(), 0, 0, 0, 0, time.UTC)
	g.employees++
	g.add(&e)
	return e.ID
}

// staffEmail returns an email address for an employee whose name in Latin letters is latin.
// If several employees have the same name, their addresses differ.
func (g *generator) staffEmail(latin string) string {
	g.staffNames[latin]++
	if n := g.staffNames[latin]; n > 1 {
		latin += fmt.Sprint(n)
	}
	return latin + "@stockroom.example"
}

// rep returns the ID of a random account rep for a customer, or "" for a quarter of the
// customers. The first reps in g.reps get more customers.
func (g *generator) rep() string {
	if g.chance(25) {
		return ""
	}
	return g.reps[min(g.intBetween(0, len(g.reps)-1), g.intBetween(0, len(g.reps)-1))]
}
