package handlers

import (
	"slices"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// findOlder looks for rows that an empty list does not show, such as those of earlier
// months. The argument next is the position at which the list continues, or nil. If there
// are no such rows, the field params of the result is nil.
type findOlder func(next *store.Position) (olderRows, error)

// olderRows describes rows that an empty list does not show. The field params contains the
// query parameters with which the list shows them.
type olderRows struct {
	views.Older
	params []ui.Param
}

// address returns the address of the list or file with these parameters.
func (o olderRows) address(l views.List) string {
	for _, p := range o.params {
		l.Params = append(slices.DeleteFunc(slices.Clone(l.Params), func(other ui.Param) bool { return other.Name == p.Name }), p)
	}
	return l.With("", "")
}

// older returns a function that finds rows from before the days of the list. It finds
// none if the list is filtered by status or in reverse order. The function newest returns
// the time of the newest row in a range of days, or NotFound.
func (q *statusQuery[S]) older(zone *time.Location, newest func(store.DateRange) (time.Time, error)) findOlder {
	return func(next *store.Position) (olderRows, error) {
		var older olderRows
		var before store.DateRange
		switch {
		case q.status != "" || q.reverse:
			return olderRows{}, nil
		case next != nil: // the list has not read all months yet; continue with the next one
			month, err := time.Parse(key.Month, next.Segment)
			if err != nil {
				return olderRows{}, nil
			}
			before.To = month.AddDate(0, 1, -1)
			if q.Get("from") != "" {
				before.From = q.days.From
			}
		case q.recent:
			older.Since = q.days.From
			before.To = q.days.From.AddDate(0, 0, -1)
		default:
			return olderRows{}, nil
		}
		at, err := newest(before)
		if store.KindOf(err) == store.NotFound {
			return olderRows{}, nil
		}
		if err != nil {
			return olderRows{}, err
		}
		older.Newest = at
		older.params = []ui.Param{{Name: "to", Value: at.In(zone).Format(time.DateOnly)}}
		return older, nil
	}
}

// addOlder adds a link to older rows to an empty list.
func addOlder(l *views.List, find findOlder, next *store.Position) error {
	if find == nil {
		return nil
	}
	older, err := find(next)
	if err == nil && older.params != nil {
		l.Older = older.Older
		l.Older.URL = older.address(*l)
	}
	return err
}

// linkOlder sets a Link header with the address of the older rows that a file does not
// contain. Its relation prev-archive is defined in https://www.rfc-editor.org/rfc/rfc5005
func linkOlder(r *request, params []ui.Param, find findOlder) error {
	if find == nil {
		return nil
	}
	older, err := find(nil)
	if err == nil && older.params != nil {
		address := older.address(views.List{Path: r.Request().URL.EscapedPath() + "." + string(web.FormatOf(r.Context)), Params: params})
		r.Response().Header().Set("Link", "<"+address+`>; rel="prev-archive"`)
	}
	return err
}
