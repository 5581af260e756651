package store

import (
	"context"
	"strings"
	"time"
)

// SettingsFields are what an admin can edit of the settings. Shards are not
// among them: changing their number moves existing keys.
var SettingsFields = Fields[Settings]{
	textField("currency", "Currency", func(s *Settings) *string { return &s.Currency }).required().
		hint("Three capital letters, such as EUR. Amounts are not converted."),
	textField("timezone", "Time zone", func(s *Settings) *string { return &s.TimeZone }).required().
		hint("Where the days of the business begin, such as Europe/Stockholm."),
}

// CurrentSettings returns the settings as stored, not from the cache.
func (a Access) CurrentSettings(ctx context.Context) (Settings, error) {
	if err := a.require(Administer); err != nil {
		return Settings{}, err
	}
	a.store.settings.Store(nil)
	return a.Settings(ctx)
}

// ChangeSettings changes the editable settings. It returns Invalid, or Conflict
// if the Version of the settings is no longer current.
func (a Access) ChangeSettings(ctx context.Context, edited Settings, once string) error {
	before, err := a.CurrentSettings(ctx)
	if err != nil {
		return err
	}
	after := before
	SettingsFields.copy(&after, &edited)
	if err := SettingsFields.check(&after); err != nil {
		return err
	}
	after.Version = edited.Version
	entry, changed := SettingsFields.edits(&before, &after).event("", "")
	if !changed && before.Version == after.Version {
		return nil
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	return a.store.saveSettings(ctx, c, after, entry)
}

// SaveSettings saves all settings. It returns Invalid, or Conflict if their
// Version is no longer current; 0 means that none were saved yet.
func (s *Store) SaveSettings(ctx context.Context, settings Settings, by string) error {
	c := s.newChange(settings)
	c.by = by
	return s.saveSettings(ctx, c, settings, Event{})
}

func (s *Store) saveSettings(ctx context.Context, c *change, settings Settings, entry Event) error {
	if err := checkSettings(settings); err != nil {
		return err
	}
	seen := settings.Version
	settings.Version++
	if seen == 0 {
		c.Create(&settings)
	} else {
		c.Replace(&settings, seen)
	}
	entry.Partition, entry.What = getSettings.PK.String(), EventSettingsChanged
	c.recordEvent(entry)
	if err := c.Commit(ctx); err != nil {
		return err
	}
	s.settings.Store(nil)
	return nil
}

func checkSettings(s Settings) error {
	if s.Shards < 1 || s.Shards > maxShards || s.ShardsRead < s.Shards || s.ShardsRead > maxShards {
		return InvalidField("shards", "Enter 1 to %d shards, and read at least as many as are written.", maxShards)
	}
	if len(s.Currency) != 3 || strings.ToUpper(s.Currency) != s.Currency {
		return InvalidField("currency", "Enter a currency code of three capital letters, such as EUR.")
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "" {
		return InvalidField("timezone", "%q is not a time zone. Try one such as Europe/Stockholm.", s.TimeZone)
	}
	if s.ReminderDays < 0 || s.ReminderDays > maxReminderDays {
		return InvalidField("reminder", "Enter 0 to %d days.", maxReminderDays)
	}
	if s.ReceiptDays < 1 || s.ReceiptDays > maxReceiptDays {
		return InvalidField("receipt", "Enter 1 to %d days.", maxReceiptDays)
	}
	return nil
}
