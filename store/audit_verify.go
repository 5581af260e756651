package store

import (
	"context"
	"crypto/hmac"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// AuditVerification contains the options of VerifyAudit.
type AuditVerification struct {
	Found    func(problem string)   // called for each problem
	Progress func(done, events int) // called with the number of verified days and events; may be nil

	// Known contains the MACs of seals by day (2006-01-02), from a copy outside the table.
	// VerifyAudit reports seals that differ from the copy or are missing in the table. It
	// removes from Known each day whose seal is in the table. Known may be nil.
	Known map[string]string
}

// AuditResult is the result of VerifyAudit.
type AuditResult struct {
	Days     int        // sealed days
	Events   int        // sealed events that were compared
	Expired  int        // days whose sign-ins and downloads were not compared, because some have expired
	Late     int        // days that were sealed late; see lateSeal
	Before   int        // events before the first sealed day, which cannot be verified
	Problems int        // number of calls of Found
	First    time.Time  // first sealed day
	Newest   *AuditSeal // nil if no day is sealed
}

// verifier is one run of VerifyAudit.
type verifier struct {
	AuditVerification
	store  *Store
	mu     sync.Mutex // guards result, and calls of Found
	result AuditResult

	before *AuditSeal // seal of the day before the first day that is verified; nil if there is none
}

func (v *verifier) found(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Problems++
	v.Found(fmt.Sprintf(format, args...))
}

// VerifyAudit compares the events of all sealed days with their seals. It finds events
// that were changed, removed or inserted, and changed or removed seals. It also reads
// the whole table to find events that are in no index and therefore in no chain.
//
// It cannot verify events that have no seal yet. It returns Invalid if the store has no
// audit keys.
func (s *Store) VerifyAudit(ctx context.Context, how AuditVerification) (AuditResult, error) {
	if len(s.auditKeys) == 0 {
		return AuditResult{}, fail(Invalid, "The seals can't be verified without their key.")
	}
	v := &verifier{AuditVerification: how, store: s}
	now := s.now().UTC()
	all := DateRange{From: time.Date(now.Year()+1-maxSealYears, 1, 1, 0, 0, 0, 0, time.UTC), To: now.AddDate(1, 0, 0)}
	if err := v.readBefore(ctx, all.From); err != nil {
		return v.result, err
	}
	for seal, err := range s.sealsOf(ctx, all) {
		if err == nil {
			err = v.verifySeal(ctx, seal)
		}
		if err != nil {
			return v.result, err
		}
	}
	first := all.From.Format(time.DateOnly)
	for _, day := range slices.Sorted(maps.Keys(v.Known)) {
		if day < first {
			continue // the seal is too old to be read
		}
		v.found("%s: the seal in the copy is not in the table", day)
	}
	switch newest := v.result.Newest; {
	case newest == nil:
		v.found("the table has no seal")
	case now.Sub(endOf(newest.Day)) > lateSeal:
		v.found("the newest seal is for %s: later days are not sealed", newest.Day.Format(time.DateOnly))
	}
	err := v.findHidden(ctx) // call findHidden before v.result is copied, because it adds problems to v.result
	return v.result, err
}

// readBefore reads the seal of the day before the first day that is verified. The seal of
// the first day contains its MAC.
func (v *verifier) readBefore(ctx context.Context, first time.Time) (err error) {
	day := first.AddDate(0, 0, -1)
	v.before, err = readOne[*AuditSeal](ctx, v.store, getAuditSeal, key.Map{"year": day.Format("2006"), "day": day.Format(key.Day)})
	return ignoreNotFound(err)
}

// follows reports whether a seal without a previous one in the verified days contains the
// MAC of the seal before them.
func (v *verifier) follows(seal *AuditSeal) bool {
	return v.before != nil && endOf(v.before.Day).Equal(seal.Day) && v.before.MAC == seal.Previous
}

func endOf(day time.Time) time.Time { return day.AddDate(0, 0, 1) }

// verifySeal verifies a seal and the events of its day. Pass the seals in the
// order of their days.
func (v *verifier) verifySeal(ctx context.Context, seal AuditSeal) error {
	day, previous := seal.Day.Format(time.DateOnly), v.result.Newest
	if v.result.Days == 0 {
		v.result.First = seal.Day
	}
	v.result.Days++
	v.result.Newest = &seal
	if known, ok := v.Known[day]; ok && known != seal.MAC {
		v.found("%s: the seal differs from the copy", day)
	}
	delete(v.Known, day)
	if previous != nil {
		for missing := endOf(previous.Day); missing.Before(seal.Day); missing = endOf(missing) {
			v.found("%s: the seal is missing", missing.Format(time.DateOnly))
		}
	}
	k, ok := v.store.auditKeys.withID(seal.Key)
	switch {
	case !ok:
		v.found("%s: the day is sealed with another key: to verify it, add the key with the ID %s to STOCKROOM_AUDIT_KEY", day, seal.Key)
		return nil
	case !hmac.Equal([]byte(k.sealMAC(&seal)), []byte(seal.MAC)):
		v.found("%s: the seal was changed", day)
		return nil
	case previous == nil && seal.Previous != "" && !v.follows(&seal), previous != nil && previous.Day.Equal(seal.Day.AddDate(0, 0, -1)) && previous.MAC != seal.Previous:
		v.found("%s: the seal of the day before was replaced or removed", day)
	}
	if seal.Sealed.Sub(endOf(seal.Day)) > lateSeal {
		v.result.Late++
	}
	found, err := v.store.chainDay(ctx, k, seal.Day)
	if err != nil {
		return err
	}
	v.compare(seal, found)
	if v.Progress != nil {
		v.Progress(v.result.Days, v.result.Events)
	}
	return nil
}

// compare compares the slots of a seal with the slots of the events in the table.
func (v *verifier) compare(seal AuditSeal, found *chains) {
	expired := !seal.Expires.IsZero() && !v.store.now().Before(seal.Expires)
	if expired {
		v.result.Expired++
	}
	sealed := map[SealSlot]SealSlot{} // slots of the seal, by kind and hour
	for _, slot := range seal.Slots {
		sealed[SealSlot{Kind: slot.Kind, Hour: slot.Hour}] = slot
	}
	for kind, hours := range found.byKind {
		for hour, slot := range hours {
			id := SealSlot{Kind: kind, Hour: hour}
			if _, ok := sealed[id]; slot.Count > 0 && !ok {
				sealed[id] = id
			}
		}
	}
	for _, kind := range []SealKind{sealChanges, sealAccess, sealImports} {
		for hour := range 24 {
			id := SealSlot{Kind: kind, Hour: hour}
			want, ok := sealed[id]
			if !ok || kind == sealAccess && expired {
				continue
			}
			got := id
			if hours := found.byKind[kind]; hours != nil && hours[hour].Count > 0 {
				got = hours[hour]
			}
			v.result.Events += want.Count
			where := id.describe(seal.Day)
			switch {
			case got.Count < want.Count:
				v.found("%s: at least %s removed (%d sealed, %d found)", where, eventsWere(want.Count-got.Count), want.Count, got.Count)
			case got.Count > want.Count:
				v.found("%s: at least %s inserted (%d sealed, %d found)", where, eventsWere(got.Count-want.Count), want.Count, got.Count)
			case got.Hash != want.Hash:
				v.found("%s: at least 1 event was changed or replaced (%d sealed)", where, want.Count)
			}
		}
	}
}

func eventsWere(n int) string {
	if n == 1 {
		return "1 event was"
	}
	return fmt.Sprintf("%d events were", n)
}

// findHidden reads the whole table and reports events whose index keys are missing or
// wrong. Such events can be missing in the indexes, and then no chain contains them.
func (v *verifier) findHidden(ctx context.Context) error {
	settings, err := v.store.Settings(ctx)
	if err != nil {
		return err
	}
	return v.store.Everything(ctx, func(items []Item) error {
		for _, item := range items {
			if strings.HasPrefix(table.TextOf(item, table.AttrSK), "event#") {
				v.checkIndexes(item, settings.ShardsRead)
			}
		}
		return nil
	})
}

// checkIndexes reports an event that cannot be decoded or has wrong index keys. It also
// calls countBefore.
func (v *verifier) checkIndexes(item Item, shards int) {
	var e Event
	problem := ""
	if err := decodeAs(table.RowOf(item), &e); err != nil {
		problem = err.Error()
	} else {
		problem = indexProblem(item, &e, shards)
		v.countBefore(&e)
	}
	if problem != "" {
		v.found("%s / %s: %s", table.TextOf(item, table.AttrPK), table.TextOf(item, table.AttrSK), problem)
	}
}

func (v *verifier) countBefore(e *Event) {
	if e.Imported.IsZero() && e.When.Before(v.result.First) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.result.Before++
	}
}

// indexProblem returns what is wrong with the index keys of an event, or "".
func indexProblem(item Item, e *Event, shards int) string {
	if !inShard(item, "GSI1", "events#"+e.KeyValue("day")+"#", shards, e.ID) {
		return "the history does not show this event: its index keys are wrong"
	}
	pk, sk := table.KeyAttributes("GSI2")
	if user := e.KeyValue("user"); user != "" && (table.TextOf(item, pk) != "events#user#"+user || table.TextOf(item, sk) != e.ID) {
		return "the history of the user does not show this event: its index keys are wrong"
	}
	if day := e.KeyValue("importDay"); day != "" && !inShard(item, "GSI3", "importedEvents#"+day+"#", shards, e.ID) {
		return "this imported event has no seal: its index keys are wrong"
	}
	return ""
}

// inShard reports whether the item's keys in the index are valid for the event with this
// ID: the partition key is the prefix and the number of a shard, and the sort key is the
// ID.
func inShard(item Item, index, prefix string, shards int, id string) bool {
	pk, sk := table.KeyAttributes(index)
	shard, ok := strings.CutPrefix(table.TextOf(item, pk), prefix)
	n, err := strconv.Atoi(shard)
	return ok && err == nil && n >= 0 && n < shards && shard == strconv.Itoa(n) && table.TextOf(item, sk) == id
}
