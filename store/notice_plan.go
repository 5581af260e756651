package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// PlannedNotice is a notice that a run would queue now.
type PlannedNotice struct {
	Kind      EmailKind
	Recipient string // name of the user, ID of the renter, or both a user and a saved view; see ViewOfRecipient
	Name      string `json:",omitempty"` // name of the renter
	To        string
	Notice    EmailNotice
	View      string `json:",omitempty"` // name of the saved view
}

// plannedManagers is the maximum number of managers on a page of a dry run. It is small,
// because the notice of each manager takes several queries.
const plannedManagers = 5

// NoticesToRenters lists the notices to renters that a run for a day would queue now. It
// changes nothing. Each page is computed from one page of rentals, so a page can be empty.
func (a Access) NoticesToRenters(ctx context.Context, day time.Time, page Page) (List[PlannedNotice], error) {
	from, last := noticeRange(day)
	due, err := a.RentalsDue(ctx, from, last, page)
	if err != nil {
		return List[PlannedNotice]{}, err
	}
	planned := List[PlannedNotice]{Prev: due.Prev, Next: due.Next, Unreadable: due.Unreadable}
	due.Rows = slices.DeleteFunc(due.Rows, func(r ActiveRental) bool { return rentalNotice(r.Due, day) == "" })
	byRenter := map[string][]ActiveRental{}
	var ids []string
	for _, r := range due.Rows {
		if byRenter[r.PersonID] == nil {
			ids = append(ids, r.PersonID)
		}
		byRenter[r.PersonID] = append(byRenter[r.PersonID], r)
	}
	renters, err := a.renters(ctx, ids)
	if err != nil {
		return planned, err
	}
	queued, err := a.store.queuedNotices(ctx, EmailRentalNotice, ids, day)
	if err != nil {
		return planned, err
	}
	for _, id := range ids {
		n := Notice{Kind: EmailRentalNotice, Recipient: id, EmailNotice: EmailNotice{Day: day}}
		n.addRentals(byRenter[id])
		if renter := renters[id]; renter != nil && renter.getsNotices() && !queued[id] {
			planned.Rows = append(planned.Rows, PlannedNotice{Kind: n.Kind, Recipient: id, Name: renter.Name, To: renter.Email, Notice: n.EmailNotice})
		}
	}
	if planned.Next != nil { // later rentals may cause notices
		unread := *planned.Next
		unread.Unread = true
		planned.Next = &unread
	}
	return planned, nil
}

// renters reads the renters with the given IDs, and returns those that exist, by ID.
func (a Access) renters(ctx context.Context, ids []string) (map[string]*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var lookups []table.Lookup
	customers := lookUpRelated[Customer](&lookups, getCustomer, "customerID", ids)
	employees := lookUpRelated[Employee](&lookups, getEmployee, "employeeID", ids)
	people := lookUpRelated[Person](&lookups, getPerson, "personULID", ids)
	if len(lookups) == 0 {
		return nil, nil
	}
	err := a.store.table.LookUp(ctx, lookups, false)
	found := map[string]*Renter{}
	for _, id := range ids {
		if r := a.renterOf(id, customers[id], employees[id], people[id], false); r != nil {
			found[id] = r
		}
	}
	return found, err
}

// NoticesToManagers lists the notices to managers that a run for a day would queue
// now, sorted by user name. It returns Forbidden unless the user is an admin. It
// changes nothing.
func (a Access) NoticesToManagers(ctx context.Context, day time.Time, page Page) (List[PlannedNotice], error) {
	if err := a.require(Administer); err != nil {
		return List[PlannedNotice]{}, err
	}
	managers, err := a.store.ManagersToNotify(ctx)
	if err != nil {
		return List[PlannedNotice]{}, err
	}
	managers, planned := pageOfManagers(managers, page)
	names := make([]string, len(managers))
	for i := range managers {
		names[i] = managers[i].Name
	}
	queued, err := a.store.queuedNotices(ctx, EmailManagerNotice, names, day)
	if err != nil {
		return planned, err
	}
	notices := make([]*Notice, len(managers))
	reads, readCtx := errgroup.WithContext(ctx)
	for i := range managers {
		reads.Go(table.Recovering(func() (err error) {
			notices[i], err = a.store.ManagerNotice(readCtx, names[i], day)
			return err
		}))
	}
	if err := reads.Wait(); err != nil {
		return planned, err
	}
	for _, n := range notices {
		if !n.IsEmpty() && !queued[n.Recipient] {
			planned.Rows = append(planned.Rows, PlannedNotice{Kind: n.Kind, Recipient: n.Recipient, To: n.To, Notice: n.EmailNotice})
		}
	}
	return planned, nil
}

// pageOfManagers returns the managers on a page, and an empty list with the positions of
// the previous and next page.
func pageOfManagers(managers []User, page Page) ([]User, List[PlannedNotice]) {
	rows, from := min(page.Rows(), plannedManagers), 0
	if at := page.At; at != nil {
		place, found := slices.BinarySearchFunc(managers, at.SK, func(u User, name string) int { return strings.Compare(u.Name, name) })
		switch {
		case at.Back:
			from = max(0, place-rows)
		case found:
			from = place + 1
		default:
			from = place
		}
	}
	to := min(from+rows, len(managers))
	var l List[PlannedNotice]
	if from > 0 && from < len(managers) {
		l.Prev = &Position{SK: managers[from].Name, Back: true}
	}
	if to < len(managers) {
		l.Next = &Position{SK: managers[to-1].Name}
	}
	return managers[from:to], l
}
