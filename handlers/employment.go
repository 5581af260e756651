package handlers

import (
	"context"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

var storeEmployeeColumns = []web.Column[store.StoreEmployee]{
	referColumn("StoreID", func(e store.StoreEmployee) string { return e.StoreID }),
	{Name: "PersonID", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.PersonID) }},
	{Name: "Name", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Name) }},
	{Name: "Position", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Position) }},
	{Name: "From", Cell: func(e store.StoreEmployee) web.Cell { return calendarDay(e.From) }},
	{Name: "To", Cell: func(e store.StoreEmployee) web.Cell { return calendarDay(e.To) }},
}

var employmentColumns = []web.Column[store.Employment]{
	{Name: "EmploymentID", Cell: func(e store.Employment) web.Cell { return web.Text(e.ID) }},
	{Name: "StoreID", Cell: func(e store.Employment) web.Cell { return web.Text(e.StoreID) }},
	{Name: "StoreName", Cell: func(e store.Employment) web.Cell { return web.Text(e.StoreName) }},
	{Name: "PersonID", Cell: func(e store.Employment) web.Cell { return web.Text(e.PersonID) }},
	{Name: "PersonName", Cell: func(e store.Employment) web.Cell { return web.Text(e.PersonName) }},
	{Name: "Position", Cell: func(e store.Employment) web.Cell { return web.Text(e.Position) }},
	{Name: "From", Cell: func(e store.Employment) web.Cell { return calendarDay(e.From) }},
	{Name: "To", Cell: func(e store.Employment) web.Cell { return calendarDay(e.To) }},
}

// employments is the list of the periods of employment at a store, or of a person.
type employments struct {
	*part[store.Employment]
}

// employments returns the part with the periods of employment that fetch reads. The query
// string can contain the year and the sort order.
func (r *request) employments(q *web.Query, id string, fetch func(store.Access, context.Context, string, store.EmploymentFilter, store.Page) (store.List[store.Employment], error)) employments {
	f := store.EmploymentFilter{Year: q.Year("year"), Grouped: web.OneOf(q, "order", []string{views.Grouped}) != ""}
	return employments{partOf(r, "employments", employmentColumns, id, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Employment], error) {
		return fetch(a, ctx, id, f, p)
	})}
}

func (e employments) view(q *web.Query) views.Employments {
	return views.Employments{Part: e.part.view(), Year: queryInput(q, "year"), Order: queryInput(q, "order")}
}

func hire(r *request, storeID string, form web.Form, found picks, wrong *store.InputErrors) (string, error) {
	from := r.dayInto(form, "from", wrong)
	h := store.NewEmployment{StoreID: storeID, Person: found.get(form)("person"), Position: strings.TrimSpace(form.Get("position")), From: from}
	if found["person"].isNew {
		if err := r.checkNewPerson(form, found["person"], wrong); err != nil {
			return "", err
		}
		if len(*wrong) > 0 {
			if from.IsZero() {
				wrong.Reject("from", "Enter the first day.")
			}
			return "", nil
		}
		someone := newRenter(form)
		h.New = &someone
	}
	return "Employee hired. First day: " + longDate(from) + ".", r.shop.StartEmployment(r.ctx(), h, form.Token())
}

// endEmployment sets or removes the last day of an employment.
func endEmployment(r *request, storeID string, form web.Form, found picks, wrong *store.InputErrors) (string, error) {
	if form.Get(views.ButtonParam) == views.ButtonKeep {
		return "Last day removed.", r.shop.KeepEmployed(r.ctx(), storeID, found.get(form)("person"), form.Token())
	}
	last := r.dayInto(form, "last", wrong)
	return "Employment ends on " + longDate(last) + ".", r.shop.EndEmployment(r.ctx(), storeID, found.get(form)("person"), last, form.Token())
}
