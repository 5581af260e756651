package store

import (
	"strings"

	"stockroom/store/table"
)

// Quota is what an account rep sold in a quarter: the orders of their customers,
// net of cancellations and returns. It is updated in the transactions that
// change the orders.
type Quota struct {
	EmployeeID string
	Period     Quarter
	OrderTotal Sum
	Orders     int
	Name       string `json:",omitempty"` // of the rep, copied for the ranking
	Version    int
}

func (*Quota) EntityType() string { return "quota" }

func (q *Quota) KeyValue(name string) string {
	switch name {
	case "employeeID":
		return q.EmployeeID
	case "period":
		return q.Period.String()
	case "total":
		return paddedMinorUnits(q.OrderTotal)
	}
	return ""
}

func (q *Quota) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "e#", &q.EmployeeID)
	sumAttribute(a, "OrderTotal", &q.OrderTotal)
	a.Count("Orders", &q.Orders)
	a.Text("Name", &q.Name)
	a.Version(&q.Version)
	if a.Decoding() {
		var err error
		if q.Period, err = ParseQuarter(a.AfterPrefix(table.AttrSK, "QUOTA#")); err != nil {
			a.Damaged(table.AttrSK, "that of a quarter")
		}
	}
}

// paddedDigits is how many digits paddedMinorUnits writes at least.
const paddedDigits = 15

// paddedMinorUnits writes a sum in hundredths with 15 digits, so that texts sort
// like sums. A longer sum has a letter before its digits that stands for their
// number (A for 16), so that it comes after all shorter ones. Negative sums become
// zero.
func paddedMinorUnits(s Sum) string {
	if s.Sign() < 0 {
		s = Sum{}
	}
	digits := strings.Replace(string(s.AppendFixed(nil, 2)), ".", "", 1)
	if more := len(digits) - paddedDigits; more > 0 {
		return string(rune('A'+min(more, 26)-1)) + digits
	}
	return strings.Repeat("0", paddedDigits-len(digits)) + digits
}
