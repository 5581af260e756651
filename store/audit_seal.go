package store

import (
	"context"
	"fmt"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// AuditSeal proves which events the history had for one day (UTC) when the seal was
// made. It contains the MAC of the seal of the day before, so the seals are a chain.
type AuditSeal struct {
	Day      time.Time
	Sealed   time.Time // when the seal was made
	Key      string    // ID of the AuditKey
	Previous string    // MAC of the seal of the day before; "" for the first seal
	Slots    []SealSlot
	Expires  time.Time `json:",omitzero"` // when TTL deletes the first sign-in or download of the day
	MAC      string
	Version  int
}

// SealSlot contains the number of events of one kind in one hour, and the last hash of
// their chain.
type SealSlot struct {
	Kind  SealKind
	Hour  int // 0 to 23, UTC
	Count int
	Hash  string // SHA-256 of the chain's previous Hash and the last event's hash
}

// SealKind is a kind of events that has its own chains.
type SealKind string

// The kinds of chains. Events of sign-ins and downloads have their own chains because
// TTL deletes them. An imported event is in a chain of the day of its import, because the
// day in the file may already be sealed.
const (
	sealChanges SealKind = "changes"
	sealAccess  SealKind = "access"
	sealImports SealKind = "imports"
)

func (*AuditSeal) EntityType() string { return "auditSeal" }

func (a *AuditSeal) KeyValue(name string) string {
	switch name {
	case "year":
		return a.Day.Format("2006")
	case "day":
		return a.Day.Format(key.Day)
	}
	return ""
}

func (a *AuditSeal) attributes(attributes *table.Attributes) {
	attributes.Date("Day", &a.Day)
	attributes.Time("Sealed", &a.Sealed)
	attributes.Text("Key", &a.Key)
	attributes.Text("Previous", &a.Previous)
	table.Slice(attributes, "Slots", &a.Slots, func(s *SealSlot, a *table.Attributes) {
		a.Text("Kind", (*string)(&s.Kind))
		a.Number("Hour", &s.Hour)
		a.Number("Count", &s.Count)
		a.Text("Hash", &s.Hash)
	})
	attributes.Time("Expires", &a.Expires)
	attributes.Text("MAC", &a.MAC)
	attributes.Version(&a.Version)
}

// Count returns the number of events of the day.
func (a *AuditSeal) Count() int {
	n := 0
	for _, slot := range a.Slots {
		n += slot.Count
	}
	return n
}

func (k AuditKey) sealMAC(a *AuditSeal) string {
	parts := []string{"seal", a.Day.Format(key.Day), key.Time(a.Sealed), a.Key, a.Previous, key.Time(a.Expires)}
	for _, slot := range a.Slots {
		parts = append(parts, string(slot.Kind), fmt.Sprint(slot.Hour), fmt.Sprint(slot.Count), slot.Hash)
	}
	return k.mac(parts...)
}

const (
	// sealDelay is the minimum time from the end of a day until the day is sealed. After this
	// time, all transactions of the day have ended, and the indexes contain their events.
	sealDelay = time.Hour
	// firstSealDays is the number of past days that SealDays considers if there is no seal
	// yet and the caller gives no first day.
	firstSealDays = 92
	// lateSeal is the time from the end of a day after which a new seal counts as late. A
	// late seal can mean that somebody has deleted the original seal of the day.
	lateSeal = 3 * 24 * time.Hour
	// maxSealYears is the number of years, up to the present one, whose seals are read.
	maxSealYears = 10
)

// lastSealable returns the newest day that can be sealed.
func (s *Store) lastSealable() time.Time {
	return s.now().UTC().Add(-sealDelay).Truncate(24*time.Hour).AddDate(0, 0, -1)
}

// HasUnsealedDays reports whether SealDays can seal days after the given day. A zero day
// means that no day is sealed. HasUnsealedDays does not read the table.
func (s *Store) HasUnsealedDays(after time.Time) bool {
	return len(s.auditKeys) > 0 && after.Before(s.lastSealable())
}

// SealDays seals all days after the newest seal. If there is no seal yet, it starts with
// the first day that has events, but not before from. If from is zero, it looks at the last
// firstSealDays days. If no day has events, it seals only the last day that can be sealed.
// It returns the newest seal and the number of new seals. The seal is nil if there are no
// keys, or if no day is or can be sealed. Several servers can call SealDays at the same
// time: if another server seals a day first, SealDays stops.
func (s *Store) SealDays(ctx context.Context, from time.Time) (newest *AuditSeal, sealed int, err error) {
	if len(s.auditKeys) == 0 {
		return nil, 0, nil
	}
	newest, err = s.newestSeal(ctx)
	if err != nil {
		return nil, 0, err
	}
	last := s.lastSealable()
	day := from
	switch {
	case newest != nil:
		day = newest.Day.AddDate(0, 0, 1)
	case from.IsZero():
		day = last.AddDate(0, 0, 1-firstSealDays)
	}
	for ; !day.After(last); day = day.AddDate(0, 0, 1) {
		seal, err := s.sealDay(ctx, day, newest, newest == nil && day.Before(last))
		if KindOf(err) == NotFound {
			continue
		}
		if KindOf(err) == Conflict { // another server has just sealed this day and will seal the next ones
			return newest, sealed, nil
		}
		if err != nil {
			return newest, sealed, err
		}
		newest = seal
		sealed++
	}
	return newest, sealed, nil
}

// UnknownSealKey returns the ID of the key of the newest seal, if this process does not have
// this key, and otherwise "".
func (s *Store) UnknownSealKey(ctx context.Context) (id string, err error) {
	newest, err := s.newestSeal(ctx)
	if err != nil || newest == nil {
		return "", err
	}
	if _, known := s.auditKeys.withID(newest.Key); known {
		return "", nil
	}
	return newest.Key, nil
}

// newestSeal makes a consistent read of the newest seal. It returns nil if this year and
// the maxSealYears - 1 years before have no seal.
func (s *Store) newestSeal(ctx context.Context) (*AuditSeal, error) {
	for year := range maxSealYears {
		items, _, err := s.table.QueryOnce(ctx, table.Request{
			Pattern:    getAuditSeals,
			Values:     key.Map{"year": s.now().UTC().AddDate(-year, 0, 0).Format("2006")},
			Limit:      1,
			Consistent: true,
		})
		if err != nil {
			return nil, err
		}
		if len(items) > 0 {
			return table.DecodeAs[*AuditSeal](schema, items[0], nil)
		}
	}
	return nil, nil
}

// sealDay stores the seal of a day. It returns Conflict if the day has a seal. If
// skipEmpty is set, it returns NotFound for a day without events.
func (s *Store) sealDay(ctx context.Context, day time.Time, previous *AuditSeal, skipEmpty bool) (*AuditSeal, error) {
	k := s.auditKeys[0]
	chains, err := s.chainDay(ctx, k, day)
	if err != nil {
		return nil, err
	}
	slots := chains.slots()
	if skipEmpty && len(slots) == 0 {
		return nil, fail(NotFound, "No events on %s.", day.Format(time.DateOnly))
	}
	seal := &AuditSeal{Day: day, Sealed: s.now().UTC().Truncate(time.Second), Key: k.ID, Slots: slots, Expires: chains.expires, Version: 1}
	if previous != nil {
		seal.Previous = previous.MAC
	}
	seal.MAC = k.sealMAC(seal)
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.Create(seal)
	return seal, c.Commit(ctx)
}

func (s SealSlot) describe(day time.Time) string {
	text := fmt.Sprintf("%s %02d:00 to %02d:59 UTC", day.Format(time.DateOnly), s.Hour, s.Hour)
	switch s.Kind {
	case sealAccess:
		text += ", sign-ins and downloads"
	case sealImports:
		text += ", imported events"
	}
	return text
}
