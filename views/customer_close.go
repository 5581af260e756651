package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// CloseCustomer is the form that closes or reopens a customer.
type CloseCustomer struct {
	Page
	Form
	ID, Name string
	Reopen   bool
	Open     []store.EraseBlocker // what must be finished before the customer can be closed
	Why      ui.Input
}

// CloseTitle returns the title of the form. Its button has the same text.
func (p *CloseCustomer) CloseTitle() string {
	if p.Reopen {
		return "Reopen customer"
	}
	return "Close customer"
}

func (p *CloseCustomer) change() ui.Change {
	action := "/close"
	if p.Reopen {
		action = "/reopen"
	}
	return p.to(CustomerPath(p.ID)+action, p.CloseTitle(), CustomerPath(p.ID))
}

func (p *CloseCustomer) why() ui.Field {
	return ui.Field{Name: "why", Label: "Reason (optional)", Hint: "Shown in the history.", Input: p.Why}
}

// ClosedCustomersPath is the path of the page with the closed customers.
const ClosedCustomersPath = "/admin/settings/closed-customers"

// ClosedCustomers is the dry run of the daily erasure of closed customers.
type ClosedCustomers struct {
	Page
	Closed store.ClosedCustomers
}

// setting says how long the data of closed customers is kept.
func (p *ClosedCustomers) setting() string {
	if p.Closed.Days == 0 {
		return "Closed customers are not erased."
	}
	return "The personal data of customers is erased " + count(p.Closed.Days, "day", "days") + " after they were closed, at most " + number(store.MaxErasedADay) + " customers a day."
}

// count returns a number of customers, which may be incomplete.
func (p *ClosedCustomers) count(n int) string {
	if p.Closed.More {
		return "at least " + number(n)
	}
	return number(n)
}
