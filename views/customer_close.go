package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// CloseCustomer is the form that closes or reopens a customer.
type CloseCustomer struct {
	Page
	Form
	ID, Name  string
	Reopen    bool
	EraseDays int                  // days after which closed customers are erased; 0 for never
	Open      []store.EraseBlocker // what must be finished before the customer can be closed
	Why       ui.Input
}

// erasure says when the personal data of a closed customer is erased. It returns "" if
// closed customers are not erased.
func (p *CloseCustomer) erasure() string {
	if p.EraseDays == 0 {
		return ""
	}
	return "The personal data is erased on or after " + calendar(store.ErasedFrom(p.Now, p.EraseDays)) + ": " + count(p.EraseDays, "day", "days") + " after closing, plus one day because of time zones. This can't be undone."
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

// ClosedCustomers is the page that shows which closed customers the daily job would erase.
type ClosedCustomers struct {
	Page
	Closed store.ClosedCustomers
}

// setting says how long the data of closed customers is kept.
func (p *ClosedCustomers) setting() string {
	if p.Closed.Days == 0 {
		return "Closed customers are not erased."
	}
	return "The personal data of customers is erased " + count(p.Closed.Days, "day", "days") + " after the day on which they were closed, plus one day because of time zones. This happens between 03:00 and 05:00, for at most " + number(store.MaxErasedADay) + " customers a day."
}

func (p *ClosedCustomers) listTitle() string {
	if p.Closed.Days == 0 {
		return "Closed longest ago"
	}
	return "Next to be erased"
}

// count formats a number of customers. If more customers exist than were counted, the
// result begins with "at least".
func (p *ClosedCustomers) count(n int) string {
	if p.Closed.More {
		return "at least " + number(n)
	}
	return number(n)
}
