package handlers

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// closeReads is the number of table requests of store.Access.OpenMatters, which looks for
// open orders, invoices and other open records of a customer.
const closeReads = 7

// reopens reports whether the request reopens a customer instead of closing one.
func (r *request) reopens() bool { return strings.HasSuffix(r.route.path, "/reopen") }

func showCloseCustomer(r *request) error { return r.showForm(r.closeCustomerPage) }

func closeCustomer(r *request) error {
	form, err := r.readForm("why")
	if err != nil {
		return err
	}
	how := store.Archiving{ID: r.id(), Restore: r.reopens(), Version: form.Version(), Why: form.Get("why"), Token: form.Token()}
	done := "Customer closed."
	if how.Restore {
		done = "Customer reopened."
	}
	return r.finishChange(r.shop.CloseCustomer(r.ctx(), how), done, views.CustomerPath(r.id()), r.rerender(form, r.closeCustomerPage))
}

func (r *request) closeCustomerPage(form web.Form, rejected *store.Error) (templ.Component, error) {
	c, err := r.shop.CustomerForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.CloseCustomer{ID: c.ID, Name: cmp.Or(c.Name, c.ID), Reopen: r.reopens(), EraseDays: r.settings.EraseClosedDays, Why: formInput(form, rejected, "why")}
	if !p.Reopen {
		if p.Open, err = r.shop.OpenMatters(r.ctx(), c.ID); err != nil {
			return nil, err
		}
	}
	p.Page, p.Form = r.page(p.CloseTitle()), r.formState(form, rejected, c.Version)
	if rejected != nil && p.Problem == "" && rejected.Field == "" && len(p.Open) == 0 {
		p.Problem = rejected.Message
	}
	return views.CloseCustomerPage(p), nil
}

// showClosedCustomers shows a dry run of the daily erasure of closed customers.
func showClosedCustomers(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	closed, err := r.shop.ClosedCustomers(r.ctx())
	if err != nil {
		return err
	}
	return r.show(views.ClosedCustomersPage(views.ClosedCustomers{Page: r.page("Closed customers"), Closed: closed}))
}
