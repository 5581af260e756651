package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Settings hold for the whole business.
type Settings struct {
	// Shards is how many partitions new keys are spread over, ShardsRead the
	// most that there have ever been: lists ask that many, so that no row is
	// lost while keys are spread anew.
	Shards     int
	ShardsRead int
	Moving     bool   `json:",omitempty"` // rows are on their way from one shard to another
	Currency   string // ISO 4217
	TimeZone   string // an IANA name: where the business's days begin and end

	ReminderDays   int       // how many days before a payment it is announced
	ReceiptDays    int       // how long a receipt is kept
	SchedulerSince time.Time `json:",omitzero"` // since when the daily jobs run by themselves; zero: they do not
	Version        int

	zone *time.Location // of TimeZone, looked up once for all who read the settings
}

// maxShards bounds what one page of a sharded list asks of the table.
const maxShards = table.MaxRequests

// What holds of subscriptions until somebody says otherwise: a reminder a week
// before a payment, and a receipt for about six months after it.
const (
	defaultReminderDays = 7
	defaultReceiptDays  = 183
	maxReceiptDays      = 3660
)

// DefaultSettings hold until somebody says otherwise.
func DefaultSettings() Settings {
	return Settings{Shards: key.DefaultShards, ShardsRead: key.DefaultShards, Currency: "EUR", TimeZone: "UTC", ReminderDays: defaultReminderDays, ReceiptDays: defaultReceiptDays, zone: time.UTC}
}

// Zone is the time zone of the business, UTC where the name is unknown.
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
	a.Text("Currency", &s.Currency)
	a.Text("TimeZone", &s.TimeZone)
	if a.Decoding() && !a.Has("ReminderDays") { // settings from before there were subscriptions
		s.ReminderDays, s.ReceiptDays = defaultReminderDays, defaultReceiptDays
	} else {
		a.Number("ReminderDays", &s.ReminderDays)
		a.Number("ReceiptDays", &s.ReceiptDays)
	}
	a.Time("SchedulerSince", &s.SchedulerSince)
	a.Version(&s.Version)
}

// SessionKeys sign the cookies and cursors. They are made once and lie beside
// the settings, so that every server of the business accepts what another
// one signed.
type SessionKeys struct {
	Keys    []string // the newest first; older ones still verify
	Version int
}

func (*SessionKeys) EntityType() string { return "sessionKeys" }

func (*SessionKeys) KeyValue(string) string { return "" }

func (k *SessionKeys) attributes(a *table.Attributes) {
	a.Texts("Keys", &k.Keys)
	a.Version(&k.Version)
}

// readSettings are settings and when they were read.
type readSettings struct {
	Settings
	at time.Time
}

// settingsLife is how long settings are kept in memory. Every page needs
// them, they change a few times a year, and lists ask ShardsRead partitions,
// which only ever falls after the keys have moved: ten seconds of age are
// harmless and save a request a page.
const settingsLife = 10 * time.Second

// Settings reads the settings of the business; before anybody saved any they
// are the defaults.
func (s *Store) Settings(ctx context.Context) (Settings, error) {
	if kept := s.settings.Load(); kept != nil && s.now().Sub(kept.at) < settingsLife {
		return kept.Settings, nil
	}
	found, err := readOne[*Settings](ctx, s, getSettings, nil)
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
	s.settings.Store(&readSettings{*found, s.now()})
	return *found, nil
}
