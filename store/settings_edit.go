package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// SettingsFields are the settings that an admin can edit. The number of shards is not one
// of them, because only Reshard also moves the existing items.
var SettingsFields = Fields[Settings](slices.Concat(
	inGroup("Currency and time zone",
		textField("currency", "Currency", func(s *Settings) *string { return &s.Currency }).required().
			hint("Three capital letters, such as EUR. Amounts are not converted."),
		textField("timezone", "Time zone", func(s *Settings) *string { return &s.TimeZone }).required().
			hint("Each business day starts at midnight in this time zone. For example, Europe/Stockholm."),
	),
	inGroup("Orders and invoices",
		choiceField("invoice-numbers", "Invoice numbers", []FieldOption{
			{string(NumberConsecutive), "Consecutive: INV-1, INV-2"},
			{string(NumberByID), "No numbers: each invoice shows its ID"},
		}, func(s *Settings) *Numbering { return &s.Numbering }).
			hint("Consecutive numbers have no gaps, as the EU requires. They limit a business to about 40 orders per second. The change applies to new invoices."),
		moneyField("refund-limit", "Refund limit for support", func(s *Settings) *Amount { return &s.RefundLimit }).
			hint("The most that support can refund for one invoice. 0 or empty: only admins can refund."),
	),
	inGroup("Subscriptions",
		choiceField("payments", "Payments", []FieldOption{
			{"", "Not set: payment runs do not start"},
			{string(ServiceOff), "Off: payment runs do not start"},
			{string(ServiceStripe), "Stripe: charge customers"},
			{string(ServiceRecord), "Record only: charge nobody"},
		}, func(s *Settings) *Service { return &s.Payments }).
			hint("Only servers that use this service charge payments. A server with STOCKROOM_STRIPE_KEY uses Stripe. When you change this, payment runs in progress stop within ten seconds."),
		choiceField("late", "Late payments", []FieldOption{
			{string(LateCharge), "Charge one payment per subscription"},
			{string(LateSkip), "Skip them"},
		}, func(s *Settings) *LateRule { return &s.LatePayments }).
			hint("What to do with a payment that is more than seven days late. If a subscription has missed several payments, at most one of them is charged. The other missed payments are dropped."),
		countField("reminder", "Reminder lead time", 0, MaxReminderDays, func(s *Settings) *int { return &s.ReminderDays }).
			hint("How many days before a payment its reminder is sent, 0 to 27. Reminders that are already scheduled are not affected."),
		countField("receipt", "Receipt retention period", 1, maxReceiptDays, func(s *Settings) *int { return &s.ReceiptDays }).
			hint("After how many days a receipt is deleted, 1 to 3660. Existing receipts are not affected."),
		textField("retries", "Retry days", func(s *Settings) *string { return &s.RetryDays }).
			hint("How many days after its due date a declined payment is retried, such as 1, 3, 7. If empty: 1, 3, 7. If the last retry is declined, the subscription is paused."),
	),
	inGroup("Notices",
		flagField("notices", "Daily notices", func(s *Settings) *bool { return &s.Notices }).
			hint("Emails to managers about low stock, overdue goods and kayaks, and expected deliveries; to renters about kayaks that are due back tomorrow or overdue; and to users who want a saved view by email."),
	),
	inGroup("Security",
		choiceField("second-factor", "Second factor", []FieldOption{
			{string(FactorOptional), "Optional for everyone"},
			{string(FactorAdmins), "Required for admins"},
			{string(FactorManagers), "Required for admins and managers"},
			{string(FactorEveryone), "Required for everyone"},
		}, func(s *Settings) *FactorRule { return &s.SecondFactor }).
			hint("An authenticator app or a passkey, in addition to the password. Users without one must set one up before they can open other pages."),
		countField("idle", "Session idle limit in minutes", minSessionMinutes, maxSessionMinutes, func(s *Settings) *int { return &s.SessionMinutes }).
			hint("5 to 120. Users who open no page for this long must sign in again. This setting and the next one apply from the next sign-in."),
		countField("life", "Session limit in hours", minSessionHours, MaxSessionHours, func(s *Settings) *int { return &s.SessionHours }).
			hint("1 to 24. Users must then sign in again, even if their session was never idle."),
		countField("access", "Retention period of sign-ins and downloads", minAccessDays, maxAccessDays, func(s *Settings) *int { return &s.AccessDays }).
			hint("After how many days sign-ins, failed sign-ins and downloads are deleted from the history, 30 to 3660. Existing entries are not affected."),
		wholeField("erase-closed", "Days until closed customers are erased", 0, MaxEraseClosedDays, func(s *Settings) *int { return &s.EraseClosedDays }).
			hint("30 to 36500. Each day, at most 20 customers are erased. This can't be undone. 0 or empty: never."),
	),
	inGroup("Costs of the table",
		unitPriceField("read-price", "Price of a million read units", func(s *Settings) *Amount { return &s.ReadPrice }).
			hint("In US dollars, for on-demand capacity. For example, 0.125 in US East (N. Virginia). The Costs page uses this price."),
		unitPriceField("write-price", "Price of a million write units", func(s *Settings) *Amount { return &s.WritePrice }).
			hint("In US dollars, for on-demand capacity. For example, 0.625 in US East (N. Virginia)."),
	),
	companyFields(),
))

// unitPriceField returns a field for a price in US dollars with up to four decimals. The
// currency of the business does not limit its decimals.
func unitPriceField(name, label string, of func(*Settings) *Amount) Field[Settings] {
	f := moneyField(name, label, of)
	f.amount = nil
	return f
}

// CurrentSettings makes a consistent read of the settings, without the cache.
func (a Access) CurrentSettings(ctx context.Context) (Settings, error) {
	if err := a.require(Administer); err != nil {
		return Settings{}, err
	}
	return a.store.currentSettings(ctx)
}

// ChangeSettings changes the settings that an admin can edit. It returns Invalid, or
// Conflict if the form showed another version. If amounts due prevent a change of
// the currency, the Invalid error wraps a CurrencyInUseError.
func (a Access) ChangeSettings(ctx context.Context, edited Settings, token string) error {
	before, err := a.CurrentSettings(ctx)
	if err != nil {
		return err
	}
	after := before
	SettingsFields.copy(&after, &edited)
	wrong := slices.Clone(a.Wrong)
	for _, err := range []error{
		SettingsFields.check(&after), SettingsFields.checkDecimals(&before, &after, after.Currency), checkSettings(after),
	} {
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	if edited.Version != before.Version {
		return c.rejectOutdated(ctx, getSettings.PK.String())
	}
	entry, changed := SettingsFields.edits(&before, &after, after.Currency).event("", "")
	if !changed {
		return nil
	}
	return a.store.saveSettings(ctx, c, before, after, entry)
}

// SaveSettings saves all settings. If the table has no settings yet, Version must be
// 0. It returns Invalid, or Conflict if the stored settings have another version.
func (s *Store) SaveSettings(ctx context.Context, settings Settings, by string) error {
	before, err := s.currentSettings(ctx)
	if err != nil {
		return err
	}
	c := s.newChange(settings)
	c.by = by
	var e edits
	e.field("scheduler", before.schedulerState(), settings.schedulerState())
	entry, _ := e.event("", "")
	return s.saveSettings(ctx, c, before, settings, entry)
}

func (s Settings) schedulerState() string {
	if s.SchedulerSince.IsZero() {
		return "off"
	}
	return "on"
}

func (s *Store) saveSettings(ctx context.Context, c *change, before, settings Settings, entry Event) error {
	if err := checkSettings(settings); err != nil {
		return err
	}
	if err := s.checkCurrency(ctx, before, settings); err != nil {
		return err
	}
	if settings.TimeZone != before.TimeZone {
		settings.ZoneChanged = s.now().UTC()
		if err := c.moveBacklogBack(ctx, dayIn(s.now(), settings.Zone())); err != nil {
			return err
		}
	}
	seen := settings.Version
	settings.Version++
	if seen == 0 {
		c.Create(&settings)
	} else {
		c.Replace(&settings, seen)
	}
	if seen > 0 || entry.Before != "" || entry.After != "" {
		entry.Partition, entry.What = getSettings.PK.String(), EventSettingsChanged
		c.recordEvent(entry)
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	settings.zone = settings.Zone()
	s.cacheSettings(settings)
	return nil
}

func checkSettings(s Settings) error {
	var wrong InputErrors
	if s.Shards < 1 || s.Shards > maxShards || s.ShardsRead < s.Shards || s.ShardsRead > maxShards {
		wrong.Reject("shards", "Enter a number of shards from 1 to %d.", maxShards)
	}
	if len(s.Currency) != 3 || strings.ToUpper(s.Currency) != s.Currency {
		wrong.Reject("currency", "Enter a currency code of three capital letters, such as EUR.")
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "" {
		wrong.Reject("timezone", "The time zone “%s” is unknown. Enter one such as Europe/Stockholm.", s.TimeZone)
	}
	if s.ReminderDays < 0 || s.ReminderDays > MaxReminderDays {
		wrong.Reject("reminder", "Enter 0 to %d days.", MaxReminderDays)
	}
	if s.ReceiptDays < 1 || s.ReceiptDays > maxReceiptDays {
		wrong.Reject("receipt", "Enter 1 to %d days.", maxReceiptDays)
	}
	if s.RetryDays != "" {
		_, err := parseRetryDays(s.RetryDays)
		_ = wrong.Add(err) // Add returns nil, because parseRetryDays returns only Invalid
	}
	if s.AccessDays < minAccessDays || s.AccessDays > maxAccessDays {
		wrong.Reject("access", "Enter %d to %d days.", minAccessDays, maxAccessDays)
	}
	if s.EraseClosedDays != 0 && (s.EraseClosedDays < MinEraseClosedDays || s.EraseClosedDays > MaxEraseClosedDays) {
		wrong.Reject("erase-closed", "Enter a whole number from %d to %d, or 0.", MinEraseClosedDays, MaxEraseClosedDays)
	}
	if s.SessionMinutes < minSessionMinutes || s.SessionMinutes > maxSessionMinutes {
		wrong.Reject("idle", "Enter %d to %d minutes.", minSessionMinutes, maxSessionMinutes)
	}
	if s.SessionHours < minSessionHours || s.SessionHours > MaxSessionHours {
		wrong.Reject("life", "Enter %d to %d hours.", minSessionHours, MaxSessionHours)
	}
	return wrong.Err()
}
