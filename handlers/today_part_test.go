package handlers

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
)

// TestToday_KeptPartsAreCurrent loads Today as each user, with changes in between. A page
// with parts from memory must equal a page that reads all its parts. Users must not see the
// parts of other users.
func TestToday_KeptPartsAreCurrent(t *testing.T) {
	b := openOneShard(t)
	admin := b.store.As(&store.User{Name: "other", Role: store.Admin})
	count := func(warehouse string, quantity int) {
		item, err := admin.StockItem(t.Context(), "p01", warehouse)
		if err == nil {
			err = admin.CountStock(t.Context(), store.StockForm{ProductID: "p01", WarehouseID: warehouse, Seen: item.Version, Reason: "x"}, quantity)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	last := map[string]string{}
	for _, change := range []struct {
		name    string
		make    func()
		changes []string // the users whose page must change
	}{
		{"nothing", func() {}, nil},
		{"stock of w1", func() { count("w1", 0) }, []string{"manager", "admin", "viewer"}},
		{"stock of w2", func() { count("w2", 0) }, []string{"outsider", "admin", "viewer"}},
		{"time zone", func() { b.changeSettings(t, func(s *store.Settings) { s.TimeZone = "Pacific/Kiritimati" }) }, nil},
		{"time", func() { b.clock.Advance(20 * time.Hour) }, nil},
	} {
		change.make()
		for _, u := range users {
			kept := partsOfToday(b, t, u.Name)
			b.forgetParts()
			if read := partsOfToday(b, t, u.Name); kept != read {
				at := 0
				for at < min(len(kept), len(read)) && kept[at] == read[at] {
					at++
				}
				t.Errorf("after a change of %s, %s: got from memory …%.200s, want …%.200s", change.name, u.Name, kept[at:], read[at:])
			}
		}
		for _, u := range users { // fills the memory, also with the parts of other users
			partsOfToday(b, t, u.Name)
		}
		for _, name := range change.changes {
			if page := partsOfToday(b, t, name); page == last[name] {
				t.Errorf("after a change of %s, %s: got the same page as before", change.name, name)
			}
		}
		for _, u := range users {
			last[u.Name] = partsOfToday(b, t, u.Name)
		}
	}
}

// TestToday_KeptPartsHaveOneDay loads Today while midnight passes. It repeats this for each
// time that the server reads the clock, with midnight just before that moment. The next
// page must not show parts of the day before.
func TestToday_KeptPartsHaveOneDay(t *testing.T) {
	b := openOneShard(t)
	untilMidnight := func() time.Duration {
		now := b.clock.Now()
		return now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	for late := range int64(100) {
		b.clock.Advance(untilMidnight() - time.Millisecond)
		viewer := b.as(t, "viewer")
		viewer.get("/") // starts a visit, which changes the table
		b.forgetParts()
		var reads atomic.Int64
		b.clock.BeforeReads(func() {
			if reads.Add(1) == late+1 {
				b.clock.Advance(time.Second)
			}
		})
		viewer.get("/")
		b.clock.BeforeReads(func() {})
		kept := content(wholeToday(viewer).body)
		b.forgetParts()
		if read := content(wholeToday(viewer).body); kept != read {
			t.Errorf("midnight before read %d of the clock: got parts of the day before", late)
		}
		if reads.Load() <= late { // all reads of the clock were tested
			return
		}
	}
}

// openOneShard is like open, with lists in one shard, as in the embedded store.
func openOneShard(t *testing.T) *backOffice {
	b := open(t)
	b.changeSettings(t, func(s *store.Settings) { s.Shards, s.ShardsRead = 1, 1 })
	return b
}

func (b *backOffice) changeSettings(t *testing.T, change func(*store.Settings)) {
	t.Helper()
	settings, err := b.store.Settings(t.Context())
	if err == nil {
		change(&settings)
		err = b.store.SaveSettings(t.Context(), settings, "test")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// forgetParts removes all parts from memory, so that the next load of Today reads them.
func (b *backOffice) forgetParts() {
	b.site.parts.mu.Lock()
	defer b.site.parts.mu.Unlock()
	clear(b.site.parts.parts)
}

// partsOfToday returns Today without the values that differ in each response.
func partsOfToday(b *backOffice, t *testing.T, user string) string {
	return formToken.ReplaceAllString(content(wholeToday(b.as(t, user)).body), "")
}

// TestToday_KeptPartsNeedNoRequests loads Today twice. The second time, only the parts
// that each load must read may make requests. After a minute, all parts must be read
// again.
func TestToday_KeptPartsNeedNoRequests(t *testing.T) {
	b := openOneShard(t)
	viewer := b.as(t, "viewer")
	requests := func() int64 {
		b.db.requests.Store(0)
		if page := viewer.get("/").body; !strings.Contains(page, "> Open orders<") {
			t.Fatal("got a page without open orders")
		}
		return b.db.requests.Load()
	}
	requests() // starts a visit, which changes the table
	all := requests()
	if again := requests(); again > 4 || again >= all {
		t.Errorf("second load: got %d requests, want at most 4 of %d", again, all)
	}
	b.clock.Advance(time.Minute)
	if again := requests(); again < all {
		t.Errorf("after a minute: got %d requests, want at least %d", again, all)
	}
}
