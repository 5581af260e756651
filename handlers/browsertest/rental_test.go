package browsertest

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestRental_CheckOutAndCheckIn checks out two kayaks on a phone, one by ID and
// one by the address on its label, as a scanner enters it, and checks one in.
func TestRental_CheckOutAndCheckIn(t *testing.T) {
	home := serve(t)
	b := open(t, home, look{width: 390})
	b.logIn("admin")
	b.visit("/stores/s1")
	b.link("Check out")
	b.do(chromedp.SendKeys(field("kayaks"), "k10\n"+home+"/kayaks/k13\n"))
	b.fill("person", "customer8@example.com")
	b.fill("due", "2026-11-24")
	b.audit("check-out")
	b.overflows("check-out")
	b.button("Check out")
	if b.path() != "/stores/s1" {
		t.Fatalf("checking out led to %s:\n%s", b.path(), b.text("main"))
	}
	b.shows("Checked out until 24 Nov 2026: k10, k13.", "Heron 10", "24 Nov 2026")

	b.visit("/kayaks/k10")
	b.shows("Current rental", "24 Nov 2026")
	b.audit("kayak that is out")
	b.link("Check in")
	b.shows("€35.00", "1 day", "Heron 13", "Check in too")
	b.audit("return")
	b.overflows("return")
	b.button("Check in 1 kayak for €35.00")
	b.shows("Checked in: k10.", "Heron 13")

	b.visit("/stores/s1/check-out?kayaks=k13")
	b.fill("person", "c01")
	b.do(chromedp.Click(named("button", "Check out")))
	b.do(chromedp.WaitVisible(chromedp.CSS("[role=alert]")))
	b.shows("Heron 13 (k13) is out already")
}

func TestOverdue_ListsOwnStores(t *testing.T) {
	b := open(t, serve(t), look{width: 390, noScript: true})
	b.logIn("manager")
	b.visit("/rentals/overdue")
	b.shows("Heron 4", "2 days late")
	if page := b.text("main"); strings.Contains(page, "Heron 5") {
		t.Errorf("the manager of s1 sees another store's kayaks:\n%s", page)
	}
}

var (
	stream = regexp.MustCompile(`(?s)stream\r?\n(.*?)endstream`)
	images = regexp.MustCompile(`/S /Figure`)
)

// TestKayakLabels_Print prints a label for each kayak of a store.
func TestKayakLabels_Print(t *testing.T) {
	b := open(t, serve(t), look{width: 390})
	b.logIn("admin")
	b.visit("/stores/s1/labels")
	b.audit("labels")
	b.overflows("labels")
	shown := ask(b, chromedp.Evaluate[int](`document.querySelectorAll(".labels svg.qr").length`))
	if shown != 7 {
		t.Errorf("the sheet of s1 has %d labels, want 7: k07 is retired", shown)
	}
	if got := len(images.FindAll(unpacked(t, ask(b, chromedp.PrintToPDF())), -1)); got != shown {
		t.Errorf("%d codes are printed, want %d", got, shown)
	}
}

// unpacked is a PDF with its streams as they were before they were compressed.
func unpacked(t *testing.T, pdf []byte) []byte {
	t.Helper()
	whole := append([]byte(nil), pdf...)
	for _, found := range stream.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // a font, or another stream that is not compressed so
		}
		plain, err := io.ReadAll(r)
		if err == nil {
			whole = append(whole, plain...)
		}
	}
	return whole
}
