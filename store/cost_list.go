package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"stockroom/store/key"
)

// DayCost is the cost of a day.
type DayCost struct {
	Day time.Time // midnight UTC
	Cost
}

// CostReport contains the costs of a month. The maps have the codes of CostCode as keys.
type CostReport struct {
	Month   time.Time // the first day of the month (UTC)
	Days    []DayCost // days with costs, newest first
	Sources map[string]Cost
	Roles   map[string]Cost

	Patterns map[string]Cost

	// Recent contains the costs by pattern of the last UnusedDays days, up to today or to
	// the end of the month. Since is the first of these days that has costs; zero if no
	// day has costs.
	Recent map[string]Cost
	Since  time.Time

	Hot    []HotKey // most used keys of today on this server, by index
	Prices CostPrices
}

// UnusedDays is the number of days after which a pattern without requests counts as
// unused.
const UnusedDays = 30

// Total returns the cost of the month.
func (r *CostReport) Total() Cost {
	var sum Cost
	for i := range r.Days {
		sum = sum.Plus(r.Days[i].Cost)
	}
	return sum
}

// Costs returns the costs of a month. It reads that month and, for CostReport.Recent, the
// month before it, with one request per MB. The costs of the last minute may be missing.
func (a Access) Costs(ctx context.Context, month time.Time) (*CostReport, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	first := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
	r := &CostReport{
		Month: first, Sources: map[string]Cost{}, Roles: map[string]Cost{}, Patterns: map[string]Cost{}, Recent: map[string]Cost{},
		Hot: a.store.costs.hot.top(a.store.now()), Prices: settings.CostPrices(),
	}
	end := first.AddDate(0, 1, 0)
	if tomorrow := a.store.now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1); tomorrow.Before(end) {
		end = tomorrow
	}
	recent := end.AddDate(0, 0, -UnusedDays)
	days := map[time.Time]Cost{}
	for _, m := range []time.Time{first, first.AddDate(0, -1, 0)} {
		items, err := a.store.table.Partition(ctx, getCostsOfMonth, key.Map{"month": m.Format(key.Month)}, false)
		rows, err := decodeAll(items, err, decodeAs[DayCosts])
		if err != nil {
			return nil, err
		}
		for i := range rows {
			row := &rows[i]
			if !row.Day.Before(recent) && row.Day.Before(end) {
				mergeCosts(r.Recent, row.Patterns)
				if r.Since.IsZero() || row.Day.Before(r.Since) {
					r.Since = row.Day
				}
			}
			if m != first {
				continue
			}
			mergeCosts(r.Sources, row.Sources)
			mergeCosts(r.Patterns, row.Patterns)
			mergeCosts(r.Roles, row.Roles)
			for _, n := range row.Sources {
				days[row.Day] = days[row.Day].Plus(n)
			}
		}
	}
	for _, day := range slices.SortedFunc(maps.Keys(days), func(a, b time.Time) int { return b.Compare(a) }) {
		r.Days = append(r.Days, DayCost{day, days[day]})
	}
	return r, nil
}

func mergeCosts(to, costs map[string]Cost) {
	for code, n := range costs {
		to[code] = to[code].Plus(n)
	}
}

// CostPrices are the prices of a million read units and a million write units, in US
// dollars.
type CostPrices struct{ Read, Write Amount }

// The prices of a million units on demand, in US dollars, in the region US East (N.
// Virginia) for the table class Standard. See
// https://aws.amazon.com/dynamodb/pricing/on-demand/
var (
	defaultReadPrice  = mustAmount("0.125")
	defaultWritePrice = mustAmount("0.625")
)

func mustAmount(text string) Amount {
	a, err := ParseAmount(text)
	if err != nil {
		panic("store: " + text + ": " + err.Error())
	}
	return a
}

// CostPrices returns the prices in the settings.
func (s Settings) CostPrices() CostPrices { return CostPrices{s.ReadPrice, s.WritePrice} }

// Of returns the price of a cost in US dollars, with six decimals, such as 0.000125.
func (p CostPrices) Of(c Cost) string {
	read, errRead := decimal.New(int64(c.HalfReads), 0)
	write, errWrite := decimal.New(int64(c.WriteUnits), 0)
	two := decimal.MustNew(2, 0)
	million := decimal.MustNew(1_000_000, 0)
	sum, err := read.Mul(p.Read.d)
	var written decimal.Decimal
	if err == nil {
		sum, err = sum.Quo(two)
	}
	if err == nil {
		written, err = write.Mul(p.Write.d)
	}
	if err == nil {
		sum, err = sum.Add(written)
	}
	if err == nil {
		sum, err = sum.Quo(million)
	}
	if cmp.Or(errRead, errWrite, err) != nil {
		return "" // more than 10^15 units
	}
	return sum.Round(6).Pad(6).String()
}
