package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// overdueNotices lists how many days after its due day a late kayak causes a notice.
var overdueNotices = []int{1, 3, 7}

// rentalNotice returns the section that lists a kayak in the notice of a day. It returns ""
// if the notice does not contain the kayak. due is the day when the kayak is due back.
func rentalNotice(due, day time.Time) NoticeKind {
	switch late := daysBetween(due, day); {
	case late == -1:
		return NoticeDueTomorrow
	case slices.Contains(overdueNotices, late):
		return NoticeOverdue
	}
	return ""
}

// noticeRange returns the range of due days of the kayaks that the notice of a day can
// contain.
func noticeRange(day time.Time) (from, last time.Time) {
	return day.AddDate(0, 0, -slices.Max(overdueNotices)), day.AddDate(0, 0, 1)
}

// DueRenter is a renter who may get a notice.
type DueRenter struct {
	ID  string
	Err error // a Damaged error if the rental cannot be decoded; the ID is then ""
}

// RentersInShard reads one page of the active rentals of one shard, and returns the
// renters whose kayaks can cause a notice on a day. The argument from is the key after
// which to start, or nil to start at the beginning. The result next is this argument for
// the next call, or nil at the end. Different pages and shards can contain the same
// renter. A rental that cannot be decoded gives a DueRenter with only an Err.
func (s *Store) RentersInShard(ctx context.Context, day time.Time, shard, limit int, from Item) (renters []DueRenter, next Item, err error) {
	values := dueBetween(noticeRange(day))
	values["shard"] = strconv.Itoa(shard)
	items, next, err := s.table.QueryOnce(ctx, table.Request{Pattern: getActiveRentalsDue, Values: values, Limit: limit, From: from})
	listed := map[string]bool{}
	for _, item := range items {
		var r ActiveRental
		if err := decodeAs(item, &r); err != nil {
			renters = append(renters, DueRenter{Err: err})
			continue
		}
		if rentalNotice(r.Due, day) != "" && !listed[r.PersonID] {
			listed[r.PersonID] = true
			renters = append(renters, DueRenter{ID: r.PersonID})
		}
	}
	return renters, next, err
}

// RentalNotice returns the notice of a day to a renter. The notice is empty if no kayak
// causes a notice. It is also empty if the renter has turned off notices, has no email
// address, or is an employee and not a customer.
func (s *Store) RentalNotice(ctx context.Context, personID string, day time.Time) (*Notice, error) {
	n := &Notice{Kind: EmailRentalNotice, Recipient: personID, EmailNotice: EmailNotice{Day: day}}
	program := s.As(&User{Name: Program, Role: Admin})
	renter, err := program.Renter(ctx, personID)
	if KindOf(err) == NotFound {
		return n, nil
	}
	if err != nil || !renter.getsNotices() {
		return n, err
	}
	n.To, n.record = renter.Email, renter.partition()
	rented, err := program.RentedByPerson(ctx, personID, Page{Limit: maxNoticeRentals})
	if err != nil {
		return n, err
	}
	n.addRentals(rented.Rows)
	return n, nil
}

// maxNoticeRentals is the maximum number of rentals in a notice to a renter. The
// transaction that queues the notice checks the version of each rental, and a DynamoDB
// transaction has at most 100 actions.
const maxNoticeRentals = 50

func (r *Renter) getsNotices() bool {
	return !r.NoNotices && r.Email != ""
}

// addRentals adds the sections about kayaks that are due tomorrow or overdue.
func (n *Notice) addRentals(rented []ActiveRental) { n.addRentalsOf(rented, rentalNotice) }

// addRentalsOf is like addRentals, but the function kindOf decides which section lists a
// rental.
func (n *Notice) addRentalsOf(rented []ActiveRental, kindOf func(due, day time.Time) NoticeKind) {
	slices.SortFunc(rented, func(a, b ActiveRental) int {
		return cmp.Or(a.Due.Compare(b.Due), strings.Compare(a.KayakID, b.KayakID))
	})
	for _, kind := range []NoticeKind{NoticeOverdue, NoticeDueTomorrow} {
		var rows []NoticeRow
		for i := range rented {
			if r := &rented[i]; kindOf(r.Due, n.Day) == kind {
				n.rentals = append(n.rentals, *r)
				rows = append(rows, r.noticeRow())
			}
		}
		n.add(kind, rows, false)
	}
}

func (r *ActiveRental) noticeRow() NoticeRow {
	return NoticeRow{Name: nameOrID(r.KayakName, r.KayakID), Place: nameOrID(r.StoreName, r.StoreID), StoreID: r.StoreID, Day: r.Due}
}

// queuedNotices reports for each recipient whether the notice of a day was already queued,
// even if it has been sent since.
func (s *Store) queuedNotices(ctx context.Context, kind EmailKind, recipients []string, day time.Time) (map[string]bool, error) {
	values := make([]key.Map, len(recipients))
	for i, recipient := range recipients {
		values[i] = key.Map{"emailID": noticeID(kind, recipient, day)}
	}
	items, err := s.table.GetMany(ctx, getEmail, values, false)
	queued := map[string]bool{}
	for i, item := range items {
		queued[recipients[i]] = item != nil
	}
	return queued, err
}
