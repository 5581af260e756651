package browsertest

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestRental_CheckOutAndCheckIn checks that kayaks can be checked out and in on a phone,
// by their ID or the URL on their label.
func TestRental_CheckOutAndCheckIn(t *testing.T) {
	baseURL := serve(t)
	b := open(t, baseURL, screen{width: 390})
	b.signIn("admin")
	b.visit("/stores/s1")
	b.link("Check out")
	b.do(typeKeys(field("kayaks"), "k10\n"+baseURL+"/kayaks/k13\n"))
	b.fill("person", "customer8@example.com")
	b.fill("due", "2026-11-24")
	b.audit("check-out form")
	b.checkWidth("check-out form")
	b.button("Continue")
	b.wantText("Åsa 8", "Heron 10", "Heron 13", "Due back 24 Nov 2026")
	b.audit("check-out to confirm")
	b.checkWidth("check-out to confirm")
	b.button("Check out 2 kayaks")
	if b.path() != "/stores/s1" {
		t.Fatalf("after check-out: got %s, want /stores/s1:\n%s", b.path(), b.text("main"))
	}
	b.wantText("Heron 10 (k10), Heron 13 (k13) checked out to Åsa 8 until 24 Nov 2026.")

	b.visit("/kayaks/k10")
	b.wantText("Current rental", "24 Nov 2026")
	b.audit("rented kayak")
	b.link("Check in")
	b.wantText("€35.00", "1 day", "Heron 13", "Check in too")
	b.do(chromedp.Click(field("repair-1")))
	b.fill("charge-paid", "CASH")
	b.button("Check in for €35.00")
	b.wantText("Damage: Enter what is wrong with the kayak.", "€35.00")
	b.audit("check-in form")
	b.checkWidth("check-in form")
	b.fill("damage-1", "Crack at the stern")
	b.fill("condition-1", "Stern cracked")
	b.button("Check in for €35.00")
	b.wantText("Checked in from Åsa 8: Heron 10 (k10). Charged: €35.00, Cash. Sent for repair: Heron 10 (k10).", "Heron 13")
	b.visit("/kayaks/k10")
	b.wantText("In repair", "Stern cracked", "Damage: Crack at the stern", "sent for repair")
	b.checkWidth("kayak in repair")

	b.visit("/stores/s1/check-out?kayaks=k13")
	b.fill("person", "c01")
	b.button("Continue")
	b.wantText("Heron 13 (k13) is already rented out")
}

func TestOverdue_ListsOwnStores(t *testing.T) {
	b := open(t, serve(t), screen{width: 390, noScript: true})
	b.signIn("manager")
	b.visit("/rentals/overdue")
	b.wantText("Heron 4", "2 days late")
	if page := b.text("main"); strings.Contains(page, "Heron 5") {
		t.Errorf("manager of s1: got kayaks of another store, want none:\n%s", page)
	}
}

var (
	stream = regexp.MustCompile(`(?s)stream\r?\n(.*?)endstream`)
	images = regexp.MustCompile(`/S /Figure`)
)

// TestKayakLabels_Print checks that every kayak of the store that is not retired has a
// label, on the screen and in print.
func TestKayakLabels_Print(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("admin")
	b.visit("/stores/s1/labels")
	b.audit("labels")
	b.checkWidth("labels")
	shown := run(b, chromedp.Evaluate[int](`document.querySelectorAll(".labels svg.qr").length`))
	if shown != 7 {
		t.Errorf("got %d labels, want 7: k07 is retired", shown)
	}
	if got := len(images.FindAll(decompress(t, run(b, chromedp.PrintToPDF())), -1)); got != shown {
		t.Errorf("got %d printed codes, want %d", got, shown)
	}
}

// decompress returns the PDF, followed by the decompressed contents of its streams.
func decompress(t *testing.T, pdf []byte) []byte {
	t.Helper()
	whole := append([]byte(nil), pdf...)
	for _, found := range stream.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // not compressed with zlib, such as the streams of some fonts
		}
		plain, err := io.ReadAll(r)
		if err == nil {
			whole = append(whole, plain...)
		}
	}
	return whole
}

// TestRental_WalkIn rents a kayak to a new person on a phone. It then rents another
// kayak to the same person. The form must suggest the person's name while the user
// types.
func TestRental_WalkIn(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("manager")
	b.visit("/stores/s1/check-out")
	b.suggest("person", "Lena Kö")
	b.audit("suggestions")
	b.suggest("person", "hler")
	b.do(chromedp.Click(chromedp.CSS("[role=option]:last-child")))
	b.fill("new-phone", "+46 70 555 01 42")
	b.do(typeKeys(field("kayaks"), "K10\n"))
	b.fill("due", "2026-11-24")
	b.button("Continue")
	b.wantText("Lena Köhler", "New customer", "Heron 10")
	b.button("Check out 1 kayak")
	b.wantText("Heron 10 (k10) checked out to Lena Köhler until 24 Nov 2026.")

	b.visit("/stores/s1/check-out")
	b.suggest("person", "köh")
	b.do(typeKeys(field("person"), kb.ArrowDown), typeKeys(field("person"), kb.Enter))
	b.do(typeKeys(field("kayaks"), "heron 13"))
	b.fill("due", "2026-11-24")
	b.button("Continue")
	b.wantText("+46 70 555 01 42", "Heron 13")
	b.button("Check out 1 kayak")
	b.wantText("Heron 13 (k13) checked out to Lena Köhler until 24 Nov 2026.")
}
