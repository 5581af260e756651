package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Settings are the settings of the business.
type Settings struct {
	// Shards is the number of shards for new keys. ShardsRead is the number of shards
	// that lists read, which can be larger while Reshard is running.
	Shards     int
	ShardsRead int
	Moving     bool      `json:",omitempty"` // Reshard has started but not finished
	Moved      time.Time `json:",omitzero"`  // when Reshard last finished
	Currency   string    // ISO 4217
	TimeZone   string    // IANA name

	// ZoneChanged is when the time zone last changed. Earlier days began at another
	// time.
	ZoneChanged time.Time `json:",omitzero"`

	// Payments is the service that charges payments: ServiceStripe, ServiceRecord or
	// ServiceOff. It is "" until a service is chosen. Only servers that use this
	// service charge payments.
	Payments Service `json:",omitempty"`

	// RefundLimit limits refunds by users without the permission RefundAny. With such a
	// refund, the sum of all refunds of the invoice, even those by other users, must not
	// exceed the limit. If the limit is 0, these users cannot refund.
	RefundLimit Amount

	// ReadPrice and WritePrice are the prices in US dollars of a million read units and a
	// million write units of DynamoDB.
	ReadPrice  Amount
	WritePrice Amount

	ReminderDays    int        // days between a reminder and the payment
	ReceiptDays     int        // days that a receipt is kept
	RetryDays       string     `json:",omitempty"` // days after the due day on which a declined payment is retried; "" for 1, 3, 7
	AccessDays      int        // days that events of sign-ins and downloads are kept
	EraseClosedDays int        `json:",omitempty"` // days after which closed customers are erased; 0 for never
	SessionMinutes  int        // minutes without a request after which a session ends
	SessionHours    int        // hours from sign-in until a session ends
	SecondFactor    FactorRule `json:",omitempty"` // who must have a second factor
	LatePayments    LateRule   `json:",omitempty"`
	Numbering       Numbering  `json:",omitempty"` // which numbers new invoices get
	SchedulerSince  time.Time  `json:",omitzero"`  // when the scheduler was turned on; zero if it is off
	Notices         bool       `json:",omitempty"` // send daily notices
	Company         Company
	TaxRate         TaxRate // included in prices; copied to new invoices
	Version         int

	zone *time.Location // location for TimeZone
}

// LateRule is the rule for late payments. A payment is late if its next attempt was due
// more than DaysUntilLate days ago.
type LateRule string

// The rules for late payments. Both move the next payment to the future, so a
// subscription that has missed several payments is charged at most once.
const (
	LateCharge LateRule = ""     // charge the oldest open payment
	LateSkip   LateRule = "SKIP" // charge nothing
)

// DaysUntilLate is the number of days, from the day of its next attempt, after which a
// payment is late. A missed reminder is still sent within this number of days.
const DaysUntilLate = 7

// skips reports whether a run skips the payments that were due on a day. It returns
// false for the zero day, which means that a user retries a payment.
func (s Settings) skips(day, now time.Time) bool {
	return s.LatePayments == LateSkip && !day.IsZero() && day.AddDate(0, 0, DaysUntilLate).Before(dayIn(now, s.Zone()))
}

// maxShards is the maximum number of shards. A page of a sharded list makes one
// request per shard.
const maxShards = table.MaxRequests

// Defaults for subscriptions: a reminder a week before the payment, and receipts for
// six months.
const (
	defaultReminderDays = 7
	defaultReceiptDays  = 183
	maxReceiptDays      = 3660
)

// The limits and the default of AccessDays. By default, events of sign-ins and
// downloads are kept for 13 months.
const (
	defaultAccessDays = 396
	minAccessDays     = 30
	maxAccessDays     = 3660
)

// The limits and the defaults of the times of sessions. A long idle time would leave
// sessions open on shared computers.
const (
	defaultSessionMinutes = int(SessionIdle / time.Minute)
	minSessionMinutes     = 5
	maxSessionMinutes     = 120
	defaultSessionHours   = int(SessionLife / time.Hour)
	minSessionHours       = 1
	MaxSessionHours       = 24
)

// DefaultSettings returns the settings of a new business.
func DefaultSettings() Settings {
	return Settings{Shards: key.DefaultShards, ShardsRead: key.DefaultShards, Currency: "EUR", TimeZone: "UTC", ReminderDays: defaultReminderDays, ReceiptDays: defaultReceiptDays, AccessDays: defaultAccessDays, SessionMinutes: defaultSessionMinutes, SessionHours: defaultSessionHours, ReadPrice: defaultReadPrice, WritePrice: defaultWritePrice, zone: time.UTC}
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
	if a.Decoding() && !a.Has("ReadPrice") { // an earlier version stored these settings, without prices
		s.ReadPrice, s.WritePrice = defaultReadPrice, defaultWritePrice
	} else {
		amountAttribute(a, "ReadPrice", &s.ReadPrice)
		amountAttribute(a, "WritePrice", &s.WritePrice)
	}
	if a.Decoding() && !a.Has("ReminderDays") { // an earlier version stored these settings, without subscriptions
		s.ReminderDays, s.ReceiptDays = defaultReminderDays, defaultReceiptDays
	} else {
		a.Number("ReminderDays", &s.ReminderDays)
		a.Number("ReceiptDays", &s.ReceiptDays)
	}
	a.Text("RetryDays", &s.RetryDays)
	if a.Decoding() && !a.Has("AccessDays") { // an earlier version stored these settings, without AccessDays
		s.AccessDays = defaultAccessDays
	} else {
		a.Number("AccessDays", &s.AccessDays)
	}
	if a.Decoding() && !a.Has("SessionMinutes") { // an earlier version stored these settings, without limits of sessions
		s.SessionMinutes, s.SessionHours = defaultSessionMinutes, defaultSessionHours
	} else {
		a.Number("SessionMinutes", &s.SessionMinutes)
		a.Number("SessionHours", &s.SessionHours)
	}
	a.Count("EraseClosedDays", &s.EraseClosedDays)
	a.Text("SecondFactor", (*string)(&s.SecondFactor))
	a.Text("LatePayments", (*string)(&s.LatePayments))
	a.Text("Numbering", (*string)(&s.Numbering))
	a.Time("SchedulerSince", &s.SchedulerSince)
	a.Flag("Notices", &s.Notices)
	a.Nested("Company", s.Company.attributes)
	taxRateAttribute(a, "TaxRate", &s.TaxRate)
	a.Version(&s.Version)
}

// SessionKeys contains the keys that sign cookies and cursors. They are in the table
// so that all servers have the same keys.
type SessionKeys struct {
	Keys    []string // keys in base64, newest first; the newest key signs, all keys verify
	Version int
}

func (*SessionKeys) EntityType() string { return "sessionKeys" }

func (*SessionKeys) KeyValue(string) string { return "" }

func (k *SessionKeys) attributes(a *table.Attributes) {
	a.Texts("Keys", &k.Keys)
	a.Version(&k.Version)
}

type cachedSettings struct {
	Settings
	at time.Time
}

// settingsLife is how long settings stay in the cache. The cache saves a read per page.
// Reshard waits until the caches of all servers have expired.
const settingsLife = 10 * time.Second

// Settings returns the settings of the business, or the defaults if none are saved. They
// come from a cache, and can be up to settingsLife old.
func (s *Store) Settings(ctx context.Context) (Settings, error) {
	if cached := s.settings.Load(); cached != nil && s.now().Sub(cached.at) < settingsLife {
		return cached.Settings, nil
	}
	return s.currentSettings(ctx)
}

// currentSettings makes a consistent read of the settings and caches them. With an
// eventually consistent read, the cache could keep an old number of shards for longer than
// Reshard waits, and changes could fail because the version that was read is outdated.
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
	s.cacheSettings(*found)
	return *found, nil
}

// cacheSettings caches settings that were read or saved. It keeps newer settings, which
// another goroutine may have saved since these settings were read.
func (s *Store) cacheSettings(settings Settings) {
	next := &cachedSettings{settings, s.now()}
	for {
		old := s.settings.Load()
		if old != nil && old.Version > next.Version && s.now().Sub(old.at) < settingsLife {
			return
		}
		if s.settings.CompareAndSwap(old, next) {
			return
		}
	}
}
