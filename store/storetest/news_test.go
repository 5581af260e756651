package storetest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
)

// newsReaders has a user for each role, and two more managers.
var newsReaders = []*store.User{
	{Name: "vic", Role: store.Viewer},
	{Name: "aud", Role: store.Auditor},
	{Name: "sue", Role: store.Support},
	{Name: "one", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}},
	{Name: "two", Role: store.Manager, Warehouses: []string{"w2"}, Stores: []string{"s2"}},
	{Name: "rent", Role: store.Manager, Stores: []string{"s1"}},
	{Name: "boss", Role: store.Admin},
}

// news returns the news of a user. It also returns the code and the reason of each event as
// a string, oldest first.
func (s *shore) news(u *store.User) (store.News, []string) {
	s.Helper()
	n, err := s.store.As(u).News(s.T.Context())
	if err != nil || n.Failure != nil {
		s.Fatal(err, n.Failure)
	}
	var texts []string
	for _, e := range slices.Backward(n.Events) {
		texts = append(texts, strings.TrimSpace(string(e.What)+" "+e.Why))
	}
	return n, texts
}

// visitBefore makes all readers visit Today, and lets an hour pass.
func (s *shore) visitBefore() {
	for _, u := range newsReaders {
		if n, events := s.news(u); !n.Last.IsZero() || len(events) > 0 {
			s.Fatalf("first visit of %s: got %+v, want no earlier visit and no events", u.Name, n)
		}
	}
	s.clock.Advance(time.Hour)
}

func (s *shore) count(product, warehouse string, by int) {
	s.Helper()
	item, err := s.access.StockItem(s.T.Context(), product, warehouse)
	if err == nil {
		err = s.access.CountStock(s.T.Context(), store.StockForm{ProductID: product, WarehouseID: warehouse, Seen: item.Version, Reason: "count " + warehouse}, item.Quantity+by)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// TestNews_ByScope makes changes of several kinds, and reads the news of users of all
// roles. Managers may see returns, counts and rentals only of their own warehouses and
// stores. Notes must be shown only to the roles that they are for. The user who made the
// changes must see none of them.
func TestNews_ByScope(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		sales := &selling{T: s.T, store: s.store, admin: s.access}
		s.visitBefore()

		id := sales.placeOrder()
		sales.done("paying", s.access.RecordPayment(ctx, sales.paying(id, "0", "6.64"), ""))
		sales.done("shipping", s.access.ShipItems(ctx, sales.packing(id, "w0", map[string]int{"p10": 3}), ""))
		sales.send(id)
		for _, to := range []string{"", "w1"} {
			back := store.ReturnRequest{OrderID: id, Version: sales.order(id).Version, Quantities: map[string]int{"p10": 1}, WarehouseID: to, Why: "back to " + to}
			sales.done("returning", s.access.ReturnItems(ctx, back, ""))
		}
		s.count("p01", "w1", 2)
		s.count("p01", "w1", 0) // a count that equals the stock
		s.count("p02", "w2", -1)
		for _, kayak := range []string{"k10", "k11"} {
			place := "s" + map[string]string{"k10": "1", "k11": "2"}[kayak]
			_, err := s.access.CheckOut(ctx, store.CheckOut{StoreID: place, Person: "c01", KayakIDs: []string{kayak}, Due: monday}, "")
			if err != nil {
				s.Fatal(err)
			}
			quote, err := s.access.QuoteCheckIn(ctx, place, []string{kayak})
			if err == nil {
				_, err = s.access.CheckIn(ctx, checkIn(place, quote.Total, []string{kayak}), "")
			}
			if err != nil {
				s.Fatal(err)
			}
		}
		sales.done("note", s.access.NoteOnOrder(ctx, id, "no roles", s.store.NewToken()))
		sales.done("note", s.access.NoteOnOrder(ctx, id, "for support", s.store.NewToken(), store.Support))
		sales.done("note", s.access.NoteOnKayak(ctx, "k10", "for managers", s.store.NewToken(), store.Manager, store.Viewer))
		sales.refused("unknown role", s.access.NoteOnOrder(ctx, id, "x", s.store.NewToken(), "owner"), store.Invalid, "for")

		kayak := func(e string) bool { return strings.HasPrefix(e, "kayak.checked_in") }
		for name, want := range map[string]struct {
			events []string
			kayaks int
		}{
			"vic":  {[]string{"order.placed", "order.returned back to", "order.returned back to w1", "stock.counted count w1", "stock.counted count w2", "note for managers"}, 2},
			"aud":  {[]string{"order.placed", "order.returned back to", "order.returned back to w1", "stock.counted count w1", "stock.counted count w2"}, 2},
			"sue":  {[]string{"order.placed", "order.returned back to", "order.returned back to w1", "note for support"}, 0},
			"one":  {[]string{"order.placed", "order.returned back to w1", "stock.counted count w1", "note for managers"}, 1},
			"two":  {[]string{"order.placed", "stock.counted count w2"}, 1},
			"rent": {[]string{"note for managers"}, 1},
			"boss": {[]string{"order.placed", "order.returned back to", "order.returned back to w1", "stock.counted count w1", "stock.counted count w2"}, 2},
		} {
			u := newsReaders[slices.IndexFunc(newsReaders, func(u *store.User) bool { return u.Name == name })]
			n, events := s.news(u)
			kayaks := 0
			for _, e := range events {
				if kayak(e) {
					kayaks++
				}
			}
			events = slices.DeleteFunc(events, kayak)
			slices.Sort(events)
			slices.Sort(want.events)
			if !slices.Equal(events, want.events) || kayaks != want.kayaks || n.More || n.Cut {
				s.Errorf("%s: got %q and %d kayaks, want %q and %d (%+v)", name, events, kayaks, want.events, want.kayaks, n)
			}
		}
		if _, events := s.news(&store.User{Name: admin.Name, Role: store.Admin}); len(events) > 0 {
			s.Errorf("the user who made the changes: got %q, want nothing", events)
		}
	})
}

// TestNews_OfBookings adds and ends bookings at two stores. Managers must see only the
// bookings of their own stores in their news, viewers those of all stores, and support
// staff none.
func TestNews_OfBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		s.visitBefore()
		today := monday.AddDate(0, 0, -2)
		for n, r := range []store.BookingRequest{
			{StoreID: "s1", KayakID: "k16", From: today, To: today}, {StoreID: "s1", KayakID: "k16", From: monday, To: monday}, {StoreID: "s2", KayakID: "k11", From: monday, To: monday},
		} {
			r.Person = "c01"
			b, err := s.access.Book(ctx, r, "")
			if err == nil && n == 0 {
				err = s.access.RecordNoShow(ctx, b.ID, 1, "no call", "")
			} else if err == nil {
				err = s.access.CancelBooking(ctx, b.ID, 1, "ill", "")
			}
			if err != nil {
				s.Fatal(err)
			}
		}
		s1 := []string{"booking.added for Åsa 1", "booking.added for Åsa 1", "booking.cancelled ill", "booking.no_show no call"}
		s2 := []string{"booking.added for Åsa 1", "booking.cancelled ill"}
		for name, want := range map[string][]string{"vic": append(slices.Clone(s1), s2...), "sue": nil, "one": s1, "two": s2, "rent": s1} {
			_, events := s.news(newsReaders[slices.IndexFunc(newsReaders, func(u *store.User) bool { return u.Name == name })])
			slices.Sort(events)
			slices.Sort(want)
			if !slices.Equal(events, want) {
				s.Errorf("%s: got %q, want %q", name, events, want)
			}
		}
	})
}

// TestNews_Visits checks that a new visit begins after 30 minutes. Until then, the page
// shows the same news again. While an admin views the site as someone else, no visit is
// stored.
func TestNews_Visits(t *testing.T) {
	onEachShore(t, func(s *shore) {
		vic := newsReaders[0]
		s.visitBefore()
		began := s.clock.Now().Add(-time.Hour)
		s.count("p01", "w1", 2)
		for minute, want := range []struct {
			wait time.Duration
			last time.Time
			news int
		}{
			{0, began, 1},
			{29 * time.Minute, began, 1},
			{time.Minute, began.Add(time.Hour), 1}, // the change was made in the second in which the last visit began, so it is shown again
			{30 * time.Minute, began.Add(time.Hour + 30*time.Minute), 0},
		} {
			s.clock.Advance(want.wait)
			if n, events := s.news(vic); !n.Last.Equal(want.last) || len(events) != want.news {
				s.Errorf("step %d: got the last visit at %s and %q, want %s and %d events", minute, n.Last, events, want.last, want.news)
			}
		}
		s.clock.Advance(time.Hour)
		for range 2 {
			n, err := s.store.Viewing(vic).News(s.T.Context())
			if err != nil || !n.Last.Equal(began.Add(time.Hour+30*time.Minute)) {
				s.Errorf("while viewing: got %+v, %v, want the last visit unchanged", n, err)
			}
		}
		if err := s.store.Viewing(vic).DismissNews(s.T.Context(), "2026-11-21T10:00:00Z#01M80ZZZZZ0000000000000000"); store.KindOf(err) != store.Forbidden {
			s.Errorf("dismissing while viewing: got %v, want Forbidden", err)
		}
	})
}

// TestNews_NotesUntilDismissed writes notes for viewers and managers before their first
// visits. The notes must be shown at the first visit and at later ones, in addition to 100
// newer events, until the user dismisses them or they are 30 days old.
func TestNews_NotesUntilDismissed(t *testing.T) {
	onEachShore(t, func(s *shore) {
		note := func(text string) {
			s.Helper()
			if err := s.access.NoteOnKayak(s.T.Context(), "k10", text, s.store.NewToken(), store.Manager, store.Viewer); err != nil {
				s.Fatal(err)
			}
		}
		vic, sue, one := newsReaders[0], newsReaders[2], newsReaders[3]
		note("first")
		s.clock.Advance(24 * time.Hour)
		note("second")
		s.count("p01", "w1", 2)
		s.clock.Advance(time.Hour)
		check := func(when string, u *store.User, want ...string) store.News {
			s.Helper()
			n, texts := s.news(u)
			if !slices.Equal(texts, want) {
				s.Errorf("%s: %s got %q, want %q", when, u.Name, texts, want)
			}
			return n
		}
		check("first visit", vic, "note first", "note second")
		check("first visit", sue)
		n := check("first visit", one, "note first", "note second")
		if !n.Last.IsZero() || n.Cut || n.More || n.Newest == "" {
			s.Errorf("first visit: got %+v, want news without an earlier visit", n)
		}
		if err := s.store.As(one).DismissNews(s.T.Context(), n.Newest); err != nil {
			s.Fatal(err)
		}
		check("dismissed", one)
		note("third")
		check("later in the first visit", one, "note third")
		check("later in the first visit", vic, "note first", "note second", "note third")
		s.clock.Advance(time.Hour)
		var events []store.Entity
		for i := range store.MaxNews + 1 {
			id := ulid.MustNew(ulid.Timestamp(s.clock.Now()), strings.NewReader(fmt.Sprintf("%010d", i)))
			events = append(events, &store.Event{ID: id.String(), Partition: "o#x", When: s.clock.Now(), By: "kim", What: store.EventOrderPlaced, Audience: "all"})
		}
		if loaded, err := s.store.Load(s.T.Context(), events, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		s.clock.Advance(time.Hour)
		for range 2 {
			n, texts := s.news(vic)
			if len(texts) != 3+store.MaxNews || !slices.Equal(texts[:3], []string{"note first", "note second", "note third"}) || !n.More {
				s.Errorf("next visit: got %d events, first %q, want the three notes and %d events", len(texts), texts[:min(3, len(texts))], store.MaxNews)
			}
		}
		s.clock.Advance((store.NewsDays-1)*24*time.Hour + 22*time.Hour)
		check("30 days later", vic, "note third")
	})
}

// TestNews_LateNote dismisses the news, and then stores a note with an earlier time. This
// happens if the clock of a server is behind, or if the form of the note was opened
// earlier. The late note must be listed until the user dismisses it. Notes that the user
// has already dismissed must not be listed.
func TestNews_LateNote(t *testing.T) {
	onEachShore(t, func(s *shore) {
		vic := newsReaders[0]
		note := func(text string, age time.Duration, random string) {
			s.Helper()
			at := s.clock.Now().Add(-age)
			id := ulid.MustNew(ulid.Timestamp(at), strings.NewReader(random+"0000000000"))
			e := &store.Event{ID: id.String(), Partition: "o#x", When: at, By: "kim", What: store.EventNote, Why: text, Audience: "role#viewer"}
			if loaded, err := s.store.Load(s.T.Context(), []store.Entity{e}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
				s.Fatal(err, loaded.Rejected)
			}
		}
		dismiss := func(want ...string) string {
			s.Helper()
			n, texts := s.news(vic)
			if !slices.Equal(texts, want) {
				s.Errorf("got %q, want %q", texts, want)
			}
			if n.Newest == "" {
				return ""
			}
			if err := s.store.As(vic).DismissNews(s.T.Context(), n.Newest); err != nil {
				s.Fatal(err)
			}
			return n.Newest
		}
		note("older", time.Hour, "1")
		note("first", 0, "5")
		first := dismiss("note older", "note first")
		dismiss()
		note("same second", 0, "4")
		note("clock behind", 5*time.Second, "1")
		dismiss("note clock behind", "note same second")
		dismiss()
		if err := s.store.As(vic).DismissNews(s.T.Context(), first); err != nil { // as on a page that was opened before the last dismissal
			s.Fatal(err)
		}
		dismiss()
		s.clock.Advance(8 * time.Second)
		note("later", 0, "1")
		dismiss("note later")
		note("late", 6*time.Second, "1")
		dismiss("note late")
		dismiss()
	})
}

// TestNews_WritesThrottled opens Today while all transactions are throttled. The news must
// be complete, although the visit cannot be stored.
func TestNews_WritesThrottled(t *testing.T) {
	onEachShore(t, func(s *shore) {
		s.visitBefore()
		s.count("p01", "w1", 2)
		s.clock.Advance(time.Minute)
		ctx, cancel := context.WithTimeout(s.T.Context(), 5*time.Second) // as on the page Today
		defer cancel()
		busy := store.New(&scriptedTable{DB: s.db, outcomes: []outcome{throttled}}, s.store.Table(), s.clock.Now)
		n, err := busy.As(newsReaders[0]).News(ctx)
		if err != nil || n.Failure == nil || len(n.Events) != 1 {
			s.Errorf("got %+v, error %v; want the event, and why the visit could not be stored", n, err)
		}
	})
}

// TestNews_OnTwoServers opens Today on two servers at the same time. One of them must store
// the visit, and both must show the same news. What the user dismisses on one server must
// stay dismissed on the other, and later events must be shown.
func TestNews_OnTwoServers(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx, vic := s.T.Context(), newsReaders[0]
		second := store.New(s.db, s.store.Table(), s.clock.Now)
		second.WaitForTouches()
		servers := []store.Access{s.store.As(vic), second.As(vic)}
		s.visitBefore()
		s.count("p01", "w1", 2)
		s.clock.Advance(time.Minute)
		var opening sync.WaitGroup
		found := make([]store.News, 8)
		for i := range found {
			opening.Go(func() {
				var err error
				if found[i], err = servers[i%2].News(ctx); err != nil || found[i].Failure != nil {
					s.Error(err, found[i].Failure)
				}
			})
		}
		opening.Wait()
		for i, n := range found {
			if !n.Last.Equal(found[0].Last) || len(n.Events) != 1 || n.Newest != found[0].Newest {
				s.Errorf("request %d: got %+v, want %+v", i, n, found[0])
			}
		}
		for _, server := range servers { // the second submission must change nothing
			if err := server.DismissNews(ctx, found[0].Newest); err != nil {
				s.Fatal(err)
			}
		}
		for i, wait := range []time.Duration{0, time.Minute, time.Hour} {
			s.clock.Advance(wait)
			if n, err := servers[(i+1)%2].News(ctx); err != nil || len(n.Events) > 0 {
				s.Errorf("%s after dismissing: got %+v, %v, want no events", wait, n, err)
			}
		}
		s.count("p02", "w2", 1)
		for i, server := range servers {
			if n, err := server.News(ctx); err != nil || len(n.Events) != 1 || n.Events[0].Partition != "p#p02" {
				s.Errorf("server %d: got %+v, %v; want the later count", i, n, err)
			}
		}
		for _, wrong := range []string{"", "x", "9999-01-01T00:00:00Z#01M80ZZZZZ0000000000000000"} {
			if err := servers[0].DismissNews(ctx, wrong); store.KindOf(err) != store.Invalid {
				s.Errorf("dismissing %q: got %v, want Invalid", wrong, err)
			}
		}
	})
}

// TestNews_AreBounded stores more events than a page lists, in two months. The page must
// list the newest ones and say that there are more. After a long absence, it must list only
// the events of the last NewsDays days.
func TestNews_AreBounded(t *testing.T) {
	onEachShore(t, func(s *shore) {
		vic := newsReaders[0]
		s.visitBefore()
		s.clock.Advance(10 * 24 * time.Hour)
		var events []store.Entity
		for i := range store.MaxNews + 1 {
			at := s.clock.Now().Add(-time.Duration(i) * 2 * time.Hour)
			id := ulid.MustNew(ulid.Timestamp(at), strings.NewReader(fmt.Sprintf("%010d", i)))
			events = append(events, &store.Event{ID: id.String(), Partition: "o#x", When: at, By: "kim", What: store.EventOrderPlaced, Audience: "all"})
		}
		if loaded, err := s.store.Load(s.T.Context(), events, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		n, _ := s.news(vic)
		if len(n.Events) != store.MaxNews || !n.More || n.Cut {
			s.Errorf("got %d events, more %v, cut %v; want %d, true, false", len(n.Events), n.More, n.Cut, store.MaxNews)
		}
		if first, last := n.Events[0].When, n.Events[len(n.Events)-1].When; first.Month() != time.December || last.Month() != time.November {
			s.Errorf("got events from %s to %s, want the newest first, in two months", first, last)
		}
		s.clock.Advance(25 * 24 * time.Hour)
		n, _ = s.news(vic)
		if since := s.clock.Now().AddDate(0, 0, -store.NewsDays); n.Cut {
			s.Errorf("got news cut at %s, want all news since the visit %s ago", since, s.clock.Now().Sub(n.Last))
		}
		s.clock.Advance(40 * 24 * time.Hour)
		if n, found := s.news(vic); !n.Cut || len(found) > 0 {
			s.Errorf("after 40 days: got cut %v, %d events; want only the last %d days", n.Cut, len(found), store.NewsDays)
		}
	})
}
