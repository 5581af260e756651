package store

import (
	"strings"
	"time"
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

func (r *Receipt) write(a *attributes) {
	a.text("Email", r.Email)
	a.text("SKU", r.SKU)
	a.time("ProcessedDate", r.ProcessedDate)
	a.amount("ProcessedAmount", r.ProcessedAmount)
	a.text("Reference", LastFour(r.Reference))
	a.seconds(attrTTL, r.Expires)
	a.number(attrVersion, r.Version)
}

// decodeReceipt takes the due day from the key, which alone has it.
func decodeReceipt(item Item) (Entity, error) {
	f := fields{item: item}
	due, rest, _ := strings.Cut(f.after(attrSK, "REC#"), "#SKU#")
	sku, id, _ := strings.Cut(rest, "#SUB#")
	r := &Receipt{
		AccountID:       f.after(attrPK, "ACC#"),
		SubscriptionID:  id,
		SKU:             sku,
		Email:           f.text("Email"),
		ProcessedDate:   f.time("ProcessedDate"),
		ProcessedAmount: f.amount("ProcessedAmount"),
		Reference:       f.text("Reference"),
		Expires:         f.epoch(attrTTL),
		Version:         f.number(attrVersion),
	}
	day, err := ParseTime(due)
	if err != nil {
		f.damaged(attrSK, "the key of a receipt")
	}
	r.DueDate = day
	return r, f.err
}
