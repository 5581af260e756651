package demo

import (
	"fmt"
	"time"

	"stockroom/store"
)

// StoreStaff is how many people work at the stores, or did.
const StoreStaff = 200

const firstEmployment = 30_001

// guide is the job of those who work at the stores.
const guide = "GUIDE"

// makeStaff hires for the stores. Some move on to another store, some come
// back to one that they left, some work at two at once, and some have left.
func (g *generator) makeStaff() {
	g.department("Kayak rental", g.departments[0].ParentID)
	times := 0
	for n := range StoreStaff {
		g.hire(guide, "Kayak rental", fmt.Sprint(firstEmployee), nil)
		e := g.entities[len(g.entities)-1].(*store.Employee)
		t := tenure{generator: g, employee: e, from: e.HireDate, times: &times}
		at := n % Stores // every store has somebody
		for g.chance(45) && t.from.Before(g.now.AddDate(-1, 0, 0)) {
			until := t.from.AddDate(0, g.IntRange(3, 10), 0)
			t.work(at, until)
			t.from = until.AddDate(0, g.IntRange(0, 6), 1)
			if !g.chance(40) { // the others come back to where they were
				at = g.IntRange(0, Stores-1)
			}
		}
		if t.from.After(g.now) {
			continue
		}
		if left := t.from.AddDate(0, g.IntRange(3, 20), 0); n >= Stores && g.chance(20) && left.Before(g.now) {
			t.work(at, left)
			continue
		}
		t.work(at, time.Time{})
		if g.chance(10) {
			t.work((at+1+g.IntRange(0, Stores-2))%Stores, time.Time{})
		}
	}
}

// tenure is somebody's time at the stores.
type tenure struct {
	*generator
	employee *store.Employee
	from     time.Time
	times    *int
}

// work lets somebody work at a store until a day, or until now.
func (t *tenure) work(at int, until time.Time) {
	s := &t.stores[at]
	*t.times++
	time := store.Employment{
		ID: fmt.Sprint(firstEmployment + *t.times), StoreID: s.ID, PersonID: t.employee.ID, From: t.from, To: until,
		Position: pick(t.generator, []string{"Guide", "Counter", "Workshop", "Store manager"}), StoreName: s.Name, PersonName: t.employee.Name, Version: 1,
	}
	t.add(&time)
	if until.IsZero() {
		t.add(&store.StoreEmployee{
			StoreID: s.ID, PersonID: time.PersonID, EmploymentID: time.ID, From: time.From, Position: time.Position, Name: time.PersonName, Version: 1,
		})
	}
}
