package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBooking_ToCheckOut books a kayak on a phone, from the page with the week of a store.
// The booking is then moved to today, and the kayak is checked out.
func TestBooking_ToCheckOut(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("manager")
	b.visit("/stores/s1")
	b.link("Week")
	b.wantText("Week at Åmynning", "Heron 19", "Booked Sat 21 Nov to Sun 22 Nov")
	b.audit("week of a store")
	b.checkWidth("week of a store")
	if cut := retry(b, chromedp.Evaluate[int](`[...document.querySelectorAll(".week .slot > span")].filter((text) => text.scrollWidth > text.clientWidth).length`)); cut > 0 {
		b.Errorf("week of a store: %d texts are cut off", cut)
	}
	b.fill("day", "2026-11-24")
	b.button("Go")
	b.wantText("23–29 Nov 2026")
	b.follow(chromedp.Click(chromedp.CSS(`a[aria-label="Book Heron 16 on Tue 24 Nov"]`)))
	b.fill("person", "customer8@example.com")
	b.audit("booking form")
	b.checkWidth("booking form")
	b.button("Book kayak")
	b.wantText("Booked for Åsa 8.", "Heron 16", "Tue 24 Nov, 1 day")
	b.audit("booking")
	b.checkWidth("booking")
	b.link("Move booking")
	b.changeAtOnce("last", "2026-11-25", "2026-11-26", "2026-11-27")
	b.waitText("Availability for Tue 24 Nov to Fri 27 Nov")
	b.fill("from", "2026-11-21")
	b.fill("last", "2026-11-22")
	b.waitText("Availability for Sat 21 Nov to Sun 22 Nov")
	b.button("Move booking")
	b.wantText("Booking moved.", "Due today", "Sat 21 Nov to Sun 22 Nov")
	booking := b.path()
	b.visit("/")
	b.wantText("Bookings to check out", "Sat 21 Nov to Sun 22 Nov", "Due today")
	if hidden := retry(b, chromedp.Evaluate[int](`Math.max(...[...document.querySelectorAll("main .scroll")].map((table) => table.scrollWidth - table.clientWidth))`)); hidden > 0 {
		b.Errorf("Today: %d px of a table are cut off", hidden)
	}
	b.visit(booking)
	b.link("Check out")
	b.wantText("Booked: Heron 16, Sat 21 Nov to Sun 22 Nov.")
	b.audit("check-out of a booking")
	b.checkWidth("check-out of a booking")
	b.button("Continue")
	b.wantText("Åsa 8", "Heron 16", "Due back 22 Nov 2026")
	b.button("Check out 1 kayak")
	b.wantText("Heron 16 (k16) checked out to Åsa 8 until 22 Nov 2026.")
	b.link("Week")
	b.wantText("Out, due Sun 22 Nov")
}

// changeAtOnce sets a field to each of the values, without waiting for the responses to the
// requests that the changes cause.
func (b *tab) changeAtOnce(name string, values ...string) {
	b.Helper()
	run(b, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
		const field = document.getElementsByName(%q)[0];
		for (const value of %q.split(" ")) {
			field.value = value;
			field.dispatchEvent(new Event("change", { bubbles: true }));
		}
		return true;
	})()`, name, strings.Join(values, " "))))
}
