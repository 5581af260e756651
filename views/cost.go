package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views/ui"
)

// Costs is the page that shows what the requests to the table cost in a month.
type Costs struct {
	Page
	List
	Report *store.CostReport

	Days                     []CostRow // newest first
	Sources, Patterns, Roles []CostRow // the costliest first

	Unused []string // names of the read patterns without requests in the days of Report.Recent
	Early  bool     // costs were first recorded less than UnusedAfter days ago, so Unused is empty
}

// CostsPath is the address of the page Costs.
const CostsPath = "/data/costs"

// CostKind is the kind of a row of costs.
type CostKind string

// The kinds of rows.
const (
	CostDay     CostKind = "day"
	CostPage    CostKind = "page"
	CostJob     CostKind = "job"
	CostPattern CostKind = "pattern"
	CostRole    CostKind = "role"
	CostMonth   CostKind = "month"
	CostKey     CostKind = "key"    // a key that this server has used often today; Requests is the number of uses
	CostUnused  CostKind = "unused" // a pattern without requests in 30 days
)

// CostRow is the cost of a day, a page, a job, an access pattern, a role or a month.
type CostRow struct {
	Kind CostKind
	Name string
	Path string // path of the page; for forms, it begins with POST
	Day  time.Time
	store.Cost
	Dollars string // cost in US dollars, with six decimals
}

// CostRecord is a row of the costs in JSON and CSV.
type CostRecord struct {
	Kind       CostKind
	Name       string
	Path       string `json:",omitempty"` // path as in CostRow, or index of the key
	Requests   int
	ReadUnits  float64
	WriteUnits int
	Dollars    string `json:"USD,omitempty"`
}

// Records returns all rows for JSON and CSV. The first row is the total of the month.
func (p *Costs) Records() []CostRecord {
	total := CostRow{Kind: CostMonth, Name: p.Report.Month.Format(key.Month), Cost: p.Report.Total()}
	total.Dollars = p.Report.Prices.Of(total.Cost)
	var records []CostRecord
	for _, r := range slices.Concat([]CostRow{total}, p.Days, p.Sources, p.Patterns, p.Roles) {
		records = append(records, CostRecord{r.Kind, r.Name, r.Path, r.Requests, r.ReadUnits(), r.WriteUnits, r.Dollars})
	}
	for _, k := range p.Report.Hot {
		records = append(records, CostRecord{Kind: CostKey, Name: k.PK, Path: k.Index, Requests: k.Uses})
	}
	for _, name := range p.Unused {
		records = append(records, CostRecord{Kind: CostUnused, Name: name, Path: PatternPath(name)})
	}
	return records
}

// UnitText formats read units, such as 2.5.
func UnitText(units float64) string { return string(appendUnits(nil, units)) }

// costRowsShown is the maximum number of rows of a table of costs. Files have all rows.
const costRowsShown = 20

func shownCosts(rows []CostRow) []CostRow { return rows[:min(costRowsShown, len(rows))] }

// dollars formats an amount of US dollars, such as $1,234.000125. It keeps all decimals, so
// that the digits of a column are aligned.
func dollars(amount string) string {
	whole, fraction, _ := strings.Cut(amount, ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return "–"
	}
	return "$" + number(n) + "." + fraction
}

// halves formats a number of half read units as read units: 2469 becomes 1,234.5.
func halves(n int) string {
	if n%2 == 1 {
		return number(n/2) + ".5"
	}
	return number(n/2) + ".0"
}

// costUnits returns the requests and units of a cost in one phrase, for narrow screens.
func costUnits(c store.Cost) string {
	return count(c.Requests, "request", "requests") + " · " + halves(c.HalfReads) + " read units · " + count(c.WriteUnits, "write unit", "write units")
}

// perDay returns the average cost per day, over the days that have costs.
func (p *Costs) perDay() store.Cost { return share(p.Report.Total(), 1, len(p.Days)) }

// perThousand returns the average cost of 1,000 requests to the table.
func (p *Costs) perThousand() store.Cost {
	total := p.Report.Total()
	return share(total, 1000, total.Requests)
}

// share returns c × part ÷ of, rounded to whole units. It returns no cost for a division
// by 0.
func share(c store.Cost, part, of int) store.Cost {
	if of == 0 {
		return store.Cost{}
	}
	rounded := func(n int) int { return (n*part + of/2) / of }
	return store.Cost{Requests: rounded(c.Requests), HalfReads: rounded(c.HalfReads), WriteUnits: rounded(c.WriteUnits)}
}

// UnusedAfter is the number of days with recorded costs after which the page lists unused
// patterns. Earlier, it would list most patterns.
const UnusedAfter = 7

// months returns tabs for the months around the shown one, up to the current month.
func (p *Costs) months() []ui.Tab {
	const before, after = 5, 1
	now := p.Now.UTC()
	current := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var tabs []ui.Tab
	for n := after; n >= -before; n-- { // newest first, so that the current tab is visible on phones
		month := p.Report.Month.AddDate(0, n, 0)
		if month.After(current) {
			continue
		}
		tabs = append(tabs, ui.Tab{Name: month.Format("Jan 2006"), URL: p.With("month", month.Format(key.Month)), Current: n == 0})
	}
	return tabs
}
