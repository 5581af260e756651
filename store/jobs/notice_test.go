package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// rented returns a renter, and a rental by this renter that is due back on the given day.
func rented(n int, day time.Time) []store.Entity {
	renter := &store.Person{ID: fmt.Sprintf("r%04d", n), Name: fmt.Sprint("Renter ", n), Email: fmt.Sprintf("r%d@example.com", n), Version: 1}
	return []store.Entity{renter, rental(renter.ID, fmt.Sprintf("k%04d", n), day)}
}

func rental(renter, kayak string, day time.Time) *store.ActiveRental {
	return &store.ActiveRental{StoreID: "s1", PersonID: renter, KayakID: kayak, RentalID: "R" + kayak, Out: due.AddDate(0, 0, -9), Due: day, StoreName: "Brygga", KayakName: "Kayak " + kayak, Version: 1}
}

// noticeStore stores entities, and turns daily notices on.
func noticeStore(t testing.TB, s *store.Store, entities ...store.Entity) {
	t.Helper()
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Notices = true
	if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
}

func addManager(t testing.TB, s *store.Store, name string, notices bool) {
	t.Helper()
	if err := s.AddUser(t.Context(), store.User{Name: name, Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}, Email: name + "@example.com", NoNotices: !notices}, "a long password", "test"); err != nil {
		t.Fatal(err)
	}
}

// outboxOf returns the number of emails in the outbox by address.
func outboxOf(t testing.TB, s *store.Store) map[string]int {
	t.Helper()
	found := map[string]int{}
	for e, err := range store.Each(func(p store.Page) (store.List[store.Email], error) {
		return s.As(admin).Emails(t.Context(), store.EmailQueued, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		found[e.To]++
	}
	return found
}

func TestRun_QueuesNoticesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		entities := []store.Entity{
			&store.Warehouse{ID: "w1", Name: "North", Version: 1}, &store.Warehouse{ID: "w2", Name: "South", Version: 1}, &store.RentalStore{ID: "s1", Name: "Brygga", Version: 1},
			&store.Product{ID: "p1", Name: "Lamp", Version: 1},
			&store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Name: "Lamp", Quantity: 3, ReorderPoint: 5, Version: 1},
			&store.WarehouseItem{ProductID: "p1", WarehouseID: "w2", Name: "Lamp", Quantity: 4, ReorderPoint: 5, Version: 1},
			&store.ExpectedDelivery{ID: "d1", ProductID: "p1", WarehouseID: "w1", Name: "Lamp", Due: due.AddDate(0, 0, -2), Quantity: 20, Version: 1},
			&store.ExpectedDelivery{ID: "d2", ProductID: "p1", WarehouseID: "w1", Name: "Lamp", Due: due, Quantity: 30, Version: 1},
			&store.Transfer{ID: "t1", ProductID: "p1", SourceID: "w2", TargetID: "w1", Name: "Lamp", Sent: due.AddDate(0, 0, -8), Quantity: 6, Version: 1},
		}
		for n, late := range []int{-2, -1, 0, 1, 2, 3, 4, 6, 7, 8} {
			entities = append(entities, rented(n, due.AddDate(0, 0, -late))...)
		}
		entities = append(entities, rental("r0003", "k-second", due.AddDate(0, 0, 1))) // overdue by a day, while another kayak of the renter is due tomorrow
		silent := &store.Person{ID: "silent", Name: "Silent", Email: "silent@example.com", NoNotices: true, Version: 1}
		customer := &store.Customer{ID: "c1", Name: "Ada", Email: "ada@example.com", Version: 1}
		entities = append(entities, silent, rental("silent", "k-silent", due.AddDate(0, 0, 1)), customer, rental("c1", "k-customer", due.AddDate(0, 0, 1)),
			&store.Person{ID: "noaddress", Name: "None", Version: 1}, rental("noaddress", "k-none", due.AddDate(0, 0, 1)))
		noticeStore(t, s, entities...)
		addManager(t, s, "mia", true)
		addManager(t, s, "optout", false)
		addManager(t, s, "locked", true)
		if err := s.LockUser(t.Context(), "locked", "test"); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"r1@example.com": 1, "r3@example.com": 1, "r5@example.com": 1, "r8@example.com": 1, "ada@example.com": 1, "mia@example.com": 1}
		planned := plannedNotices(t, s)
		if fmt.Sprint(planned) != fmt.Sprint(want) {
			t.Errorf("got dry run %v, want %v", planned, want)
		}
		box := &mailbox{}
		r := runner(t, s, jobs.Record{}, box)
		report := run(t, r, store.NoticesJob, due)
		if second := run(t, r, store.NoticesJob, due); report.Done != len(want) || report.Failed != 0 || second.JobCounts != report.JobCounts {
			t.Errorf("got %+v, then %+v; want %d done twice", report, second, len(want))
		}
		if got := outboxOf(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got emails %v, want %v", got, want)
		}
		if again := plannedNotices(t, s); len(again) != 0 {
			t.Errorf("got dry run %v after the run, want nothing", again)
		}
		wantCounts(t, s, store.NoticesJob, due, len(want))
		deliver(t, r, jobs.Delivery{Sent: len(want)})
		for to, texts := range map[string][]string{
			"r3@example.com":  {"This kayak is overdue", "Kayak k0003 · Brygga · due back 20 Nov 2026", "due back tomorrow", "Kayak k-second · Brygga · due back 22 Nov 2026"},
			"mia@example.com": {"Low stock: 1\n\nLamp · warehouse w1 · 3 on hand", "Overdue deliveries: 1", "20 expected on 19 Nov 2026", "Deliveries expected today: 1", "30 expected", "Overdue transfers: 1", "6 sent on 13 Nov 2026", "Overdue kayaks: 7", "Kayaks due back today: 1"},
		} {
			for _, text := range texts {
				if m := messageTo(t, box, to); !strings.Contains(m.Text, text) {
					t.Errorf("got no %q in the email to %s, want it:\n%s\n%s", text, to, m.Subject, m.Text)
				}
			}
		}
		if m := messageTo(t, box, "mia@example.com"); strings.Contains(m.Text, "w2, 4") || strings.Contains(m.Text, "Renter") {
			t.Errorf("got another warehouse or the name of a renter, want neither in\n%s", m.Text)
		}
		clock.Advance(24 * time.Hour)
		if _, err := r.Run(t.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: due}); store.KindOf(err) != store.Invalid {
			t.Errorf("got %v for a past day, want Invalid", err)
		}
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Notices = false
		if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(t.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: due.AddDate(0, 0, 1)}); store.KindOf(err) != store.Conflict {
			t.Errorf("got %v with notices off, want Conflict", err)
		}
	})
}

// failingPage is a table that fails the first read of a further page of rentals, and counts
// the reads of first pages.
type failingPage struct {
	store.DB
	firstPages atomic.Int64
	failed     atomic.Bool
}

func (f *failingPage) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if strings.HasPrefix(partitionOf(in), "rentals-due#") {
		if len(in.ExclusiveStartKey) == 0 {
			f.firstPages.Add(1)
		} else if f.failed.CompareAndSwap(false, true) {
			return nil, &types.ProvisionedThroughputExceededException{}
		}
	}
	return f.DB.Query(ctx, in, options...)
}

// TestRun_RetriesPageOfRenters makes the read of the second page of renters fail once. The
// run must read this page again, not the first one.
func TestRun_RetriesPageOfRenters(t *testing.T) {
	clock := storetest.NewClock()
	table := &failingPage{DB: storetest.Embedded(t, clock)}
	s := openStore(t, table, clock)
	setShards(t, s, 1)
	const renters = 150
	var entities []store.Entity
	for n := range renters {
		entities = append(entities, rented(n, due.AddDate(0, 0, 1))...)
	}
	noticeStore(t, s, entities...)
	report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.NoticesJob, due)
	if report.Done != renters || !table.failed.Load() || table.firstPages.Load() != 1 {
		t.Errorf("got %+v with a failed read %t and %d reads of the first page, want %d done, a failed read and one", report, table.failed.Load(), table.firstPages.Load(), renters)
	}
}

// plannedNotices returns the number of notices that a dry run lists, by address.
func plannedNotices(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, read := range []func(context.Context, time.Time, store.Page) (store.List[store.PlannedNotice], error){s.As(admin).NoticesToRenters, s.As(admin).NoticesToManagers} {
		for n, err := range store.Each(func(p store.Page) (store.List[store.PlannedNotice], error) { return read(t.Context(), due, p) }) {
			if err != nil {
				t.Fatal(err)
			}
			found[n.To]++
		}
	}
	return found
}

func messageTo(t *testing.T, box *mailbox, to string) jobs.Message {
	t.Helper()
	for _, m := range box.messages {
		if m.To == to {
			return m
		}
	}
	t.Fatalf("got no message to %s, want one", to)
	return jobs.Message{}
}

func TestRun_SendsNoEmptyNotice(t *testing.T) {
	s := openStore(t, storetest.EmbeddedAt(t, t.TempDir(), storetest.NewClock()), storetest.NewClock())
	noticeStore(t, s, &store.Warehouse{ID: "w1", Name: "North", Version: 1}, &store.RentalStore{ID: "s1", Name: "Brygga", Version: 1})
	addManager(t, s, "mia", true)
	if report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.NoticesJob, due); report.Done != 0 || len(outboxOf(t, s)) != 0 {
		t.Errorf("got %+v, %v; want no email", report, outboxOf(t, s))
	}
}

// TestScheduler_RunsNoticesOncePerDay checks that the scheduler runs notices once a day.
func TestScheduler_RunsNoticesOncePerDay(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.EmbeddedAt(t, t.TempDir(), clock), clock)
	noticeStore(t, s, append(rented(1, due.AddDate(0, 0, 1)), rented(2, due.AddDate(0, 0, 2))...)...)
	if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	r := runner(t, s, jobs.Record{}, &mailbox{})
	tick := func(want map[string]int) {
		t.Helper()
		if err := r.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := outboxOf(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got emails %v, want %v", got, want)
		}
	}
	tick(map[string]int{"r1@example.com": 1})
	clock.Advance(2 * time.Hour)
	tick(map[string]int{"r1@example.com": 1})
	clock.Advance(24 * time.Hour)
	tick(map[string]int{"r1@example.com": 1, "r2@example.com": 1}) // the kayak of the first renter is due today, and that of the second tomorrow
}

// TestDeliverEmails_SendsNoLateNotice checks that two notices are not sent after their day.
// One of them waited for a mail server. A user tries to send the other one again after the
// mail server rejected it.
func TestDeliverEmails_SendsNoLateNotice(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.EmbeddedAt(t, t.TempDir(), clock), clock)
	noticeStore(t, s, append(rented(1, due.AddDate(0, 0, 1)), rented(2, due.AddDate(0, 0, 1))...)...)
	box := &mailbox{refuse: func(m jobs.Message) error {
		return &jobs.SendError{Permanent: m.To == "r2@example.com", Reason: "busy"}
	}}
	r := runner(t, s, jobs.Record{}, box)
	run(t, r, store.NoticesJob, due)
	deliver(t, r, jobs.Delivery{Retried: 1, Failed: 1})
	again := func() error {
		t.Helper()
		e := emailsOf(t, s, "r0002")[0]
		return s.As(admin).SendEmailAgain(t.Context(), store.EmailForm{ID: e.ID, Version: e.Version, Token: s.NewToken()})
	}
	if err := again(); err != nil {
		t.Fatalf("on the day: got %v, want no error", err)
	}
	deliver(t, r, jobs.Delivery{Failed: 1})
	clock.Advance(24 * time.Hour)
	box.refuse = nil
	deliver(t, r, jobs.Delivery{Failed: 1})
	if got := emailsOf(t, s, "r0001")[0]; got.Status != store.EmailFailed || got.Response != "Not sent on 21 Nov 2026. This email can't be sent on a later day." {
		t.Errorf("got %s, %q; want a failed email", got.Status, got.Response)
	}
	if err := again(); store.KindOf(err) != store.Conflict {
		t.Errorf("a day later: got %v, want Conflict", err)
	}
	if len(box.messages) != 0 {
		t.Errorf("got %d messages, want none", len(box.messages))
	}
}

// TestDeliverEmails_SendsNoUnwantedNotice queues notices to people who then turn notices
// off or change their address. The notices must not be sent.
func TestDeliverEmails_SendsNoUnwantedNotice(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.EmbeddedAt(t, t.TempDir(), clock), clock)
	entities := []store.Entity{&store.Person{ID: "p1", Name: "Kim", Email: "p1@example.com", Version: 1}, rental("p1", "kp1", due.AddDate(0, 0, 1))}
	for _, id := range []string{"c1", "c2", "c3"} {
		entities = append(entities, &store.Customer{ID: id, Name: "Ada", Email: id + "@example.com", Version: 1}, rental(id, "k"+id, due.AddDate(0, 0, 1)))
	}
	noticeStore(t, s, entities...)
	box := &mailbox{}
	r := runner(t, s, jobs.Record{}, box)
	run(t, r, store.NoticesJob, due)
	for _, changed := range []*store.Customer{{ID: "c1", Name: "Ada", Email: "c1@example.com", NoNotices: true, Version: 1}, {ID: "c2", Name: "Ada", Email: "new@example.com", Version: 1}} {
		if err := s.As(admin).SaveCustomer(t.Context(), *changed, s.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.As(admin).SavePerson(t.Context(), store.Person{ID: "p1", Name: "Kim", Email: "p1@example.com", NoNotices: true, Version: 1}, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	deliver(t, r, jobs.Delivery{Sent: 1, Failed: 3})
	if len(box.messages) != 1 || box.messages[0].To != "c3@example.com" {
		t.Errorf("got %v, want one message to c3@example.com", box.messages)
	}
	for id, want := range map[string]string{
		"c1": "Not sent, because the renter does not want rental notices.", "p1": "Not sent, because the renter does not want rental notices.",
		"c2": "Not sent, because the email address of the renter has changed.",
	} {
		if got := emailsOf(t, s, id)[0]; got.Status != store.EmailFailed || got.Response != want {
			t.Errorf("%s: got %s, %q; want %q", id, got.Status, got.Response, want)
		}
	}
}

// TestRun_KilledQueuesNoticesOnce kills pairs of runs on one table, which loses responses.
// At the end, the outbox must contain each notice once.
func TestRun_KilledQueuesNoticesOnce(t *testing.T) {
	t.Parallel()
	n, kills := 240, 4
	if *long {
		n, kills = 5_000, 20
	}
	clock := storetest.NewClock()
	db := storetest.EmbeddedAt(t, t.TempDir(), clock)
	s := openStore(t, db, clock)
	var entities []store.Entity
	want := map[string]int{}
	for i := range n {
		entities = append(entities, rented(i, due.AddDate(0, 0, 1))...)
		want[fmt.Sprintf("r%d@example.com", i)] = 1
	}
	noticeStore(t, s, entities...)
	served := httptest.NewServer(wire.Handler(db))
	defer served.Close()
	killed := 0
	for tries := 0; killed < kills && tries < 5*kills; tries++ {
		before := len(outboxOf(t, s))
		var pair []*exec.Cmd
		for range 2 {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), childTable+"="+served.URL, childName+"=OnlineShop", childJob+"="+string(store.NoticesJob))
			c.Stderr = os.Stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			pair = append(pair, c)
		}
		for until := time.Now().Add(5 * time.Second); len(outboxOf(t, s)) < min(n, before+rand.N(n/kills)+1) && time.Now().Before(until); {
			time.Sleep(5 * time.Millisecond)
		}
		for _, c := range pair {
			_ = c.Process.Kill() // the process may already have ended
			_ = c.Wait()
			if strings.Contains(c.ProcessState.String(), "killed") {
				killed++
			}
		}
	}
	t.Logf("killed %d runs; %d of %d notices queued so far", killed, len(outboxOf(t, s)), n)
	if killed == 0 {
		t.Error("got no killed run, want some")
	}
	for range 20 {
		clock.Advance(2 * time.Minute)
		var runners sync.WaitGroup
		var failures [2]error
		for i := range failures {
			runners.Go(func() {
				_, failures[i] = runner(t, s, jobs.Record{}, &mailbox{}).Run(t.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: due})
			})
		}
		runners.Wait()
		if err := errors.Join(failures[:]...); err != nil {
			t.Fatal(err)
		}
		if runs, err := s.As(admin).RunsOfDay(t.Context(), store.NoticesJob, due); err != nil {
			t.Fatal(err)
		} else if allDone(runs) {
			break
		}
	}
	if got := outboxOf(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %d emails %v; want one for each of %d renters", len(got), got, n)
	}
	wantCounts(t, s, store.NoticesJob, due, n)
}
