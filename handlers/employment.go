package handlers

import (
	"strings"

	"stockroom/store"
	"stockroom/web"
)

var storeEmployeeColumns = []web.Column[store.StoreEmployee]{
	{Name: "StoreID", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.StoreID) }},
	{Name: "PersonID", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.PersonID) }},
	{Name: "Name", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Name) }},
	{Name: "Position", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Position) }},
	{Name: "From", Cell: func(e store.StoreEmployee) web.Cell { return calendarDay(e.From) }},
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

func hire(r *request, storeID string, form web.Form, found picks) (string, error) {
	from, err := r.day(form, "from")
	if err != nil {
		return "", err
	}
	h := store.NewEmployment{StoreID: storeID, Person: found.get(form)("person"), Position: strings.TrimSpace(form.Get("position")), From: from}
	if found["person"].isNew {
		someone := newRenter(form)
		h.New = &someone
	}
	return "Hired from " + longDate(from) + ".", r.shop.StartEmployment(r.ctx(), h, form.Token())
}

func endEmployment(r *request, storeID string, form web.Form, _ picks) (string, error) {
	last, err := r.day(form, "last")
	if err != nil {
		return "", err
	}
	return "Employment ends on " + longDate(last) + ".", r.shop.EndEmployment(r.ctx(), storeID, form.Get("person"), last, form.Token())
}
