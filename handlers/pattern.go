package handlers

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

var patternColumns = []web.Column[store.PatternRow]{
	{Name: "System", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.System) }},
	{Name: "Name", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.Name) }},
	{Name: "Index", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.Index) }},
	{Name: "Operation", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.Operation) }},
	{Name: "PK", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.PK) }},
	{Name: "SK", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.SK) }},
	{Name: "Order", Cell: func(p store.PatternRow) web.Cell { return web.Text(p.Order) }},
}

// listPatterns shows the catalogue of access patterns.
func listPatterns(r *request) error {
	q, err := r.query("system")
	if err != nil {
		return err
	}
	rejectSort(q)
	p := views.Patterns{System: q.Get("system")}
	var rows []store.PatternRow
	for i := range store.Patterns {
		pattern := &store.Patterns[i]
		if !slices.Contains(p.Systems, pattern.System) {
			p.Systems = append(p.Systems, pattern.System)
		}
		if p.System == "" || p.System == pattern.System {
			p.Rows = append(p.Rows, r.site.withUses(pattern))
			rows = append(rows, pattern.Row())
		}
	}
	web.OneOf(q, "system", p.Systems)
	if err := firstError(q); err != nil {
		return err
	}
	return respondRows(r, "patterns", patternColumns, rows, nil, func(string) templ.Component {
		p.Page, p.List = r.page("Access patterns"), views.List{Path: q.Path, Params: params(q)}
		return views.PatternsPage(p)
	})
}

// withUses returns the pattern with the pages and jobs that use it.
func (s *site) withUses(pattern *store.Pattern) views.PatternUse {
	use := views.PatternUse{Pattern: pattern}
	for _, name := range usedBy[pattern.Name] {
		if route, found := s.names[name]; found {
			use.UsedBy = append(use.UsedBy, views.Use{Name: route.name, Path: route.path})
		}
	}
	if other := usedElsewhere[pattern.Name]; other != "" {
		use.UsedBy = append(use.UsedBy, views.Use{Name: other})
	}
	return use
}

// showPattern shows a pattern, with a form for its parameters. If the form was
// submitted, it also shows the results.
func showPattern(r *request) error {
	pattern, found := store.PatternByName(r.id())
	if !found {
		return &store.Error{Kind: store.NotFound, Message: "Access pattern not found."}
	}
	names := pattern.Names()
	q, err := r.query(append(slices.Clone(names), "try")...)
	if err != nil {
		return err
	}
	run := q.Get("try") != ""
	values := map[string]string{}
	for _, name := range names {
		values[name] = q.Get(name)
	}
	var days store.DateRange
	if slices.Contains(names, "from") {
		days = r.days(q)
		delete(values, "from")
		delete(values, "to")
	}
	if run {
		for _, name := range pattern.Missing(values) {
			q.Fail(name, "Enter a value. This pattern requires it.")
		}
	}
	return respondList(r, q, listPage[store.Item]{
		fetch: func(ctx context.Context, page store.Page) (store.List[store.Item], error) {
			if !run {
				return store.List[store.Item]{}, nil
			}
			return r.shop.RunPattern(ctx, pattern.Name, values, days, page)
		},
		page: func(l views.List, rows []store.Item) templ.Component {
			p := views.Pattern{
				Page: r.page(pattern.Name), List: l, PatternUse: r.site.withUses(pattern), Rows: rows,
				HasResults: run && len(q.Errors) == 0, Inputs: map[string]ui.Input{},
			}
			for _, name := range names {
				p.Inputs[name] = queryInput(q, name)
			}
			for _, read := range r.trace.Reads() {
				p.Cost = read
			}
			return views.PatternPage(p)
		},
	})
}
