package handlers

import (
	"github.com/a-h/templ"

	"stockroom/views"
)

func listEmployeePhones(r *request) error {
	phones, err := r.shop.PhonesOfEmployee(r.ctx(), r.id())
	return respondRows(r, "phones", phoneColumns, phones, err, func(id string) templ.Component {
		return views.PhonesPage(views.Phones{Page: r.page("Phone numbers of employee " + id), ID: id, Of: "employee", Path: views.EmployeePath(id), Rows: phones})
	})
}

func listCustomerPhones(r *request) error {
	phones, err := r.shop.PhonesOfCustomer(r.ctx(), r.id())
	return respondRows(r, "phones", phoneColumns, phones, err, func(id string) templ.Component {
		return views.PhonesPage(views.Phones{Page: r.page("Phone numbers of customer " + id), ID: id, Of: "customer", Path: views.CustomerPath(id), Rows: phones})
	})
}
