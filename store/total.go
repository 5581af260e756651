package store

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// TotalKind says what a total counts.
type TotalKind string

// TotalOrders counts orders by the day on which they were placed, and adds up their
// value without cancelled and returned items. It leaves out cancelled and returned orders.
const TotalOrders TotalKind = "orders"

// The totals of subscriptions.
const (
	TotalPayments TotalKind = "payments" // charged payments, by the day of the charge
	TotalDue      TotalKind = "due"      // next payments, by due day; see Subscription.Charged
)

// The figures of subscriptions. Their totals are in one shard, in several slots that
// FoldTotals does not combine; see isFigure.
const (
	TotalDueAfter  TotalKind = "dueAfter"  // second next payments, by due day, if the payment day does not exist in the month of the next payment
	TotalRecurring TotalKind = "recurring" // amounts of active and past due subscriptions, all on firstDay
	TotalStarted   TotalKind = "started"   // created subscriptions, on the first day of the month
	TotalCancelled TotalKind = "cancelled" // cancelled subscriptions, on the first day of the month
)

// firstDay is the day of totals that do not depend on a day.
var firstDay = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)

// isFigure reports whether the kind is a figure of subscriptions. A page can read all
// totals of a figure with one request. Concurrent changes use different slots.
func (k TotalKind) isFigure() bool {
	return k == TotalDueAfter || k == TotalRecurring || k == TotalStarted || k == TotalCancelled
}

// The totals of rental payments, by the day of the payment. Charges with PayLater are
// counted when they are paid. These totals are in one shard; see isInOneShard.
const (
	TotalRentals  TotalKind = "rentals"  // charges that were paid by card or in cash
	TotalDeposits TotalKind = "deposits" // deposits that were taken, minus those that were returned
)

// isInOneShard reports whether all totals of the kind are in shard 0. Such totals change
// only a few times per second, and pages can read them with one request.
func (k TotalKind) isInOneShard() bool {
	return k == TotalRentals || k == TotalDeposits || k.isFigure()
}

// Total is the count and sum of one day in one slot of one shard. Charts read totals
// instead of the counted records.
type Total struct {
	Kind    TotalKind
	Day     time.Time // calendar day in the time zone of the business, at midnight UTC
	Shard   int
	Slot    int `json:",omitempty"` // see TotalKind.slots; 0 after FoldTotals
	Count   int
	Amount  Sum
	Version int
}

func (*Total) EntityType() string { return "total" }

// KeyValue returns the value of a placeholder. Other entities compute the shard from
// their ID. A total stores its shard, because records with different IDs add to the same
// total.
func (t *Total) KeyValue(name string) string {
	switch name {
	case "kind":
		return string(t.Kind)
	case "month":
		return t.Day.Format(key.Month)
	case "shard":
		return strconv.Itoa(t.Shard)
	case "dayAndSlot":
		if t.Slot > 0 {
			return t.Day.Format("02") + "#" + strconv.Itoa(t.Slot)
		}
		return t.Day.Format("02")
	}
	return ""
}

func (t *Total) attributes(a *table.Attributes) {
	a.Date("Day", &t.Day)
	a.Count("Count", &t.Count)
	sumAttribute(a, "Amount", &t.Amount)
	a.OptionalNumber("Slot", &t.Slot) // CSV files contain no keys, so they need this attribute; earlier versions did not store it
	a.Version(&t.Version)
	if !a.Decoding() {
		return
	}
	parts := strings.Split(a.AfterPrefix(table.AttrPK, "total#"), "#")
	if len(parts) != 3 {
		a.Damaged(table.AttrPK, "the key of a total")
		return
	}
	var err error
	if t.Shard, err = strconv.Atoi(parts[2]); err != nil {
		a.Damaged(table.AttrPK, "the key of a total")
	}
	t.Kind = TotalKind(parts[0])
	if _, slot, found := strings.Cut(a.Read(table.AttrSK), "#"); found {
		if t.Slot, err = strconv.Atoi(slot); err != nil || t.Slot < 1 {
			a.Damaged(table.AttrSK, "the key of a total")
		}
	}
}

// Tally is what one change adds to a total. Negative values subtract.
type Tally struct {
	Kind   TotalKind
	At     time.Time // determines the day
	ID     string    // ID of the counted record, which determines the shard
	Count  int
	Amount Amount
}
