package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// rentalReads is the number of renters whose rentals a preview reads in parallel.
const rentalReads = 8

// InvoiceRowID returns the ID that selects an invoice for a bulk change; see
// BulkChange.Selected.
func InvoiceRowID(i *Invoice) string { return i.OrderID + "#" + i.ID }

// RentalRowID returns the ID that selects an active rental for a bulk change; see
// BulkChange.Selected.
func RentalRowID(r *ActiveRental) string { return r.StoreID + "#" + r.PersonID + "#" + r.KayakID }

// Reasons why a reminder is not sent.
const (
	whyNoEmail       = "Not sent, because there is no email address."
	whyNoReminders   = "Not sent, because this person does not want reminders."
	whyEmployee      = "Not sent, because employees get no reminders."
	whyReminded      = "Not sent, because a reminder was already sent today."
	whyNothingDue    = "Not sent, because nothing is due."
	whyReturned      = "Not sent, because no kayak is overdue."
	whyPersonDeleted = "Not sent, because this person was not found."
)

// listInvoices returns the next rows of payment reminders; see bulkKind.list.
func (r *BulkRun) listInvoices(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	ids := r.nextSelected(stepItems)
	if len(r.Selected) == 0 {
		found, err := r.access.Invoices(ctx, r.Invoices, false, Page{Limit: stepItems, At: r.Next})
		if err != nil {
			return nil, nil, err
		}
		for i := range found.Rows {
			ids = append(ids, InvoiceRowID(&found.Rows[i]))
		}
		next = found.Next
	}
	invoices := make([]*Invoice, len(ids))
	lookups := make([]table.Lookup, len(ids))
	for i, id := range ids {
		order, invoice, _ := strings.Cut(id, "#")
		lookups[i] = lookUp(getInvoiceItself, key.Map{"orderID": order, "invoiceID": invoice}, &invoices[i])
	}
	if err := r.store.table.LookUp(ctx, lookups, true); err != nil {
		return nil, nil, err
	}
	rows, err = r.previewInvoices(ctx, ids, invoices)
	return rows, next, err
}

func (r *BulkRun) previewInvoices(ctx context.Context, ids []string, invoices []*Invoice) ([]BulkRow, error) {
	var invoiceIDs, customerIDs []string
	for _, i := range invoices {
		if i != nil {
			invoiceIDs, customerIDs = append(invoiceIDs, i.ID), append(customerIDs, i.CustomerID)
		}
	}
	var lookups []table.Lookup
	customers := lookUpRelated[Customer](&lookups, getCustomer, "customerID", customerIDs)
	if err := r.store.table.LookUp(ctx, lookups, true); err != nil {
		return nil, err
	}
	today, err := r.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	reminded, err := r.store.queuedNotices(ctx, EmailInvoiceReminder, invoiceIDs, today)
	if err != nil {
		return nil, err
	}
	rows := make([]BulkRow, len(ids))
	for n, id := range ids {
		row := BulkRow{BulkID: r.ID, Number: r.Rows + n + 1, Expires: r.Expires, Version: 1}
		row.OrderID, row.InvoiceID, _ = strings.Cut(id, "#")
		i := invoices[n]
		if i == nil {
			rows[n] = row.skip("Invoice not found.")
			continue
		}
		row.Name, row.PersonID, row.Seen = i.NumberText(), i.CustomerID, i.Version
		row.Before, row.After = i.BalanceDue().String(), calendarDay(i.DueDate)
		if c := customers[i.CustomerID]; c != nil {
			row.PersonSeen = c.Version
		}
		if why := whyNotReminded(i, customers[i.CustomerID], reminded[i.ID]); why != "" {
			row = row.skip(why)
		}
		rows[n] = row
	}
	return rows, nil
}

func whyNotReminded(i *Invoice, c *Customer, reminded bool) string {
	switch {
	case !i.CanPay():
		return whyNothingDue
	case c == nil:
		return whyPersonDeleted
	case c.Email == "":
		return whyNoEmail
	case c.NoNotices:
		return whyNoReminders
	case reminded:
		return whyReminded
	}
	return ""
}

// remindOfInvoice queues the payment reminder of a row. The ID of the email depends only
// on the invoice and the day, so an invoice has at most one reminder per day.
func (r *BulkRun) remindOfInvoice(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	var invoice *Invoice
	var customer *Customer
	err := r.store.table.LookUp(ctx, []table.Lookup{
		lookUp(getInvoiceItself, key.Map{"orderID": row.OrderID, "invoiceID": row.InvoiceID}, &invoice),
		lookUp(getCustomer, key.Map{"customerID": row.PersonID}, &customer),
	}, true)
	if err != nil {
		return err
	}
	settings, err := r.store.Settings(ctx)
	if err != nil {
		return err
	}
	today, err := r.store.Today(ctx)
	if err != nil {
		return err
	}
	if invoice == nil {
		return fail(NotFound, "Invoice %s not found.", row.InvoiceID)
	}
	if why := whyNotReminded(invoice, customer, false); why != "" {
		return fail(Invalid, "%s", why)
	}
	e := Email{ID: noticeID(EmailInvoiceReminder, invoice.ID, today), Kind: EmailInvoiceReminder, To: customer.Email, Record: orderPartition(invoice.OrderID), Document: invoice.ID}
	e.addInvoice(invoice)
	e.Values.Currency = settings.Currency
	c, err := a.change(ctx, r.rowToken(row))
	if err != nil {
		return err
	}
	c.Check(invoice, row.Seen)
	c.Check(customer, row.PersonSeen)
	return r.queueReminder(ctx, c, e, also)
}

// queueReminder commits a change with an email and the write of its row. It returns Invalid
// if the email was already queued today.
func (r *BulkRun) queueReminder(ctx context.Context, c *change, e Email, also func(*change)) error {
	also(c)
	c.recordEvent(e.event(EventEmailQueued, "to "+e.To))
	c.queueEmail(e)
	err := c.Commit(ctx)
	if KindOf(err) == Conflict {
		if _, errRead := r.store.email(ctx, e.ID); errRead == nil {
			return fail(Invalid, "%s", whyReminded)
		}
	}
	return err
}

// reminderOutdated returns why a queued payment reminder must no longer be sent, or "".
func (s *Store) reminderOutdated(ctx context.Context, e *Email) (string, error) {
	invoice, err := readConsistently[*Invoice](ctx, s, getInvoiceItself, key.Map{"orderID": e.Values.OrderID, "invoiceID": e.Document})
	switch {
	case KindOf(err) == NotFound:
		return "Not sent, because the invoice no longer exists.", nil
	case err == nil && !invoice.CanPay():
		return whyNothingDue, nil
	}
	return "", err
}

// checkRentals returns Invalid if the user does not manage the stores of the selected
// rentals. It replaces the selected rentals with their renters, because each renter gets
// one email. It also sets Places.
func (b *BulkChange) checkRentals(a Access) error {
	if err := b.checkSelected(3); err != nil {
		return err
	}
	var renters []string
	for _, selected := range b.Selected {
		ids := strings.Split(selected, "#")
		if !a.user.InChargeOfStore(ids[0]) {
			return InvalidField("", "Select only rentals of stores that you manage.")
		}
		if !slices.Contains(renters, ids[1]) {
			renters = append(renters, ids[1])
		}
	}
	b.Selected = renters
	if own, limited := a.ownStores(); limited {
		for _, id := range own {
			b.Places = append(b.Places, StoreScope+id)
		}
	}
	return nil
}

// listRenters returns the next rows of reminders of overdue kayaks; see bulkKind.list. Each
// renter has one row.
func (r *BulkRun) listRenters(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	today, err := r.store.Today(ctx)
	if err != nil {
		return nil, nil, err
	}
	ids := r.nextSelected(stepItems)
	if len(r.Selected) == 0 {
		if ids, next, err = r.nextRenters(ctx, today); err != nil {
			return nil, nil, err
		}
	}
	renters, err := r.access.renters(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	reminded, err := r.store.queuedNotices(ctx, EmailRentalNotice, ids, today)
	if err != nil {
		return nil, nil, err
	}
	rows = make([]BulkRow, len(ids))
	reads, readCtx := errgroup.WithContext(ctx)
	reads.SetLimit(rentalReads)
	for n, id := range ids {
		reads.Go(table.Recovering(func() error {
			notice, err := r.rentalReminder(readCtx, r.access, id, today)
			if err != nil {
				return err
			}
			row := BulkRow{BulkID: r.ID, Number: r.Rows + n + 1, PersonID: id, Before: rentedText(notice), Expires: r.Expires, Version: 1}
			if why := whyRenterNotReminded(notice, renters[id], reminded[id]); why != "" {
				row = row.skip(why)
			}
			rows[n] = row
			return nil
		}))
	}
	return rows, next, reads.Wait()
}

// nextRenters returns the renters of the next overdue rentals, without renters who
// already have a row. It records them in r.listed.
func (r *BulkRun) nextRenters(ctx context.Context, today time.Time) (ids []string, next *Position, err error) {
	page := Page{Limit: stepItems, At: r.Next}
	due, err := r.access.RentalsDue(ctx, time.Time{}, today.AddDate(0, 0, -1), page)
	if err != nil {
		return nil, nil, err
	}
	if !r.access.user.InChargeOfAll() { // for managers, RentalsDue returns all rentals at once, so limit them here
		due = pageOfSorted(due.Rows, page, dueKey)
	}
	for i := range due.Rows {
		if id := due.Rows[i].PersonID; r.listed[id] == 0 {
			r.listed[id]++
			ids = append(ids, id)
		}
	}
	return ids, due.Next, nil
}

// rentalReminder returns a notice that lists the overdue kayaks of a renter, from at most
// maxNoticeRentals rentals. It also lists kayaks that are due tomorrow, because a renter
// gets at most one notice per day.
func (r *BulkRun) rentalReminder(ctx context.Context, a Access, personID string, today time.Time) (*Notice, error) {
	n := &Notice{Kind: EmailRentalNotice, Recipient: personID, EmailNotice: EmailNotice{Day: today}}
	rented, err := a.RentedByPerson(ctx, personID, Page{Limit: maxNoticeRentals})
	n.addRentalsOf(rented.Rows, func(due, day time.Time) NoticeKind {
		if due.Before(day) {
			return NoticeOverdue
		}
		return rentalNotice(due, day)
	})
	return n, err
}

func rentedText(n *Notice) string {
	var kayaks []string
	for _, s := range n.Sections {
		for _, row := range s.Rows {
			kayaks = append(kayaks, fmt.Sprintf("%s (%s, due %s)", row.Name, row.Place, longDay(row.Day)))
		}
		if s.More {
			kayaks = append(kayaks, "others")
		}
	}
	return strings.Join(kayaks, ", ")
}

func whyRenterNotReminded(n *Notice, renter *Renter, reminded bool) string {
	switch {
	case len(n.Section(NoticeOverdue).Rows) == 0:
		return whyReturned
	case renter == nil:
		return whyPersonDeleted
	case renter.NameOnly || renter.Employee && renter.NoNotices && !renter.Customer:
		return whyEmployee
	case renter.Email == "":
		return whyNoEmail
	case renter.NoNotices:
		return whyNoReminders
	case reminded:
		return whyReminded
	}
	return ""
}

// remindOfRentals queues the reminder of a row. The reminder has the same ID as the
// renter's daily notice, so the renter gets only one of them a day.
func (r *BulkRun) remindOfRentals(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	today, err := r.store.Today(ctx)
	if err != nil {
		return err
	}
	notice, err := r.rentalReminder(ctx, a, row.PersonID, today)
	if err != nil {
		return err
	}
	renter, err := a.Renter(ctx, row.PersonID)
	if err != nil && KindOf(err) != NotFound {
		return err
	}
	if why := whyRenterNotReminded(notice, renter, false); why != "" {
		return fail(Invalid, "%s", why)
	}
	if rentedText(notice) != row.Before {
		return errOutdated()
	}
	notice.To, notice.record = renter.Email, renter.partition()
	c, err := a.change(ctx, r.rowToken(row))
	if err != nil {
		return err
	}
	for i := range notice.rentals {
		c.Check(&notice.rentals[i], notice.rentals[i].Version)
	}
	return r.queueReminder(ctx, c, notice.email(), also)
}
