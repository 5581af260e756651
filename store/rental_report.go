package store

import (
	"context"
	"slices"
	"time"
)

// Utilisation is how much of its time a store's fleet was out, week by week.
type Utilisation struct {
	Kayaks int // of the store now, which the shares are of
	Weeks  []WeekOut
}

// WeekOut is one week of a store: Monday, and on how many days of it kayaks
// were out, each counted by itself.
type WeekOut struct {
	Monday time.Time // midnight UTC of the calendar day
	Days   int
}

// How far utilisation looks back, and what it reads at most for that. Rentals
// that began somewhat earlier may reach into the first week.
const (
	utilisationWeeks = 8
	longRental       = 14 // days
	utilisationRows  = 3 * MaxLimit
)

// Share is which part of a week the fleet was out, in percent; days are how
// many of the week there have been.
func (u Utilisation) Share(week WeekOut, days int) int {
	if u.Kayaks == 0 || days == 0 {
		return 0
	}
	return min(100, week.Days*100/(u.Kayaks*days))
}

// Utilisation adds up the newest rentals of a store. Where there are more of
// them than it reads, it begins with the first week that is whole.
func (a Access) Utilisation(ctx context.Context, s *RentalStore) (Utilisation, error) {
	if err := a.require(Browse); err != nil {
		return Utilisation{}, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return Utilisation{}, err
	}
	zone := settings.Zone()
	today := dayIn(a.store.now(), zone)
	first := monday(today).AddDate(0, 0, -7*(utilisationWeeks-1))
	u := Utilisation{Kayaks: s.Kayaks()}
	for week := first; !week.After(today); week = week.AddDate(0, 0, 7) {
		u.Weeks = append(u.Weeks, WeekOut{Monday: week})
	}
	read := 0
	newest := Each(func(p Page) (List[Rental], error) { return a.RentalsOfStore(ctx, s.ID, p) })
	for rental, err := range newest {
		if err != nil {
			return Utilisation{}, err
		}
		out := dayIn(rental.Out, zone)
		if daysFrom(out, first) > longRental {
			break
		}
		u.count(out, rental.lastDay(today, zone))
		if read++; read == utilisationRows {
			u.Weeks = slices.DeleteFunc(u.Weeks, func(w WeekOut) bool { return !w.Monday.After(out) })
			break
		}
	}
	return u, nil
}

// lastDay is the last day on which a rental was out so far.
func (r *Rental) lastDay(today time.Time, zone *time.Location) time.Time {
	if r.Returned.IsZero() {
		return today
	}
	return dayIn(r.Returned, zone)
}

func (u *Utilisation) count(from, to time.Time) {
	for i := range u.Weeks {
		week := &u.Weeks[i]
		begin, end := week.Monday, week.Monday.AddDate(0, 0, 6)
		if from.After(begin) {
			begin = from
		}
		if to.Before(end) {
			end = to
		}
		week.Days += max(0, daysFrom(begin, end)+1)
	}
}

func monday(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
