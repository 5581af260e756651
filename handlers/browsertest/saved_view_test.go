package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSavedView_WithoutScripts checks that a view can be saved, opened, renamed and
// deleted without scripts.
func TestSavedView_WithoutScripts(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280, noScript: true})
	b.signIn("manager")
	b.visit("/orders?status=PAID")
	b.link("Save view")
	b.do(typeKeys(field("name"), " "))
	b.button("Save view")
	b.wantText("Enter a name.")
	b.fill("name", "To ship")
	b.button("Save view")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("after saving: got %s, want /orders?status=PAID", b.path())
	}
	b.visit("/orders")
	b.link("To ship")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("view: got %s, want /orders?status=PAID", b.path())
	}
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.fill("name", "Waiting")
	b.button("Rename view")
	b.visit("/orders")
	b.link("Waiting")
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.button("Delete view")
	b.visit("/orders")
	if tabs := b.text(".tabs"); strings.Contains(tabs, "Waiting") {
		t.Errorf("after deletion: got tabs %s, want no view", tabs)
	}
}

// TestLists_OpenRows checks a list that is filtered by a period, a saved view of this list,
// and the headings of a list after scrolling. A click on a row, beside its links, must open
// the record.
func TestLists_OpenRows(t *testing.T) {
	b := open(t, serve(t), screen{width: 1440})
	b.signIn("manager")
	b.visit("/orders")
	b.link("Last month")
	if want := "/orders?to=last+month&from=last+month"; b.path() != want {
		t.Errorf("period: got %s, want %s", b.path(), want)
	}
	b.link("Save view")
	b.fill("name", "Month before")
	b.button("Save view")
	b.visit("/orders")
	b.link("Month before")
	if want := "/orders?from=last+month&to=last+month"; b.path() != want {
		t.Errorf("view: got %s, want %s", b.path(), want)
	}
	b.visit("/orders?from=2020-01-01")
	top := run(b, chromedp.Evaluate[float64](`scrollTo(0, 600); document.querySelector(".records thead th").getBoundingClientRect().top`))
	if top < 0 || top > 100 {
		t.Errorf("got the headings at %g after scrolling, want them below the top of the window", top)
	}
	first := b.text(".records tbody tr:first-child td:nth-child(2) a")
	b.follow(chromedp.Click(chromedp.CSS(".records tbody tr:first-child td.num:last-of-type, .records tbody tr:first-child td:last-child")))
	if !strings.HasPrefix(b.path(), "/orders/") {
		t.Errorf("row of %s: got %s, want the order", first, b.path())
	}
}
