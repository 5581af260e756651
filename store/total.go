package store

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// TotalKind says what is counted day by day.
type TotalKind string

// TotalOrders counts orders and adds up what they come to, on the day on
// which they were placed. An order that is cancelled is taken off again, and
// so is what comes back.
const TotalOrders TotalKind = "orders"

// What is counted of subscriptions.
const (
	TotalPayments TotalKind = "payments" // taken, on the day on which they were
	TotalDue      TotalKind = "due"      // of live subscriptions, on the day of each one's next payment
)

// Total is what one shard of a day adds up to. Charts and counts read totals,
// never the rows that they add up.
type Total struct {
	Kind    TotalKind
	Day     time.Time // midnight UTC of the calendar day, as the business counts days
	Shard   int
	Count   int
	Amount  Amount
	Version int
}

// EntityType implements Entity.
func (*Total) EntityType() string { return "total" }

// KeyValue implements Entity. Many things add to one total, so its shard
// follows from no ID: it is part of what the total is.
func (t *Total) KeyValue(name string) string {
	switch name {
	case "kind":
		return string(t.Kind)
	case "month":
		return t.Day.Format(key.Month)
	case "shard":
		return strconv.Itoa(t.Shard)
	case "dayOfMonth":
		return t.Day.Format("02")
	}
	return ""
}

func (t *Total) attributes(a *table.Attributes) {
	a.Date("Day", &t.Day)
	a.Number("Count", &t.Count)
	amountAttribute(a, "Amount", &t.Amount)
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
}

// Tally is what one change adds to the totals; what it takes away is
// negative.
type Tally struct {
	Kind   TotalKind
	At     time.Time // whose day counts it
	ID     string    // the ID of what is counted, which spreads totals over shards
	Count  int
	Amount Amount
}
