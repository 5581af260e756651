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

func (r *Receipt) write(a *table.Attributes) {
	a.Text("Email", r.Email)
	a.Text("SKU", r.SKU)
	a.Time("ProcessedDate", r.ProcessedDate)
	writeAmount(a, "ProcessedAmount", r.ProcessedAmount)
	a.Text("Reference", MaskCardNumbers(r.Reference))
	a.Seconds(table.AttrTTL, r.Expires)
	a.Number(table.AttrVersion, r.Version)
}

// decodeReceipt takes the due day from the key, which alone has it.
func decodeReceipt(item Item) (Entity, error) {
	f := table.NewFields(item)
	due, rest, _ := strings.Cut(f.After(table.AttrSK, "REC#"), "#SKU#")
	sku, id, _ := strings.Cut(rest, "#SUB#")
	r := &Receipt{
		AccountID:       f.After(table.AttrPK, "ACC#"),
		SubscriptionID:  id,
		SKU:             sku,
		Email:           f.Text("Email"),
		ProcessedDate:   f.Time("ProcessedDate"),
		ProcessedAmount: readAmount(f, "ProcessedAmount"),
		Reference:       f.Text("Reference"),
		Expires:         f.Seconds(table.AttrTTL),
		Version:         f.Number(table.AttrVersion),
	}
	day, err := ParseTime(due)
	if err != nil {
		f.Damaged(table.AttrSK, "the key of a receipt")
	}
	r.DueDate = day
	return r, f.Err()
}
