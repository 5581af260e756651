package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Settings are the settings of the business.
type Settings struct {
	// Shards is the number of shards for new keys. ShardsRead is the number that
	// lists read; it is greater while Reshard reduces the number of shards.
	Shards     int
	ShardsRead int
	Moving     bool      `json:",omitempty"` // Reshard has begun and not finished
	Moved      time.Time `json:",omitzero"`  // when Reshard last finished
	Currency   string    // ISO 4217
	TimeZone   string    // IANA name

	// ZoneChanged is when the time zone last changed. Days before belong to other
	// hours than they would now.
	ZoneChanged time.Time `json:",omitzero"`

	// Payments is the service that charges payments: ServiceStripe, ServiceRecord,
	// ServiceOff, or "" until somebody chooses one. Only servers that use this
	// service charge payments.
	Payments Service `json:",omitempty"`

	// RefundLimit is the largest sum of refunds of an invoice by a user without
	// RefundAny. 0 means that they cannot refund.
	RefundLimit Amount

	ReminderDays   int       // days between a reminder and the payment
	ReceiptDays    int       // days that a receipt is kept
	LatePayments   LateRule  `json:",omitempty"`
	SchedulerSince time.Time `json:",omitzero"` // zero if the scheduler is off
	Version        int

	zone *time.Location // of TimeZone
}

// LateRule says what the payments job does with a late payment: one that has been
// open for more than DaysUntilLate days.
type LateRule string

// The rules for late payments. Both move the dates of the subscription to the
// future, so it is charged at most once for all missed payments.
const (
	LateCharge LateRule = ""     // charge the oldest payment now
	LateSkip   LateRule = "SKIP" // do not charge it
)

// DaysUntilLate is the number of days after which an open payment is late. Missed
// reminders are also sent for this number of days only.
const DaysUntilLate = 7

// skips reports whether a run skips the payments that were due on a day. It returns
// false for the zero day: a user retries the payment.
func (s Settings) skips(day, now time.Time) bool {
	return s.LatePayments == LateSkip && !day.IsZero() && day.AddDate(0, 0, DaysUntilLate).Before(dayIn(now, s.Zone()))
}

// maxShards limits the requests for one page of a sharded list.
const maxShards = table.MaxRequests

// Defaults for subscriptions: a reminder a week before the payment, and receipts
// kept for six months.
const (
	defaultReminderDays = 7
	defaultReceiptDays  = 183
	maxReceiptDays      = 3660
)

// DefaultSettings returns the settings of a new business.
func DefaultSettings() Settings {
	return Settings{Shards: key.DefaultShards, ShardsRead: key.DefaultShards, Currency: "EUR", TimeZone: "UTC", ReminderDays: defaultReminderDays, ReceiptDays: defaultReceiptDays, zone: time.UTC}
}

// Zone returns the time zone of the business, or UTC if its name is unknown.
func (s Settings) Zone() *time.Location {
	if s.zone != nil && s.zone.String() == s.TimeZone {
		return s.zone
	}
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

func (*Settings) EntityType() string { return "settings" }

func (*Settings) KeyValue(string) string { return "" }

func (s *Settings) attributes(a *table.Attributes) {
	a.Number("Shards", &s.Shards)
	a.Number("ShardsRead", &s.ShardsRead)
	a.Flag("Moving", &s.Moving)
	a.Time("Moved", &s.Moved)
	a.Text("Currency", &s.Currency)
	a.Text("TimeZone", &s.TimeZone)
	a.Time("ZoneChanged", &s.ZoneChanged)
	a.Text("Payments", (*string)(&s.Payments))
	optionalAmount(a, "RefundLimit", &s.RefundLimit)
	if a.Decoding() && !a.Has("ReminderDays") { // settings of a version without subscriptions
		s.ReminderDays, s.ReceiptDays = defaultReminderDays, defaultReceiptDays
	} else {
		a.Number("ReminderDays", &s.ReminderDays)
		a.Number("ReceiptDays", &s.ReceiptDays)
	}
	a.Text("LatePayments", (*string)(&s.LatePayments))
	a.Time("SchedulerSince", &s.SchedulerSince)
	a.Version(&s.Version)
}

// SessionKeys are the keys that sign cookies and cursors. They are stored in the
// table so that all servers share them.
type SessionKeys struct {
	Keys    []string // base64, newest first; older keys still verify
	Version int
}

func (*SessionKeys) EntityType() string { return "sessionKeys" }

func (*SessionKeys) KeyValue(string) string { return "" }

func (k *SessionKeys) attributes(a *table.Attributes) {
	a.Texts("Keys", &k.Keys)
	a.Version(&k.Version)
}

// cachedSettings are settings with the time when they were read.
type cachedSettings struct {
	Settings
	at time.Time
}

// settingsLife is the time that settings stay in the cache. The cache saves a read
// per page. Reshard waits until all caches have expired.
const settingsLife = 10 * time.Second

// Settings returns the settings of the business, or the defaults if none are saved.
func (s *Store) Settings(ctx context.Context) (Settings, error) {
	if cached := s.settings.Load(); cached != nil && s.now().Sub(cached.at) < settingsLife {
		return cached.Settings, nil
	}
	return s.currentSettings(ctx)
}

// currentSettings reads the settings from the table and caches them. It reads
// consistently for two reasons. An older copy would keep its number of shards for
// longer than Reshard waits. And a change based on an older copy would revert other
// changes.
func (s *Store) currentSettings(ctx context.Context) (Settings, error) {
	found, err := readConsistently[*Settings](ctx, s, getSettings, nil)
	if KindOf(err) == NotFound {
		defaults := DefaultSettings()
		found, err = &defaults, nil
	}
	if err != nil {
		return Settings{}, err
	}
	found.Shards = max(1, found.Shards)
	found.ShardsRead = max(found.Shards, found.ShardsRead)
	found.zone = found.Zone()
	s.settings.Store(&cachedSettings{*found, s.now()})
	return *found, nil
}
