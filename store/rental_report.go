package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/table"
)

// Utilisation shows how much of a store's fleet was rented out, by week.
type Utilisation struct {
	Kayaks int // current number of kayaks
	Weeks  []UtilisationWeek
}

// UtilisationWeek shows how much of a fleet was rented out in one week.
type UtilisationWeek struct {
	Monday time.Time // at midnight UTC
	Days   int       // sum of the rented days of all kayaks
}

// Limits of the method Utilisation. It reads at most utilisationRows rentals. It ignores
// rentals that started more than maxRentalDays before the first week.
const (
	utilisationWeeks = 8
	maxRentalDays    = 14
	utilisationRows  = 3 * MaxLimit
)

// Share returns the percentage of the fleet that was rented out in a week. days is the
// number of days in that week up to today. Share returns 0 for a store without kayaks.
func (u Utilisation) Share(week UtilisationWeek, days int) int {
	if u.Kayaks == 0 || days == 0 {
		return 0
	}
	return min(100, week.Days*100/(u.Kayaks*days))
}

// Utilisation returns how much of a store's fleet was rented out in the last eight weeks.
// It reads at most utilisationRows rentals. If there are more, it omits the weeks that it
// has not read completely. It ignores rentals that began more than maxRentalDays days
// before these weeks.
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
		u.Weeks = append(u.Weeks, UtilisationWeek{Monday: week})
	}
	rows, ctx := 0, table.WithoutItems(ctx)
	newest := Each(func(p Page) (List[Rental], error) { return a.RentalsOfStore(ctx, s.ID, p) })
	for rental, err := range newest {
		if err != nil {
			return Utilisation{}, err
		}
		out := dayIn(rental.Out, zone)
		if daysBetween(out, first) > maxRentalDays {
			break
		}
		u.addDays(out, rental.lastDay(today, zone))
		if rows++; rows == utilisationRows {
			u.Weeks = slices.DeleteFunc(u.Weeks, func(w UtilisationWeek) bool { return !w.Monday.After(out) })
			break
		}
	}
	return u, nil
}

func (r *Rental) lastDay(today time.Time, zone *time.Location) time.Time {
	if r.Returned.IsZero() {
		return today
	}
	return dayIn(r.Returned, zone)
}

func (u *Utilisation) addDays(from, to time.Time) {
	for i := range u.Weeks {
		week := &u.Weeks[i]
		first, last := week.Monday, week.Monday.AddDate(0, 0, 6)
		if from.After(first) {
			first = from
		}
		if to.Before(last) {
			last = to
		}
		week.Days += max(0, daysBetween(first, last)+1)
	}
}

func monday(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
