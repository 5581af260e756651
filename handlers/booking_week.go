package handlers

import (
	"cmp"
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showStoreWeek shows one week of a store. The week contains the day in the query
// string, by default today.
func showStoreWeek(r *request) error {
	q, err := r.query("day", "kind", "page")
	if err != nil {
		return err
	}
	day, err := r.weekDay(q)
	if err != nil {
		return err
	}
	part := 1
	if text := q.Get("page"); text != "" {
		if part, err = strconv.Atoi(text); err != nil || part < 1 || part > maxWeekPart {
			return store.InvalidField("", "The page must be a number from 1 to %d.", maxWeekPart)
		}
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	week, err := r.shop.StoreWeek(r.ctx(), s.ID, day)
	if err != nil {
		return err
	}
	return r.show(views.StoreWeekPage(views.StoreWeek{
		Page: r.page("Week at " + cmp.Or(s.Name, s.ID)), Store: *s, Week: *week, Day: day, Kind: q.Get("kind"), Part: part,
	}))
}

// maxWeekPart is the maximum page number of a store's week. Each page shows some of the
// kayaks.
const maxWeekPart = 1000

// weekDay returns the day in the query string, by default today.
func (r *request) weekDay(q *web.Query) (time.Time, error) {
	text := q.Get("day")
	if text == "" {
		return r.today(), nil
	}
	day, ok := parseDay(text, r.now())
	if !ok || day.Year() < 1900 || day.Year() > 9000 {
		return time.Time{}, store.InvalidField("", "“%s” is not a date. Try 2026-11-21.", text)
	}
	return day, nil
}

// sendStoreWeek sends the bookings and rentals of a store's week as a calendar file.
func sendStoreWeek(r *request) error {
	q, err := r.query("day")
	if err != nil {
		return err
	}
	day, err := r.weekDay(q)
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	week, err := r.shop.StoreWeek(r.ctx(), s.ID, day)
	if err != nil {
		return err
	}
	body, events := weekCalendar(s, week, r.site.store.Now())
	name := "week-" + week.Monday.Format(time.DateOnly) + ".ics"
	return web.SendFile(r.Context, name, "text/calendar; charset=utf-8", body, events)
}
