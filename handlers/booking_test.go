package handlers

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestBooking_AtTheCounter checks that a booking can be made, moved and checked out
// without JavaScript.
func TestBooking_AtTheCounter(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")

	if week := manager.get("/stores/s1/week?day=2026-11-30").body; !strings.Contains(week, `/stores/s1/book?from=2026-12-02&amp;kayak=k16" aria-label="Book Heron 16 on Wed 2 Dec"`) {
		t.Errorf("week: got no link to book a free kayak: %s", content(week))
	}
	page := manager.get("/stores/s1/book?kayak=k16&from=2026-12-02").body
	if !strings.Contains(page, `<option value="k16" selected>Heron 16 (k16, Sea): free</option>`) || !strings.Contains(page, `<option value="k01">Heron 1 (k01, Sea): `) {
		t.Errorf("form: got no availability of the kayaks: %s", content(page))
	}
	form := hiddenFields(page)
	form.Set("kayak", "k16")
	form.Set("from", "2026-12-02")
	form.Set("last", "2026-12-03")
	form.Set("note", "school trip")
	form.Set("person", "Nobody at all")
	if got := manager.post("/stores/s1/book", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "No person found for") {
		t.Errorf("unknown person: got status %d, want an error: %s", got.status, content(got.body))
	}
	form.Set("person", "c01")
	path := ""
	for range 2 { // the second submission must change nothing
		got := manager.post("/stores/s1/book", form)
		if got.status != http.StatusSeeOther || path != "" && got.header.Get("Location") != path {
			t.Fatalf("booking: got status %d and %q, want 303 and the same booking: %s", got.status, got.header.Get("Location"), content(got.body))
		}
		path = got.header.Get("Location")
	}
	for address, want := range map[string]string{
		path:                             "Wed 2 Dec to Thu 3 Dec",
		"/stores/s1/week?day=2026-12-02": "Åsa 1, school trip",
		"/kayaks/k16":                    "Wed 2 Dec to Thu 3 Dec",
		"/customers/c01":                 "Wed 2 Dec to Thu 3 Dec",
		"/kayaks/k16/bookings.csv":       "2026-12-02,2026-12-03,BOOKED",
		path + ".json":                   `"Status":"BOOKED"`,
	} {
		if got := manager.get(address); got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: got status %d and no %q: %s", address, got.status, want, content(got.body))
		}
	}

	other := hiddenFields(manager.get("/stores/s1/book?kayak=k16&from=2026-12-03").body)
	for name, value := range map[string]string{"person": "c02", "kayak": "k16", "from": "2026-12-03", "last": "2026-12-03"} {
		other.Set(name, value)
	}
	clash := "Heron 16 (k16) is booked for Åsa 1 from 2 Dec 2026 to 3 Dec 2026."
	if got := manager.post("/stores/s1/book", other); got.status != http.StatusConflict || !strings.Contains(got.body, clash) || !strings.Contains(got.body, "k16, Sea): booked from 2 Dec 2026") {
		t.Errorf("booked day: got status %d, want a conflict that names the booking: %s", got.status, content(got.body))
	}
	out := hiddenFields(manager.get("/stores/s1/check-out?kayaks=k16").body)
	for name, value := range map[string]string{"person": "c02", "kayaks": "k16", "due": "2026-12-02", "do": "look"} {
		out.Set(name, value)
	}
	if got := manager.post("/stores/s1/check-out", out); got.status != http.StatusConflict || !strings.Contains(got.body, clash) {
		t.Errorf("check-out until a booked day: got status %d, want a conflict that names the booking: %s", got.status, content(got.body))
	}

	move := hiddenFields(manager.get(path + "/move").body)
	for name, value := range map[string]string{"kayak": "any#Sea", "from": "2026-11-21", "last": "2026-11-22"} {
		move.Set(name, value)
	}
	for range 2 {
		if got := manager.post(path+"/move", move); got.status != http.StatusSeeOther {
			t.Fatalf("move: got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	moved := manager.get(path).body
	if !strings.Contains(moved, "Any Sea") || !strings.Contains(moved, "Sat 21 Nov to Sun 22 Nov") || !strings.Contains(moved, "Due today") {
		t.Errorf("moved booking: got %s\nwant any Sea kayak from 21 to 22 November, due today", content(moved))
	}

	review := hiddenFields(manager.get("/stores/s1/check-out?booking=" + strings.TrimPrefix(path, "/bookings/")).body)
	for name, value := range map[string]string{"person": "c01", "kayaks": "k13", "due": "2026-11-22", "do": "look"} {
		review.Set(name, value)
	}
	got := manager.post("/stores/s1/check-out", review)
	if got.status != http.StatusOK || !strings.Contains(got.body, "Check out 1 kayak") {
		t.Fatalf("review: got status %d, want 200 and the form to confirm: %s", got.status, content(got.body))
	}
	confirmed := hiddenFields(got.body)
	confirmed.Set("do", "take")
	for range 2 {
		if got := manager.post("/stores/s1/check-out", confirmed); got.status != http.StatusSeeOther {
			t.Fatalf("check-out: got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	if done := manager.get(path).body; !strings.Contains(done, "Checked out") || !strings.Contains(done, `href="/kayaks/k13"`) || strings.Contains(done, path+"/move") {
		t.Errorf("checked-out booking: got %s\nwant it checked out with k13, without a link to move it", content(done))
	}
	if week := manager.get("/stores/s1/week").body; !strings.Contains(week, "Out, due Sun 22 Nov") {
		t.Errorf("week: got no rental that is due on 22 November: %s", content(week))
	}
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	quote, err := admin.QuoteCheckIn(t.Context(), "s1", []string{"k13"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.CheckIn(t.Context(), store.CheckIn{StoreID: "s1", Kayaks: []store.ReturnedKayak{{ID: "k13"}}, Charge: quote.Total, Method: store.PayByCash}, ""); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{path, "/customers/c01/bookings", "/customers/c01"} {
		if got := manager.get(page).body; strings.Contains(got, ">Checked out</span>") || !strings.Contains(got, ">Ended</span>") {
			t.Errorf("%s: got no booking that has ended: %s", page, content(got))
		}
	}
}

// TestBookings_OfStore checks the filters of a store's list of bookings, on the page and in
// the files.
func TestBookings_OfStore(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for address, want := range map[string]string{
		"/stores/s1":                      `href="/stores/s1/bookings"`,
		"/stores/s1/week":                 `href="/stores/s1/bookings"`,
		"/stores/s1/bookings":             `<td class="p2">24–26 Nov 2026</td>`,
		"/stores/s1/bookings?status=OUT":  "No bookings match these filters.",
		"/stores/s1/bookings?from=soon":   "Fix the filters",
		"/stores/s1/bookings?status=PAID": "is not a value of the filter status",
		"/stores/s1/bookings.csv?status=UPCOMING&from=2026-11-21&to=2026-11-30": "bk1,s1,c01,k19,,2026-11-24,2026-11-26,BOOKED",
		"/stores/s1/bookings.json": `"State":"UPCOMING"`,
	} {
		if got := manager.get(address); !strings.Contains(got.body, want) {
			t.Errorf("%s: got status %d and no %q: %s", address, got.status, want, content(got.body))
		}
	}
	for _, period := range []string{"Tomorrow", "Next month"} {
		value := strings.ReplaceAll(strings.ToLower(period), " ", "+")
		if got := manager.get("/stores/s1/bookings").body; !strings.Contains(got, "?to="+value+"&amp;from="+value+`">`+period+"</a>") {
			t.Errorf("got no link for the period %s: %s", period, content(got))
		}
	}
	if got := manager.get("/stores/s1/bookings?to=2026-11-20").body; strings.Contains(got, "/bookings/bk1") || !strings.Contains(got, "No bookings match these filters") {
		t.Errorf("bookings until 20 November: got %s\nwant none", content(got))
	}
	cancel := hiddenFields(manager.get("/bookings/bk1/cancel").body)
	if got := manager.post("/bookings/bk1/cancel", cancel); got.status != http.StatusSeeOther {
		t.Fatalf("cancel: got status %d, want 303: %s", got.status, content(got.body))
	}
	if got := manager.get("/stores/s1/bookings?status=CANCELLED").body; !strings.Contains(got, "/bookings/bk1") || !strings.Contains(got, "Cancelled") {
		t.Errorf("cancelled bookings: got %s\nwant booking bk1", content(got))
	}
}

// TestBooking_ToPickUp checks that a booking that begins today appears on the page Today of
// the store's manager, and on the page of the kayak.
func TestBooking_ToPickUp(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for address, want := range map[string]string{"/": `<a href="/bookings/bk2">`, "/kayaks/k19": `href="/stores/s1/check-out?booking=bk2">Check out booking</a>`} {
		if got := manager.get(address).body; !strings.Contains(got, "to check out</h2>") || !strings.Contains(got, want) || !strings.Contains(got, "Due today") {
			t.Errorf("%s: got no booking to check out: %s", address, content(got))
		}
	}
	if got := b.as(t, "admin").get("/").body; strings.Contains(got, "to check out</h2>") {
		t.Errorf("Today of an admin: got the bookings of a store: %s", content(got))
	}
}

// TestExtend_SuggestsDay opens the form that extends a rental. The form must suggest a
// day after the current due day.
func TestExtend_SuggestsDay(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	out := hiddenFields(manager.get("/stores/s1/check-out?kayaks=k16").body)
	for name, value := range map[string]string{"person": "c02", "kayaks": "k16", "due": "2026-11-25", "do": "look"} {
		out.Set(name, value)
	}
	confirmed := hiddenFields(manager.post("/stores/s1/check-out", out).body)
	confirmed.Set("do", "take")
	manager.post("/stores/s1/check-out", confirmed).want(t, http.StatusSeeOther, "")
	manager.get("/stores/s1/extend?kayaks=k16").want(t, http.StatusOK, `value="2026-11-26"`)
}

// TestBooking_Closed checks that the forms of a cancelled booking say how it ended.
func TestBooking_Closed(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	move := hiddenFields(manager.get("/bookings/bk1/move").body)
	form := hiddenFields(manager.get("/bookings/bk1/cancel").body)
	form.Set("why", "broken <b>arm</b>")
	manager.post("/bookings/bk1/cancel", form).want(t, http.StatusSeeOther, "")
	for _, address := range []string{"/bookings/bk1/move", "/bookings/bk1/cancel", "/bookings/bk1/no-show", "/stores/s1/check-out?booking=bk1"} {
		got := manager.get(address)
		if !strings.Contains(got.body, "This booking was cancelled by manager on 21 Nov 2026") || !strings.Contains(got.body, "Reason: broken &lt;b&gt;arm") || strings.Contains(content(got.body), `name="version"`) {
			t.Errorf("%s: got status %d, want a page that says what happened: %s", address, got.status, content(got.body))
		}
	}
	for name, value := range map[string]string{"kayak": "k16", "from": "2026-12-02", "last": "2026-12-03"} {
		move.Set(name, value)
	}
	manager.post("/bookings/bk1/move", move).want(t, http.StatusConflict, "This booking was cancelled by manager on")
}

// TestBooking_RefusedMove moves a booking to days on which the kayak is already booked.
// The form must name the other booking, and show the availability on these days.
func TestBooking_RefusedMove(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	form := hiddenFields(manager.get("/bookings/bk1/move").body)
	for name, value := range map[string]string{"kayak": "k19", "from": "2026-11-22", "last": "2026-11-24"} {
		form.Set(name, value)
	}
	got := manager.post("/bookings/bk1/move", form)
	for _, want := range []string{"Heron 19 (k19) is booked for Łukasz 2 from 21 Nov 2026 to 22 Nov 2026.", "Availability for Sun 22 Nov to Tue 24 Nov.", "Heron 19 (k19, Sea): booked from 21 Nov 2026"} {
		if got.status != http.StatusConflict || !strings.Contains(got.body, want) {
			t.Errorf("got status %d and no %q: %s", got.status, want, content(got.body))
		}
	}
	form = hiddenFields(got.body)
	for name, value := range map[string]string{"kayak": "k16", "from": "2026-11-22", "last": "2027-01-20", "do": "availability"} {
		form.Set(name, value)
	}
	manager.post("/bookings/bk1/move", form).want(t, http.StatusOK, "Availability for Sun 22 Nov to Sat 19 Dec.")
}

// TestBooking_MovedMeanwhile checks that the form shows the current values of a booking
// that was moved after the form was opened.
func TestBooking_MovedMeanwhile(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	first := hiddenFields(manager.get("/bookings/bk1/move").body)
	second := hiddenFields(manager.get("/bookings/bk1/move").body)
	for name, value := range map[string]string{"kayak": "any#Sea", "from": "2026-12-02", "last": "2026-12-03", "note": "two paddles"} {
		first.Set(name, value)
	}
	manager.post("/bookings/bk1/move", first).want(t, http.StatusSeeOther, "")
	for name, value := range map[string]string{"kayak": "k16", "from": "2026-12-02", "last": "2026-12-04"} {
		second.Set(name, value)
	}
	got := manager.post("/bookings/bk1/move", second)
	for _, want := range []string{"Any Sea", "Thu 3 Dec", "two paddles"} {
		got.want(t, http.StatusConflict, `Currently: <b dir="auto">`+want)
	}
	if strings.Contains(got.body, `Currently: <b dir="auto">Wed 2 Dec`) {
		t.Error("got the current first day, want none, because the entered day is the same")
	}
}

// TestBooking_OutOfScope checks that the pages and forms of a booking reject managers of
// other stores, and that its forms reject viewers.
func TestBooking_OutOfScope(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := hiddenFields(admin.get("/stores/s0/book").body)
	for name, value := range map[string]string{"person": "c01", "kayak": "k09", "from": "2026-12-02", "last": "2026-12-02"} {
		form.Set(name, value)
	}
	path := admin.post("/stores/s0/book", form).header.Get("Location")
	manager, viewer := b.as(t, "manager"), b.as(t, "viewer")
	for _, address := range []string{path, path + "/move", path + "/cancel", path + "/no-show", "/stores/s0/week", "/stores/s0/week.ics", "/stores/s0/bookings", "/stores/s0/book"} {
		if got := manager.get(address); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d for a manager of another store, want 404", address, got.status)
		}
	}
	for address, values := range map[string]url.Values{
		"/stores/s0/book": form, path + "/cancel": {"version": {"1"}}, path + "/move": {"version": {"1"}, "kayak": {"k09"}}, path + "/no-show": {"version": {"1"}},
	} {
		values.Del("once")
		if got := manager.post(address, values); got.status != http.StatusNotFound {
			t.Errorf("POST %s: got status %d for a manager of another store, want 404", address, got.status)
		}
		if got := viewer.post(address, values); got.status != http.StatusForbidden {
			t.Errorf("POST %s: got status %d for a viewer, want 403", address, got.status)
		}
	}
	if got := viewer.get(path); got.status != http.StatusOK || strings.Contains(got.body, path+"/cancel") {
		t.Errorf("booking for a viewer: got status %d, want 200 without a link to cancel", got.status)
	}
	if got := manager.get("/people/c01/bookings.csv"); strings.Contains(got.body, "s0") {
		t.Errorf("bookings of a person: got a booking of another store: %s", got.body)
	}
}

// TestStoreWeek_SaysNotBackYet opens a store's calendar for this week and for a later week.
// Both must mark the overdue kayaks as not back yet, and no other kayaks.
func TestStoreWeek_SaysNotBackYet(t *testing.T) {
	manager := open(t).as(t, "manager")
	for _, day := range []string{"", "2026-12-05"} {
		week := manager.get("/stores/s1/week?day=" + day).body
		_, row, _ := strings.Cut(week, `<a href="/kayaks/k04"`)
		row, _, _ = strings.Cut(row, "</th>")
		if !strings.Contains(row, "Not back yet") || strings.Contains(week, "Not back yet") && strings.Count(week, "Not back yet") == strings.Count(week, `<th scope="row">`) {
			t.Errorf("day %q: got %q, want only overdue kayaks to say that they are not back: %s", day, row, content(week))
		}
	}
}

// TestStoreWeek_ShowsReturned rents a kayak out and checks it in on the next day. Later,
// the calendar must show the rental on both days.
func TestStoreWeek_ShowsReturned(t *testing.T) {
	b := open(t)
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	if _, err := admin.CheckOut(t.Context(), store.CheckOut{StoreID: "s1", Person: "c01", KayakIDs: []string{"k10"}, Due: b.clock.Now().AddDate(0, 0, 3).Truncate(24 * time.Hour)}, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	out := b.clock.Now()
	b.clock.Advance(24 * time.Hour)
	quote, err := admin.QuoteCheckIn(t.Context(), "s1", []string{"k10"})
	if err != nil {
		t.Fatal(err)
	}
	in := store.CheckIn{StoreID: "s1", Kayaks: []store.ReturnedKayak{{ID: "k10"}}, Charge: quote.Total, Method: store.PayByCard}
	if _, err := admin.CheckIn(t.Context(), in, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(48 * time.Hour)
	slots := 0
	for _, day := range []time.Time{out, out.AddDate(0, 0, 7)} { // the two days can be in different weeks
		week := b.as(t, "manager").get("/stores/s1/week?day=" + day.Format(time.DateOnly)).body
		_, row, _ := strings.Cut(week, `<a href="/kayaks/k10"`)
		row, _, _ = strings.Cut(row, "</tr>")
		slots += strings.Count(row, "Out "+out.Format("Mon 2 Jan")+" to ")
		if strings.Contains(row, "returned") && !strings.Contains(row, `class="slot ended`) {
			t.Errorf("got a rental that does not look ended: %s", row)
		}
	}
	if slots != 2 {
		t.Errorf("got the rental on %d days, want 2", slots)
	}
}

// TestStoreWeek_CalendarFile downloads a week with hostile values and long lines as
// iCalendar, and checks the file against the rules of RFC 5545 for lines and text.
func TestStoreWeek_CalendarFile(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	form := hiddenFields(manager.get("/stores/s1/book").body)
	note := `a\b;c,d "é` + strings.Repeat("ö", 60)
	for name, value := range map[string]string{"person": "c03", "kayak": "k16", "from": "2026-11-29", "last": "2026-12-01", "note": note} {
		form.Set(name, value)
	}
	if got := manager.post("/stores/s1/book", form); got.status != http.StatusSeeOther {
		t.Fatalf("booking: got status %d, want 303: %s", got.status, content(got.body))
	}
	got := manager.get("/stores/s1/week.ics?day=2026-11-24")
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/calendar") || !strings.Contains(got.header.Get("Content-Disposition"), "week-2026-11-23.ics") {
		t.Errorf("got headers %v, want a calendar file", got.header)
	}
	for _, line := range strings.Split(strings.TrimSuffix(got.body, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
			t.Errorf("got the line %q of %d bytes, want at most 75 without line breaks", line, len(line))
		}
	}
	unfolded := strings.ReplaceAll(got.body, "\r\n ", "")
	for _, want := range []string{
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "UID:booking-bk1@stockroom\r\n", "DTSTART;VALUE=DATE:20261124\r\nDTEND;VALUE=DATE:20261127\r\nSUMMARY:Åsa 1: Heron 19 (k19)\r\n",
		"DTSTART;VALUE=DATE:20261129\r\nDTEND;VALUE=DATE:20261202\r\n", `DESCRIPTION:a\\b\;c\,d "é` + strings.Repeat("ö", 60) + "\r\n", "SUMMARY:Out: ", "END:VCALENDAR\r\n",
	} {
		if !strings.Contains(unfolded, want) {
			t.Errorf("got no %q in the file: %s", want, unfolded)
		}
	}
	if strings.Contains(unfolded, "bk2") {
		t.Error("got a booking of the week before")
	}
	if n := strings.Count(unfolded, "BEGIN:VEVENT"); n != strings.Count(unfolded, "END:VEVENT") || n != strings.Count(unfolded, "UID:") {
		t.Errorf("got %d events, want as many ends and IDs", n)
	}
}

// TestBooking_ShowAvailability changes the days in the booking form, and shows the
// availability on these days without scripts. This must not book anything.
func TestBooking_ShowAvailability(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	form := hiddenFields(manager.get("/stores/s1/book?kayak=k16").body)
	for name, value := range map[string]string{"person": "c01", "kayak": "k16", "from": "2026-12-01", "last": "2026-12-02", "note": "school trip", "do": "availability"} {
		form.Set(name, value)
	}
	got := manager.post("/stores/s1/book", form)
	for _, want := range []string{"Availability for Tue 1 Dec to Wed 2 Dec.", `value="2026-12-01"`, `value="2026-12-02"`, `value="school trip"`, `<option value="k16" selected>`} {
		if got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("got status %d, want 200 and %q: %s", got.status, want, content(got.body))
		}
	}
	form.Set("last", "2026-11-30")
	if got := manager.post("/stores/s1/book", form); !strings.Contains(got.body, "Availability for Tue 1 Dec.") || strings.Contains(got.body, `value="2026-11-30"`) {
		t.Errorf("last day before the first day: got another last day than the first day: %s", content(got.body))
	}
}

// TestBooking_WrongDays enters days that can't be booked, and shows the availability. The
// form must keep these days, say why they are wrong, and show today's availability. If a
// script has sent the form, it must say this only in the part that the script replaces.
func TestBooking_WrongDays(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for _, tt := range []struct{ from, last, field, want string }{
		{"2026-11-20", "2026-11-22", "from", "20 Nov 2026 is in the past. Choose today or later."},
		{"9999-12-31", "9999-12-31", "last", "31 Dec 9999 is too far ahead."},
		{"soon", "2026-11-22", "from", "“soon” is not a date."},
		{"", "2026-11-22", "from", "Enter the first day."},
	} {
		form := hiddenFields(manager.get("/stores/s1/book").body)
		for name, value := range map[string]string{"from": tt.from, "last": tt.last, "do": "availability"} {
			form.Set(name, value)
		}
		script := manager.request(http.MethodPost, "/stores/s1/book", form.Encode())
		script.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		script.Header.Set("HX-Request", "true")
		inField, inHint := `id="field-`+tt.field+`-error">`+tt.want, `id="field-kayak-hint">`+tt.want
		pages := map[string]answer{inField: manager.post("/stores/s1/book", form), inHint: manager.do(script)}
		for want, got := range pages {
			for _, want := range []string{`value="` + tt.from + `"`, want, "Availability for Sat 21 Nov"} {
				got.want(t, http.StatusOK, want)
			}
		}
		if strings.Contains(pages[inField].body, inHint) || strings.Contains(pages[inHint].body, inField) {
			t.Errorf("%q: got the reason twice, want it at the field, or for a script in the hint", tt.from)
		}
		if tt.from == tt.last {
			manager.get("/stores/s1/book?from="+tt.from).want(t, http.StatusOK, inHint)
		}
	}
	move := hiddenFields(manager.get("/bookings/bk1/move").body)
	for name, value := range map[string]string{"kayak": "k16", "from": "2026-11-19", "last": "2026-11-22", "do": "availability"} {
		move.Set(name, value)
	}
	manager.post("/bookings/bk1/move", move).want(t, http.StatusOK, `id="field-from-error">19 Nov 2026 is in the past.`)
}

// TestBooking_SaysNotBackYet opens the booking form for tomorrow. It must mark a kayak that
// is due back today and not checked in yet.
func TestBooking_SaysNotBackYet(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	out := hiddenFields(manager.get("/stores/s1/check-out?kayaks=k16").body)
	for name, value := range map[string]string{"person": "c02", "kayaks": "k16", "due": "2026-11-21", "do": "take"} {
		out.Set(name, value)
	}
	if got := manager.post("/stores/s1/check-out", out); got.status != http.StatusSeeOther {
		t.Fatalf("check-out: got status %d, want 303: %s", got.status, content(got.body))
	}
	page := manager.get("/stores/s1/book?kayak=k16&from=2026-11-22").body
	if !strings.Contains(page, "Heron 16 (k16, Sea): free, not back yet") || !strings.Contains(page, " of them not back yet") {
		t.Errorf("got no mark at the kayak: %s", content(page))
	}
}

// TestBooking_KayakInRepair sends a booked kayak for repair. The message must name the
// booking, and the page of the booking must say that the kayak is in repair.
func TestBooking_KayakInRepair(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	day := storetest.Day(2026, time.December, 2)
	booking, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c04", KayakID: "k16", From: day, To: day}, "")
	if err != nil {
		t.Fatal(err)
	}
	const warning = "The kayak is in repair."
	if page := manager.get("/bookings/" + booking.ID).body; strings.Contains(page, warning) {
		t.Errorf("before: got the warning: %s", content(page))
	}
	form := hiddenFields(manager.get("/kayaks/k16/repair").body)
	form.Set("why", "Leaks")
	if got := manager.post("/kayaks/k16/repair", form); got.status != http.StatusSeeOther {
		t.Fatalf("repair: got status %d, want 303: %s", got.status, content(got.body))
	}
	if page := manager.get("/kayaks/k16").body; !strings.Contains(page, "Kayak sent for repair. Heron 16 (k16) is booked for ") {
		t.Errorf("got no message about the booking: %s", content(page))
	}
	if page := manager.get("/bookings/" + booking.ID).body; !strings.Contains(page, warning) {
		t.Errorf("got no warning: %s", content(page))
	}
}

// TestBooking_NamesDisplaced starts with a booking for any kayak of a kind. Three times, it
// takes the kayak that this booking holds: with another booking, by moving a booking, and
// with a check-out. Each message must name the displaced booking, with a link to it.
func TestBooking_NamesDisplaced(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	day := storetest.Day(2026, time.December, 2)
	other, err := shop.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c04", Kind: "Sea", From: day, To: day}, "")
	if err != nil {
		t.Fatal(err)
	}
	own, err := shop.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c05", KayakID: "k13", From: day.AddDate(0, 0, 7), To: day.AddDate(0, 0, 7)}, "")
	if err != nil {
		t.Fatal(err)
	}
	kayakOfOther := func() string {
		now, err := shop.Booking(t.Context(), other.ID)
		if err != nil {
			t.Fatal(err)
		}
		return now.KayakID
	}
	for _, change := range []struct {
		path string
		form url.Values
	}{
		{"/stores/s1/book", url.Values{"person": {"c05"}, "from": {"2026-12-02"}, "last": {"2026-12-02"}}},
		{"/bookings/" + own.ID + "/move", url.Values{"version": {"1"}, "from": {"2026-12-02"}, "last": {"2026-12-02"}}},
		{"/stores/s1/check-out", url.Values{"person": {"c05"}, "due": {"2026-12-02"}, "do": {"take"}}},
	} {
		taken := kayakOfOther()
		change.form.Set("kayak", taken)
		if strings.HasSuffix(change.path, "check-out") {
			change.form.Del("kayak")
			change.form.Set("kayaks", taken)
		}
		got := manager.post(change.path, change.form)
		if got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", change.path, got.status, content(got.body))
		}
		page := manager.get(got.location).body
		if now := kayakOfOther(); now == taken || !strings.Contains(page, `<a href="/bookings/`+other.ID+`">booking for `) || !strings.Contains(page, " to make room.") {
			t.Errorf("%s: got the kayak %s, before %s, and no link to the other booking: %.400q", change.path, now, taken, content(page))
		}
	}
}

// TestCheckOut_NamesOpenBooking reviews check-outs for a person with a booking for any kayak of a
// kind. The review must name the booking, with a link, if the check-out leaves it open.
func TestCheckOut_NamesOpenBooking(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	today := storetest.Day(2026, time.November, 21)
	booking, err := shop.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c05", Kind: "Sea", From: today.AddDate(0, 0, 1), To: today.AddDate(0, 0, 2)}, "")
	if err != nil {
		t.Fatal(err)
	}
	other := "k16"
	if booking.KayakID == other {
		other = "k13"
	}
	want := `<li><a href="/bookings/` + booking.ID + `" dir="auto">Any Sea, 22–23 Nov 2026</a></li>`
	for _, c := range []struct {
		what, person, kayak, due, booking string
		isNamed                           bool
	}{
		{"another kayak", "c05", other, "2026-11-22", "", true},
		{"another kayak until the day before", "c05", other, "2026-11-21", "", false},
		{"another person", "c06", other, "2026-11-22", "", false},
		{"the kayak of the booking", "c05", booking.KayakID, "2026-11-23", "", false},
		{"another kayak for the booking", "c05", other, "2026-11-23", booking.ID, false},
	} {
		form := url.Values{"once": {tokenFor(c.what)}, "kayaks": {c.kayak}, "person": {c.person}, "due": {c.due}, "booking": {c.booking}, "do": {"look"}}
		got := manager.post("/stores/s1/check-out", form)
		if got.status != http.StatusOK || strings.Contains(got.body, want) != c.isNamed || strings.Contains(got.body, "stay open") != c.isNamed {
			t.Errorf("%s: got status %d, want 200, and %q: %t: %s", c.what, got.status, want, c.isNamed, content(got.body))
		}
	}
	for n := range 3 {
		day := today.AddDate(0, 0, 3+n)
		if _, err := shop.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c05", KayakID: booking.KayakID, From: day, To: day}, ""); err != nil {
			t.Fatal(err)
		}
	}
	form := url.Values{"once": {tokenFor("many")}, "kayaks": {other}, "person": {"c05"}, "due": {"2026-11-26"}, "do": {"look"}}
	if got := manager.post("/stores/s1/check-out", form).body; strings.Count(got, "Other bookings of this person stay open.") != 1 || !strings.Contains(got, "<li>1 more booking</li>") {
		t.Errorf("four bookings: got no three of them and one more: %s", content(got))
	}
}

// TestRental_NamesEndedBookings checks out a kayak that the person has booked twice, for one
// of the bookings, and extends the rental to the day of a third booking. The messages must
// name the second and the third booking, with links, but not the first. If the due day is then
// moved to an earlier day, the message must say that the third booking is open again. After a
// check-in today, the message must say the same about the second booking.
func TestRental_NamesEndedBookings(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	var booked []*store.Booking
	for _, day := range []int{21, 23, 25} {
		from := storetest.Day(2026, time.November, day)
		booking, err := shop.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c05", KayakID: "k16", From: from, To: from}, "")
		if err != nil {
			t.Fatal(err)
		}
		booked = append(booked, booking)
	}
	message := func(path string, form url.Values) string {
		t.Helper()
		got := manager.post(path, form)
		if got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
		return manager.get(got.location).body
	}
	ended := func(b *store.Booking) string {
		return `The <a href="/bookings/` + b.ID + `">booking for ` + html.EscapeString(b.Renter()) + `</a> (Heron 16, ` + b.From.Format("2 Jan 2006") + `) is now part of the rental.`
	}
	page := message("/stores/s1/check-out", url.Values{"once": {tokenFor("out")}, "kayaks": {"k16"}, "person": {"c05"}, "due": {"2026-11-24"}, "booking": {booked[0].ID}, "do": {"take"}})
	if !strings.Contains(page, ended(booked[1])) || strings.Contains(page, "/bookings/"+booked[0].ID) {
		t.Errorf("check-out: got no %q, or the named booking: %s", ended(booked[1]), content(page))
	}
	form := hiddenFields(manager.get("/stores/s1/extend?kayaks=k16").body)
	form.Set("due", "2026-11-25")
	if page := message("/stores/s1/extend", form); !strings.Contains(page, ended(booked[2])) {
		t.Errorf("extension: got no %q: %s", ended(booked[2]), content(page))
	}
	form = hiddenFields(manager.get("/stores/s1/extend?kayaks=k16").body)
	form.Set("due", "2026-11-24")
	reopened := strings.Replace(ended(booked[2]), "now part of the rental", "open again", 1)
	if page := message("/stores/s1/extend", form); !strings.Contains(page, "Due date changed to 24 Nov 2026: Heron 16 (k16).") || !strings.Contains(page, reopened) {
		t.Errorf("earlier day: got no %q: %s", reopened, content(page))
	}
	form = hiddenFields(manager.get("/stores/s1/return?kayaks=k16").body)
	form.Set("charge-paid", "CASH")
	reopened = strings.Replace(ended(booked[1]), "now part of the rental", "open again", 1)
	if page := message("/stores/s1/return", form); !strings.Contains(page, reopened) || strings.Contains(page, "/bookings/"+booked[0].ID) {
		t.Errorf("check-in: got no %q, or the first booking: %s", reopened, content(page))
	}
}
