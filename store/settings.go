package store

import (
	"time"

	"stockroom/store/key"
)

// Settings hold for the whole business.
type Settings struct {
	// Shards is how many partitions new keys are spread over, ShardsRead the
	// most that there have ever been: lists ask that many, so that no row is
	// lost while keys are spread anew.
	Shards     int
	ShardsRead int
	Currency   string // ISO 4217
	TimeZone   string // an IANA name: where the business's days begin and end
	Version    int
}

// DefaultSettings hold until somebody says otherwise.
func DefaultSettings() Settings {
	return Settings{Shards: key.DefaultShards, ShardsRead: key.DefaultShards, Currency: "EUR", TimeZone: "UTC"}
}

// Zone is the time zone of the business, UTC where the name is unknown.
func (s Settings) Zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// EntityType implements Entity.
func (*Settings) EntityType() string { return "settings" }

// KeyValue implements Entity: there is one item of settings.
func (*Settings) KeyValue(string) string { return "" }

func (s *Settings) write(a *attributes) {
	a.number("Shards", s.Shards)
	a.number("ShardsRead", s.ShardsRead)
	a.text("Currency", s.Currency)
	a.text("TimeZone", s.TimeZone)
	a.number(attrVersion, s.Version)
}

func decodeSettings(item Item) (Entity, error) {
	f := fields{item: item}
	s := &Settings{
		Shards:     f.number("Shards"),
		ShardsRead: f.number("ShardsRead"),
		Currency:   f.text("Currency"),
		TimeZone:   f.text("TimeZone"),
		Version:    f.number(attrVersion),
	}
	return s, f.err
}

// SessionKeys sign the cookies and cursors. They are made once and lie beside
// the settings, so that every server of the business accepts what another
// one signed.
type SessionKeys struct {
	Keys    []string // the newest first; older ones still verify
	Version int
}

// EntityType implements Entity.
func (*SessionKeys) EntityType() string { return "sessionKeys" }

// KeyValue implements Entity: there is one item of them.
func (*SessionKeys) KeyValue(string) string { return "" }

func (k *SessionKeys) write(a *attributes) {
	a.texts("Keys", k.Keys)
	a.number(attrVersion, k.Version)
}

func decodeSessionKeys(item Item) (Entity, error) {
	f := fields{item: item}
	return &SessionKeys{Keys: f.texts("Keys"), Version: f.number(attrVersion)}, f.err
}
