package store

import (
	"strings"
	"time"

	"stockroom/store/table"
)

// UnknownSubscription stands in the key of a receipt whose subscription nobody
// named.
const UnknownSubscription = "unknown"

// Receipt says that one payment of a subscription was taken. Its key is the
// day on which it was due: a second receipt for that day cannot exist.
type Receipt struct {
	AccountID       string
	SubscriptionID  string
	SKU             string
	DueDate         time.Time // a calendar day, at midnight UTC
	Email           string    `json:",omitempty"`
	ProcessedDate   time.Time
	ProcessedAmount Amount
	Reference       string    `json:",omitempty"` // of the payment, at the processor
	Expires         time.Time `json:",omitzero"`  // when it disappears
	Version         int
}

// over says whether the receipt's time is over; the broom may be late.
func (r *Receipt) over(now time.Time) bool { return !r.Expires.IsZero() && !r.Expires.After(now) }

// EntityType implements Entity.
func (*Receipt) EntityType() string { return "receipt" }

// KeyValue implements Entity.
func (r *Receipt) KeyValue(name string) string {
	switch name {
	case "accountID":
		return r.AccountID
	case "subscriptionID":
		return r.SubscriptionID
	case "sku":
		return r.SKU
	case "dueDate":
		return calendarDay(r.DueDate)
	}
	return ""
}

func (r *Receipt) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "ACC#", &r.AccountID)
	a.Text("Email", &r.Email)
	a.Text("SKU", &r.SKU)
	a.Time("ProcessedDate", &r.ProcessedDate)
	amountAttribute(a, "ProcessedAmount", &r.ProcessedAmount)
	maskedText(a, "Reference", &r.Reference)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.Version(&r.Version)
	if !a.Decoding() {
		return
	}
	due, rest, _ := strings.Cut(a.AfterPrefix(table.AttrSK, "REC#"), "#SKU#")
	r.SKU, r.SubscriptionID, _ = strings.Cut(rest, "#SUB#")
	var err error
	if r.DueDate, err = ParseTime(due); err != nil {
		a.Damaged(table.AttrSK, "the key of a receipt")
	}
}
