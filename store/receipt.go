package store

import (
	"strings"
	"time"

	"stockroom/store/table"
)

// UnknownSubscription is the subscription ID in the key of imported receipts without
// one.
const UnknownSubscription = "unknown"

// Receipt records one payment of a subscription. Its key contains the due day, so
// that there cannot be two receipts for a due day.
type Receipt struct {
	AccountID       string
	SubscriptionID  string
	SKU             string
	PlanName        string    `json:",omitempty"` // copied from the subscription
	DueDate         time.Time // calendar day, at midnight UTC
	Email           string    `json:",omitempty"`
	ProcessedDate   time.Time
	ProcessedAmount Amount
	Reference       string    `json:",omitempty"` // ID of the payment at the payment service
	Expires         time.Time `json:",omitzero"`  // TTL
	Version         int
}

// expired reports whether the receipt has expired. DynamoDB may delete an item some
// days after it has expired:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func (r *Receipt) expired(now time.Time) bool { return !r.Expires.IsZero() && !r.Expires.After(now) }

// tally returns what the payment adds to the totals.
func (r *Receipt) tally() Tally {
	return Tally{Kind: TotalPayments, At: r.ProcessedDate, ID: r.SubscriptionID, Count: 1, Amount: r.ProcessedAmount}
}

func (*Receipt) EntityType() string { return "receipt" }

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
	a.Text("PlanName", &r.PlanName)
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
