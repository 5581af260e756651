package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

const firstEmployee = 9001

// office is where those work who work in no warehouse.
const office = "Stockholm"

// jobs are what people do, by the IDs of the jobs.
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

// regions are where the countries of the warehouses lie.
var regions = []struct {
	name      string
	countries []string // code, name
}{
	{"Northern Europe", []string{"DK Denmark", "SE Sweden"}},
	{"Central Europe", []string{"DE Germany", "PL Poland"}},
	{"Western Europe", []string{"ES Spain", "FR France"}},
}

// posts are the jobs of the office, with the department each belongs to.
var posts = []struct {
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

// crew are the jobs of a warehouse, the first of whom the others work for. An
// account rep of its own looks after customers nearby.
var crew = []struct {
	job   string
	count int
}{
	{"STOCK_MAN", 1}, {accountRep, 1}, {"PACKER", 5}, {"DRIVER", 2},
}

// makeReferences says where the business is and what its people do.
func (g *generator) makeReferences() {
	places := map[string]string{} // the location IDs, by city
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
				places[city] = fmt.Sprint(1001 + len(places))
				add(store.Location, places[city], city, code)
			}
		}
	}
	for i, post := range posts {
		if i == 0 || posts[i-1].department != post.department {
			g.department(post.department, places[office])
		}
	}
	for _, w := range g.warehouses {
		g.department("Warehouse "+w.Name, places[w.Address.City])
	}
	for _, j := range jobs {
		add(store.Job, j.ID, j.Name, "")
	}
}

func (g *generator) department(name, place string) {
	d := store.Reference{Kind: store.Department, ID: fmt.Sprint(11 + len(g.departments)), Name: name, ParentID: place, Version: 1}
	g.departments = append(g.departments, d)
	g.add(&d)
}

// makeEmployees hires everybody, those first for whom others work.
func (g *generator) makeEmployees() {
	director, head := "", ""
	for _, post := range posts {
		for n := range post.count {
			manager := head
			if n == 0 && post.job != accountRep {
				manager = director
			}
			id := g.hire(post.job, post.department, manager, nil)
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
		for _, c := range crew {
			for range c.count {
				id := g.hire(c.job, "Warehouse "+w.Name, manager, w)
				if manager == director {
					manager = id
				}
			}
		}
	}
}

// hire finds somebody for a job: in a warehouse mostly somebody from there.
func (g *generator) hire(job, department, manager string, w *store.Warehouse) string {
	from := g.country()
	if w != nil && !g.chance(20) {
		from = countries[slices.IndexFunc(countries, func(p people) bool { return p.country == w.Address.Country })]
	}
	name, latin := g.name(from)
	d := g.departments[slices.IndexFunc(g.departments, func(d store.Reference) bool { return d.Name == department })]
	e := store.Employee{
		ID: fmt.Sprint(firstEmployee + g.hired), Name: name, Email: latin + "@stockroom.example", Phones: []string{from.code + g.Numerify("### ## ##")},
		JobID: job, JobTitle: jobs[slices.IndexFunc(jobs, func(j store.Reference) bool { return j.ID == job })].Name,
		DepartmentID: d.ID, LocationID: d.ParentID, ManagerID: manager, Version: 1,
	}
	if w != nil {
		e.WarehouseID = w.ID
	}
	// Account reps were there before the first order, the others came and come.
	days := g.IntRange(20, 12*365)
	if job == accountRep {
		days = g.IntRange(months*31, 12*365)
		g.reps = append(g.reps, e.ID)
	}
	hired := g.now.AddDate(0, 0, -days)
	e.HireDate = time.Date(hired.Year(), hired.Month(), hired.Day(), 0, 0, 0, 0, time.UTC)
	g.hired++
	g.add(&e)
	return e.ID
}

// rep is who looks after a customer: nobody after a quarter of them, and the
// first reps after more than the last.
func (g *generator) rep() string {
	if g.chance(25) {
		return ""
	}
	return g.reps[min(g.IntRange(0, len(g.reps)-1), g.IntRange(0, len(g.reps)-1))]
}
