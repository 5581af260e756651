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
	OrderTotal Amount
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
	amountAttribute(a, "OrderTotal", &q.OrderTotal)
	a.Number("Orders", &q.Orders)
	a.Text("Name", &q.Name)
	a.Version(&q.Version)
	if a.Decoding() {
		var err error
		if q.Period, err = ParseQuarter(a.AfterPrefix(table.AttrSK, "QUOTA#")); err != nil {
			a.Damaged(table.AttrSK, "that of a quarter")
		}
	}
}

// paddedMinorUnits writes an amount in hundredths with 15 digits, so that texts
// sort like amounts. Negative amounts become zero.
func paddedMinorUnits(a Amount) string {
	if a.Sign() < 0 {
		a = Amount{}
	}
	digits := strings.Replace(string(a.AppendFixed(nil, 2)), ".", "", 1)
	return strings.Repeat("0", max(0, 15-len(digits))) + digits
}
