package store

import (
	"fmt"
	"strings"
	"time"

	"stockroom/store/table"
)

// Quota is what an account rep sold in a quarter: the orders that were taken
// for their customers, except those that were cancelled or came back. It moves
// in the transaction in which such an order does.
type Quota struct {
	EmployeeID string
	Period     Quarter
	OrderTotal Amount
	Orders     int
	Name       string `json:",omitempty"` // the rep's, copied for the ranking
	Version    int
}

// EntityType implements Entity.
func (*Quota) EntityType() string { return "quota" }

// KeyValue implements Entity.
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

// paddedMinorUnits makes an amount sort as a number among texts: hundredths,
// in fifteen digits. An amount below nothing sorts as nothing.
func paddedMinorUnits(a Amount) string {
	if a.Sign() < 0 {
		a = Amount{}
	}
	digits := strings.Replace(string(a.AppendFixed(nil, 2)), ".", "", 1)
	return strings.Repeat("0", max(0, 15-len(digits))) + digits
}

// Quarter is a quarter of a year by the business's calendar. The zero Quarter
// is none.
type Quarter struct{ Year, Number int } // Number is from 1 to 4

// QuarterOf is the quarter of a moment, by the calendar of the moment's zone.
func QuarterOf(t time.Time) Quarter {
	return Quarter{t.Year(), (int(t.Month())-1)/3 + 1}
}

// ParseQuarter reads a quarter as keys hold it, such as 2026-Q4. Anything else
// is Invalid.
func ParseQuarter(text string) (Quarter, error) {
	var q Quarter
	if _, err := fmt.Sscanf(text, "%4d-Q%1d", &q.Year, &q.Number); err != nil || q.Number > 4 || q.String() != text {
		return Quarter{}, InvalidField("period", "%q is no quarter: write it as 2026-Q4.", text)
	}
	return q, nil
}

// String writes the quarter as keys hold it; none is "".
func (q Quarter) String() string {
	if q.Year < 1 || q.Number < 1 {
		return ""
	}
	return fmt.Sprintf("%04d-Q%d", q.Year, q.Number)
}

// MarshalText writes the quarter into JSON as keys hold it.
func (q Quarter) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// Plus is the quarter so many later.
func (q Quarter) Plus(quarters int) Quarter {
	n := q.Year*4 + q.Number - 1 + quarters
	return Quarter{n / 4, n%4 + 1}
}

// Days are the days of the quarter.
func (q Quarter) Days() DateRange {
	first := time.Date(q.Year, time.Month(q.Number*3-2), 1, 0, 0, 0, 0, time.UTC)
	return DateRange{From: first, To: first.AddDate(0, 3, -1)}
}
