package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSavedView_WithoutScripts saves a list, opens it from the menu, renames it
// and deletes it.
func TestSavedView_WithoutScripts(t *testing.T) {
	b := open(t, serve(t), look{width: 1280, noScript: true})
	b.logIn("manager")
	b.visit("/orders?status=PAID")
	b.link("Save view")
	b.do(chromedp.SendKeys(field("name"), " "))
	b.button("Save view")
	if said := b.text("main"); !strings.Contains(said, "Enter a name.") {
		t.Fatalf("without a name the page says %s", said)
	}
	b.do(chromedp.SetValue(field("name"), "To ship"))
	b.button("Save view")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("saving led to %s", b.path())
	}
	b.visit("/customers")
	b.link("To ship")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("the view leads to %s", b.path())
	}
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.do(chromedp.SetValue(field("name"), "Waiting"))
	b.button("Rename view")
	b.visit("/")
	b.link("Waiting")
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.button("Delete view")
	if menu := b.text("#menu"); strings.Contains(menu, "Waiting") {
		t.Errorf("the menu still has the view: %s", menu)
	}
}
