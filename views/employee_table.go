package views

import (
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// employeesTable lists staff with where they work, unless that is one place,
// and, where that was read, since when and how to reach them.
func employeesTable(p *Page, caption string, rows []store.Employee, warehouses []store.Warehouse, by ui.Sort) ui.Written {
	shown := employeeColumns{
		warehouses: warehouses,
		places:     slices.ContainsFunc(rows, func(e store.Employee) bool { return e.WarehouseID != rows[0].WarehouseID }),
		private:    slices.ContainsFunc(rows, func(e store.Employee) bool { return !e.HireDate.IsZero() || len(e.Phones) > 0 }),
	}
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Employee</th><th scope="col" class="p2">Job</th>`)
		if shown.places {
			t.HTML(`<th scope="col" class="p2">Warehouse</th>`)
		}
		t.HTML(`<th scope="col" class="p2">E-mail</th>`)
		if shown.private {
			t.HTML(`<th scope="col" class="p3">Phone</th>`)
			t.dateHeading("Hired", by)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range rows {
			t.employeeRow(&rows[i], shown)
		}
		t.HTML(`</tbody>`)
	})
}

// employeeColumns are those that a table of employees has besides the rest.
type employeeColumns struct {
	places, private bool
	warehouses      []store.Warehouse // to name them
}

func (t table) employeeRow(e *store.Employee, shown employeeColumns) {
	job := named(e.JobTitle, e.JobID)
	t.HTML(`<tr><td class="name">`)
	t.Link("/employees/", e.ID, named(e.Name, e.ID))
	t.HTML(`<span class="sub">`)
	t.Text(e.ID)
	t.HTML(`</span><span class="sub m" dir="auto">`)
	t.Text(job)
	t.HTML(`</span></td><td class="p2" dir="auto">`)
	t.Text(job)
	if shown.places {
		t.HTML(`</td><td class="p2">`)
		if e.WarehouseID != "" {
			t.Link("/warehouses/", e.WarehouseID, warehouseName(shown.warehouses, e.WarehouseID))
		}
	}
	t.HTML(`</td><td class="p2">`)
	t.Text(e.Email)
	if shown.private {
		t.HTML(`</td><td class="p3">`)
		if len(e.Phones) > 0 {
			t.Text(e.Phones[0])
		}
		t.HTML(`</td><td class="p2">`)
		t.calendar(e.HireDate)
	}
	t.HTML(`</td></tr>`)
}

// quotasTable lists what one rep sold, with the orders of each quarter a link
// away.
func quotasTable(p *Page, caption, rep string, rows []store.Quota) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Quarter</th><th scope="col" class="num">Orders</th><th scope="col" class="num">Order total</th></tr></thead><tbody>`)
		for i := range rows {
			days := rows[i].Period.Days()
			t.HTML(`<tr><td><a href="`)
			t.Address(List{Path: EmployeePath(rep), Params: []ui.Param{{Name: "from", Value: days.From.Format(time.DateOnly)}}}.With("to", days.To.Format(time.DateOnly)))
			t.HTML(`">`)
			t.Text(quarterName(rows[i].Period))
			t.HTML(`</a>`)
			t.quotaFigures(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

// repsTable ranks reps; the rank is known where the list begins.
func repsTable(p *Page, caption string, rows []store.Quota, fromFirst bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Account rep</th><th scope="col" class="num">Orders</th><th scope="col" class="num">Order total</th></tr></thead><tbody>`)
		for i := range rows {
			t.HTML(`<tr><td class="name">`)
			t.Link("/employees/", rows[i].EmployeeID, named(rows[i].Name, rows[i].EmployeeID))
			t.HTML(`<span class="sub">`)
			if fromFirst {
				t.HTML(`Rank `)
				t.Int(i + 1)
				t.HTML(` · `)
			}
			t.Text(rows[i].EmployeeID)
			t.HTML(`</span>`)
			t.quotaFigures(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) quotaFigures(q *store.Quota) {
	t.HTML(`</td><td class="num">`)
	t.count(q.Orders)
	t.HTML(`</td><td class="num">`)
	t.money(q.OrderTotal)
	t.HTML(`</td></tr>`)
}

// dialled is a number as a telephone takes it: digits and the plus before
// them.
func dialled(number string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, number)
}
