package demo

import (
	"fmt"
	"time"

	"stockroom/store"
)

const firstEmployment = 30_001

// guide is the ID of the job of store employees.
const guide = "GUIDE"

// addStoreStaff adds the employees of the stores. Some of them have changed stores or have
// left. Some have returned to a store, or work at two stores.
func (g *generator) addStoreStaff() {
	g.addDepartment("Kayak rental", g.departments[0].ParentID)
	employments := 0
	for n := range g.size.StoreStaff {
		g.addEmployee(guide, "Kayak rental", fmt.Sprint(firstEmployee), nil)
		e := g.entities[len(g.entities)-1].(*store.Employee)
		h := storeHistory{generator: g, employee: e, from: e.HireDate, employments: &employments}
		at := n % len(g.stores) // so that every store has an employee
		for g.chance(45) && h.from.Before(g.now.AddDate(-1, 0, 0)) {
			until := h.from.AddDate(0, g.intBetween(3, 10), 0)
			h.add(at, until)
			h.from = until.AddDate(0, g.intBetween(0, 6), 1)
			if !g.chance(40) { // otherwise the person comes back to the same store
				at = g.intBetween(0, len(g.stores)-1)
			}
		}
		if h.from.After(g.now) {
			continue
		}
		if left := h.from.AddDate(0, g.intBetween(3, 20), 0); n >= len(g.stores) && g.chance(20) && left.Before(g.now) {
			h.add(at, left)
			continue
		}
		h.add(at, time.Time{})
		if g.chance(10) {
			h.add((at+1+g.intBetween(0, len(g.stores)-2))%len(g.stores), time.Time{})
		}
	}
}

// storeHistory adds the employments of one person.
type storeHistory struct {
	*generator
	employee    *store.Employee
	from        time.Time
	employments *int // number of employments of all people
}

// add adds an employment at the store h.stores[at]. If the argument until is zero, the
// employment is current.
func (h *storeHistory) add(at int, until time.Time) {
	s := &h.stores[at]
	*h.employments++
	e := store.Employment{
		ID:         fmt.Sprint(firstEmployment + *h.employments),
		StoreID:    s.ID,
		PersonID:   h.employee.ID,
		From:       h.from,
		To:         until,
		Position:   pick(h.generator, []string{"Guide", "Counter", "Workshop", "Store manager"}),
		StoreName:  s.Name,
		PersonName: h.employee.Name,
		Version:    1,
	}
	h.generator.add(&e)
	if until.IsZero() {
		h.generator.add(&store.StoreEmployee{
			StoreID: s.ID, PersonID: e.PersonID, EmploymentID: e.ID, From: e.From, Position: e.Position, Name: e.PersonName, Version: 1,
		})
	}
}
