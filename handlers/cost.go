package handlers

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

var costColumns = []web.Column[views.CostRecord]{
	{Name: "Kind", Cell: func(r views.CostRecord) web.Cell { return web.Text(string(r.Kind)) }},
	{Name: "Name", Cell: func(r views.CostRecord) web.Cell { return web.Text(r.Name) }},
	{Name: "Path", Cell: func(r views.CostRecord) web.Cell { return web.Text(r.Path) }},
	{Name: "Requests", Cell: func(r views.CostRecord) web.Cell { return integer(r.Requests) }},
	{Name: "ReadUnits", Cell: func(r views.CostRecord) web.Cell { return web.Plain(views.UnitText(r.ReadUnits)) }},
	{Name: "WriteUnits", Cell: func(r views.CostRecord) web.Cell { return integer(r.WriteUnits) }},
	{Name: "USD", Cell: func(r views.CostRecord) web.Cell { return web.Plain(r.Dollars) }},
}

// showCosts shows what the requests to the table cost in a month, by default the current
// month in UTC.
func showCosts(r *request) error {
	q, err := r.query("month")
	if err != nil {
		return err
	}
	rejectSort(q)
	current := r.site.store.Now().UTC()
	month := current
	if text := q.Get("month"); text != "" {
		if month, err = time.Parse(key.Month, text); err != nil || month.Year() < 2000 || month.After(current) {
			q.Fail("month", "Enter a month up to this month, such as 2026-11.")
			month = current
		}
	}
	if r.wantsFile() {
		if err := firstError(q); err != nil {
			return err
		}
	}
	report, err := r.shop.Costs(r.ctx(), month)
	if err != nil {
		return err
	}
	p := r.site.costPage(report)
	if r.wantsFile() {
		return sendRows(r, "costs", costColumns, rowsOf(p.Records()))
	}
	p.Page, p.List = r.page("Costs"), views.List{Path: q.Path, Params: params(q), Wrong: errorsWithoutField(q)}
	return r.site.tools.RenderStatus(r.Context, q.Status(), views.CostsPage(p))
}

// costPage returns the page of a report. It adds names to the rows. It sorts all rows
// except the days by cost, highest first.
func (s *site) costPage(report *store.CostReport) views.Costs {
	p := views.Costs{Report: report}
	for _, day := range report.Days {
		p.Days = append(p.Days, views.CostRow{Kind: views.CostDay, Name: day.Day.Format(key.Day), Cost: day.Cost, Day: day.Day})
	}
	p.Sources = s.costRows(s.costSources(), report.Sources, views.CostRow{Kind: views.CostPage, Name: "Other pages and jobs"})
	p.Patterns = s.costRows(costPatterns(), report.Patterns, views.CostRow{Kind: views.CostPattern, Name: "Changes and other requests"})
	p.Roles = s.costRows(costRoles(), report.Roles, views.CostRow{Kind: views.CostRole, Name: "Jobs, and pages before sign-in"})
	for _, rows := range [][]views.CostRow{p.Days, p.Sources, p.Patterns, p.Roles} {
		for i := range rows {
			rows[i].Dollars = report.Prices.Of(rows[i].Cost)
		}
	}
	p.Early = report.Since.IsZero() || s.store.Now().Sub(report.Since) < views.UnusedAfter*24*time.Hour
	for i := range store.Patterns {
		pattern := &store.Patterns[i]
		if _, used := report.Recent[store.CostCode(pattern.Name)]; !used && !p.Early && pattern.IsRead() {
			p.Unused = append(p.Unused, pattern.Name)
		}
	}
	slices.Sort(p.Unused)
	return p
}

// costRows returns the rows that have costs, sorted by cost, highest first. It takes the
// row of a code from names; see store.CostCode. If names has no row for a code, the costs
// are added to rest, which becomes the last row if its costs are not zero.
func (s *site) costRows(names map[string]views.CostRow, costs map[string]store.Cost, rest views.CostRow) []views.CostRow {
	var rows []views.CostRow
	for code, n := range costs {
		row, known := names[code]
		if !known {
			rest.Cost = rest.Plus(n)
			continue
		}
		row.Cost = n
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b views.CostRow) int {
		return cmp.Or(cmp.Compare(weight(b.Cost), weight(a.Cost)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	if !rest.IsZero() {
		rows = append(rows, rest)
	}
	return rows
}

// weight returns a number by which costs are sorted. As in AWS's prices, a write unit costs
// five times as much as a read unit.
func weight(c store.Cost) int { return c.HalfReads + 10*c.WriteUnits }

// costSources returns a row for each page, form and job, by code.
func (s *site) costSources() map[string]views.CostRow {
	rows := map[string]views.CostRow{}
	for i := range s.rows {
		row := &s.rows[i]
		path := row.path
		if row.method == "POST" {
			path = "POST " + path
		}
		rows[store.CostCode(store.SourceOfPage(row.method, row.path))] = views.CostRow{Kind: views.CostPage, Name: row.name, Path: path}
	}
	for _, job := range store.CostJobs {
		rows[store.CostCode(store.SourceOfJob(job))] = views.CostRow{Kind: views.CostJob, Name: "Job: " + string(job)}
	}
	return rows
}

// costPatterns returns a row for each access pattern, by code.
func costPatterns() map[string]views.CostRow {
	rows := map[string]views.CostRow{}
	for i := range store.Patterns {
		name := store.Patterns[i].Name
		rows[store.CostCode(name)] = views.CostRow{Kind: views.CostPattern, Name: name, Path: views.PatternPath(name)}
	}
	return rows
}

// costRoles returns a row for each role, by code.
func costRoles() map[string]views.CostRow {
	rows := map[string]views.CostRow{}
	for _, role := range store.Roles {
		rows[store.CostCode(string(role))] = views.CostRow{Kind: views.CostRole, Name: strings.ToUpper(string(role[:1])) + string(role[1:])}
	}
	return rows
}
