package storetest_test

import (
	"flag"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

var auditEvents = flag.Int("audit-events", 2_000, "number of events of the test of the sealed history, such as 100000")

// sealedHistory is a store with sealed days, and the database below it. The seal of a day
// contains a MAC of the events of the day.
type sealedHistory struct {
	*testing.T
	db    *embedded.DB
	store *store.Store
	clock *storetest.Clock
}

// newHistory returns an empty store. It makes the test run in parallel with others.
func newHistory(t *testing.T) *sealedHistory {
	t.Helper()
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	return &sealedHistory{T: t, db: db, store: s, clock: clock}
}

// add records n events in the ten days before today, and seals these days.
func (h *sealedHistory) add(n int) (all []store.Event) {
	h.Helper()
	began := h.clock.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -10)
	var batch []store.Entity
	for i := range n {
		when := began.Add(time.Duration(i) * (10 * 24 * time.Hour / time.Duration(n)))
		e := store.Event{ID: eventID(when, i), Partition: fmt.Sprintf("c#%d", i%97), When: when, By: "kim", What: store.EventNote, Why: fmt.Sprintf("note %d", i)}
		all = append(all, e)
		batch = append(batch, &e)
		if len(batch) == 10_000 || i == n-1 {
			if _, err := h.store.Load(h.Context(), batch, store.LoadOptions{}); err != nil {
				h.Fatal(err)
			}
			batch = nil
		}
	}
	if _, sealed, err := h.store.SealDays(h.Context(), time.Time{}); err != nil || sealed != 10 {
		h.Fatalf("got %d sealed days, error %v, want 10", sealed, err)
	}
	return all
}

func eventID(when time.Time, i int) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(when)) // fails after the year 10889
	id[14], id[15] = byte(i>>8), byte(i)
	return id.String()
}

func (h *sealedHistory) problems() (result store.AuditResult, found []string) {
	h.Helper()
	result, err := h.store.VerifyAudit(h.Context(), store.AuditVerification{Found: func(problem string) { found = append(found, problem) }})
	if err != nil {
		h.Fatal(err)
	}
	return result, found
}

// want verifies the history. The verification must find as many problems as there are
// texts, and the problems must contain all these texts.
func (h *sealedHistory) want(texts ...string) {
	h.Helper()
	_, found := h.problems()
	ok := len(found) == len(texts)
	for _, text := range texts {
		ok = ok && strings.Contains(strings.Join(found, "\n"), text)
	}
	if !ok {
		h.Errorf("got the problems\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(texts, "\n"))
	}
}

func primaryKey(pk, sk string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk}}
}

// set changes attributes of an item directly in the table. An empty value removes the
// attribute.
func (h *sealedHistory) set(pk, sk string, attributes map[string]string) {
	h.Helper()
	out, err := h.db.GetItem(h.Context(), &dynamodb.GetItemInput{TableName: aws.String(storetest.TableName), Key: primaryKey(pk, sk)})
	if err != nil || out.Item == nil {
		h.Fatalf("get %s / %s: got error %v, item %v, want an item", pk, sk, err, out)
	}
	for name, value := range attributes {
		delete(out.Item, name)
		if value != "" {
			out.Item[name] = &types.AttributeValueMemberS{Value: value}
		}
	}
	h.put(out.Item)
}

func (h *sealedHistory) put(item map[string]types.AttributeValue) {
	h.Helper()
	if _, err := h.db.PutItem(h.Context(), &dynamodb.PutItemInput{TableName: aws.String(storetest.TableName), Item: item}); err != nil {
		h.Fatal(err)
	}
}

func (h *sealedHistory) remove(pk, sk string) {
	h.Helper()
	if _, err := h.db.DeleteItem(h.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(storetest.TableName), Key: primaryKey(pk, sk)}); err != nil {
		h.Fatal(err)
	}
}

// TestVerifyAudit_FindsThreeEvents checks that a verification finds one changed, one
// removed and one inserted event in a long history. The flag -audit-events is the number of
// events.
func TestVerifyAudit_FindsThreeEvents(t *testing.T) {
	h := newHistory(t)
	all := h.add(*auditEvents)
	result, found := h.problems()
	if len(found) > 0 || result.Events != len(all) || result.Days != 10 || result.Newest == nil {
		t.Fatalf("untouched history: got %d events of %d days and the problems %q, want %d events of 10 days", result.Events, result.Days, found, len(all))
	}
	changed, removed, nextTo := all[len(all)/4], all[len(all)/2], all[3*len(all)/4]
	h.set(changed.Partition, "event#"+changed.ID, map[string]string{"By": "vic", "GSI2-PK": "events#user#vic"})
	h.remove(removed.Partition, "event#"+removed.ID)
	inserted := nextTo
	inserted.ID, inserted.Partition = eventID(nextTo.When, 1<<15+7), "c#c1"
	if _, err := h.store.Load(t.Context(), []store.Entity{&inserted}, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	h.want(
		changed.When.Format("2006-01-02 15:00")+" to "+changed.When.Format("15")+":59 UTC: at least 1 event was changed or replaced",
		removed.When.Format("2006-01-02 15:00")+" to "+removed.When.Format("15")+":59 UTC: at least 1 event was removed",
		nextTo.When.Format("2006-01-02 15:00")+" to "+nextTo.When.Format("15")+":59 UTC: at least 1 event was inserted",
	)
}

// TestVerifyAudit_FindsHiddenEvents checks that a verification finds an event that the
// history of its user does not show, because index keys were removed, and an inserted
// event that only the page of its record shows.
func TestVerifyAudit_FindsHiddenEvents(t *testing.T) {
	h := newHistory(t)
	all := h.add(200)
	h.set(all[20].Partition, "event#"+all[20].ID, map[string]string{"GSI2-PK": "", "GSI2-SK": ""})
	h.put(map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "c#c1"}, "SK": &types.AttributeValueMemberS{Value: "event#" + eventID(all[30].When, 999)},
		"EntityType": &types.AttributeValueMemberS{Value: "event"}, "When": &types.AttributeValueMemberS{Value: all[30].When.Format(time.RFC3339)},
		"By": &types.AttributeValueMemberS{Value: "kim"}, "What": &types.AttributeValueMemberS{Value: "note"},
	})
	h.want("the history of the user does not show this event", "the history does not show this event")
}

// TestVerifyAudit_FindsFalseSeals checks that a verification finds changed and removed
// seals, and a seal with another key.
func TestVerifyAudit_FindsFalseSeals(t *testing.T) {
	h := newHistory(t)
	h.add(100)
	h.set("auditSeals#2026", "2026-11-15", map[string]string{"Previous": "f00d"})
	h.want("2026-11-15: the seal was changed")
	h.remove("auditSeals#2026", "2026-11-15")
	h.want("2026-11-15: the seal is missing")

	// Seal the last day again, with another key.
	h.remove("auditSeals#2026", "2026-11-20")
	own := h.store
	h.store.UseAuditKeys(store.AuditKeys{store.NewAuditKey("the key of somebody else, long enough")})
	if _, sealed, err := h.store.SealDays(t.Context(), time.Time{}); err != nil || sealed != 1 {
		t.Fatalf("got %d sealed days, error %v, want 1", sealed, err)
	}
	own.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	h.want("2026-11-15: the seal is missing", "2026-11-20: the day is sealed with another key")
}

// TestVerifyAudit_ComparesCopy removes an event together with the seal of its day, and
// seals the day again. Only a comparison with a copy of the seals can find this.
func TestVerifyAudit_ComparesCopy(t *testing.T) {
	h := newHistory(t)
	all := h.add(100)
	copied := map[string]string{}
	err := h.store.ExportAudit(t.Context(), store.DateRange{From: all[0].When.Truncate(24 * time.Hour), To: h.clock.Now()}, func(line store.AuditLine) error {
		if line.Seal != nil {
			copied[line.Seal.Day.Format(time.DateOnly)] = line.Seal.MAC
		}
		return nil
	})
	if err != nil || len(copied) != 10 {
		t.Fatalf("got %d seals, error %v, want 10", len(copied), err)
	}
	last := all[len(all)-1]
	h.remove("auditSeals#2026", "2026-11-20")
	h.remove(last.Partition, "event#"+last.ID)
	if _, sealed, err := h.store.SealDays(t.Context(), time.Time{}); err != nil || sealed != 1 {
		t.Fatalf("got %d sealed days, error %v, want 1", sealed, err)
	}
	h.want()
	var found []string
	if _, err := h.store.VerifyAudit(t.Context(), store.AuditVerification{Found: func(p string) { found = append(found, p) }, Known: copied}); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0] != "2026-11-20: the seal differs from the copy" {
		t.Errorf("got the problems %q, want that the seal of 2026-11-20 differs from the copy", found)
	}
}

// TestVerifyAudit_OldestYears verifies a history years later. The verification must read all
// seals of the ten years up to the present one. It must accept the first of them although the
// seal before it is older, and ignore older seals of a copy.
func TestVerifyAudit_OldestYears(t *testing.T) {
	h := newHistory(t)
	h.add(100)
	h.clock.Advance(45 * 24 * time.Hour) // to 2027-01-05
	if _, sealed, err := h.store.SealDays(t.Context(), time.Time{}); err != nil || sealed != 45 {
		t.Fatalf("got %d sealed days, error %v, want 45", sealed, err)
	}
	copied := map[string]string{}
	err := h.store.ExportAudit(t.Context(), store.DateRange{From: h.clock.Now().AddDate(0, 0, -60), To: h.clock.Now()}, func(line store.AuditLine) error {
		if line.Seal != nil {
			copied[line.Seal.Day.Format(time.DateOnly)] = line.Seal.MAC
		}
		return nil
	})
	if err != nil || len(copied) != 55 {
		t.Fatalf("got %d seals, error %v, want 55", len(copied), err)
	}
	for _, c := range []struct {
		now   time.Time
		days  int
		first string
	}{
		{time.Date(2035, 11, 30, 12, 0, 0, 0, time.UTC), 55, "2026-11-11"},
		{time.Date(2036, 2, 1, 12, 0, 0, 0, time.UTC), 4, "2027-01-01"},
	} {
		h.clock.Advance(c.now.Sub(h.clock.Now()))
		var found []string
		result, err := h.store.VerifyAudit(t.Context(), store.AuditVerification{Found: func(p string) { found = append(found, p) }, Known: maps.Clone(copied)})
		if err != nil {
			t.Fatal(err)
		}
		if result.Days != c.days || result.First.Format(time.DateOnly) != c.first || len(found) != 1 || !strings.Contains(found[0], "later days are not sealed") {
			t.Errorf("%s: got %d days from %s and the problems %q; want %d days from %s, and only that later days are not sealed",
				c.now.Format(time.DateOnly), result.Days, result.First.Format(time.DateOnly), found, c.days, c.first)
		}
	}
}

// TestVerifyAudit_AcceptsExpiryAndImports checks that a verification finds no problem
// after events of downloads have expired, or after events were imported into a sealed day.
// It must find a change of an imported event.
func TestVerifyAudit_AcceptsExpiryAndImports(t *testing.T) {
	h := newHistory(t)
	all := h.add(50)
	kim := &store.User{Name: "kim", Role: store.Admin}
	if err := h.store.RecordDownload(t.Context(), store.Download{User: kim, Name: "/customers.csv", Kind: "customers.csv", Rows: 7}); err != nil {
		t.Fatal(err)
	}
	file := all[7]
	file.ID, file.Why = eventID(file.When, 500), "from a file"
	boss := h.store.As(kim)
	result, err := boss.Load(t.Context(), []store.Entity{&file}, store.LoadOptions{})
	if err != nil || result.Added["event"] != 1 {
		t.Fatalf("got %v added, error %v, want 1 event", result.Added, err)
	}
	h.want()
	h.clock.Advance(48 * time.Hour)
	if result, err = boss.Load(t.Context(), []store.Entity{&file}, store.LoadOptions{}); err != nil || result.Unchanged != 1 {
		t.Errorf("the same import again: got %+v, error %v, want 1 unchanged", result, err)
	}
	if _, sealed, err := h.store.SealDays(t.Context(), time.Time{}); err != nil || sealed != 2 {
		t.Fatalf("got %d sealed days, error %v, want 2", sealed, err)
	}
	if got, found := h.problems(); len(found) > 0 || got.Events != 52 {
		t.Errorf("got %d events and the problems %q, want 52 events", got.Events, found)
	}
	h.set(file.Partition, "event#"+file.ID, map[string]string{"Why": "changed"})
	h.want("imported events: at least 1 event was changed")
	h.set(file.Partition, "event#"+file.ID, map[string]string{"Why": "from a file"})
	h.clock.Advance(3 * 366 * 24 * time.Hour)
	if _, _, err := h.store.SealDays(t.Context(), time.Time{}); err != nil {
		t.Fatal(err)
	}
	if got, found := h.problems(); len(found) > 0 || got.Expired != 1 {
		t.Errorf("after the expiry: got %d expired days and the problems %q, want 1", got.Expired, found)
	}
}

// TestSealDays_SealsOncePerDay checks that two calls of SealDays at the same time seal each
// day once.
func TestSealDays_SealsOncePerDay(t *testing.T) {
	h := newHistory(t)
	h.add(10)
	h.clock.Advance(24 * time.Hour)
	type outcome struct {
		sealed int
		err    error
	}
	results := make(chan outcome)
	for range 2 {
		go func() {
			_, sealed, err := h.store.SealDays(h.Context(), time.Time{})
			results <- outcome{sealed, err}
		}()
	}
	a, b := <-results, <-results
	if a.err != nil || b.err != nil || a.sealed+b.sealed != 1 {
		t.Errorf("got %+v and %+v, want one new seal and no error", a, b)
	}
	newest, sealed, err := h.store.SealDays(t.Context(), time.Time{})
	if err != nil || sealed != 0 || newest.Day.Format(time.DateOnly) != "2026-11-21" {
		t.Errorf("again: got %d sealed days, newest %v, error %v, want none and 2026-11-21", sealed, newest, err)
	}
	h.want()
}
