package store

import (
	"context"

	"stockroom/store/key"
)

// AuditLine is one line of an audit export: an event or a seal.
type AuditLine struct {
	Type  string     `json:"type"` // event or seal
	Event *Event     `json:"event,omitempty"`
	Seal  *AuditSeal `json:"seal,omitempty"`
}

// ExportAudit calls visit with the events and the seal of each day (UTC), day by day. An
// imported event counts for the day of its import. The range of days must not be open at
// either end.
func (s *Store) ExportAudit(ctx context.Context, days DateRange, visit func(AuditLine) error) error {
	for day := days.From; !day.After(days.To); day = endOf(day) {
		for e, err := range s.eventsOfDay(ctx, day) {
			if err == nil && e.Imported.IsZero() {
				err = visit(AuditLine{Type: "event", Event: &e})
			}
			if err != nil {
				return err
			}
		}
		for e, err := range s.importedEvents(ctx, day) {
			if err == nil {
				err = visit(AuditLine{Type: "event", Event: &e})
			}
			if err != nil {
				return err
			}
		}
		seal, err := readOne[*AuditSeal](ctx, s, getAuditSeal, key.Map{"year": day.Format("2006"), "day": day.Format(key.Day)})
		if err == nil {
			err = visit(AuditLine{Type: "seal", Seal: seal})
		}
		if ignoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// ExportSeals calls visit with the seals of a range of days, oldest first. If the newest seal
// is older than the range, it makes only a few small reads.
func (s *Store) ExportSeals(ctx context.Context, days DateRange, visit func(AuditLine) error) error {
	if days.To.Before(days.From) {
		return nil
	}
	newest, err := s.newestSeal(ctx)
	if err != nil || newest == nil || newest.Day.Before(days.From) {
		return err
	}
	for seal, err := range s.sealsOf(ctx, days) {
		if err == nil {
			err = visit(AuditLine{Type: "seal", Seal: &seal})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
