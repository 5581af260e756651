package store

import (
	"strings"

	"stockroom/store/table"
)

// Quota counts the sales of an account rep in one quarter: the number and the total of the
// orders of the rep's customers, without cancelled and returned items. Every transaction
// that changes these numbers also changes the quota or one of its slots; see QuotaSlot.
type Quota struct {
	EmployeeID string
	Period     Quarter
	OrderTotal Sum
	Orders     int
	Target     Amount `json:",omitzero"`  // sales target; zero if none is set
	Name       string `json:",omitempty"` // copy of the rep's name, for the ranking
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
	optionalAmount(a, "Target", &q.Target)
	a.Version(&q.Version)
	if a.Decoding() {
		var err error
		if q.Period, err = ParseQuarter(a.AfterPrefix(table.AttrSK, "QUOTA#")); err != nil {
			a.Damaged(table.AttrSK, "the key of a quota, such as QUOTA#2026-Q4")
		}
	}
}

// paddedDigits is the minimum number of digits of paddedMinorUnits.
const paddedDigits = 15

// paddedMinorUnits formats a sum in hundredths, padded with zeros to 15 digits, so that the
// strings sort like the sums. If a sum has more digits, the string starts with a letter (A
// for 16 digits, B for 17), so that it sorts after shorter sums. A negative sum becomes
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
