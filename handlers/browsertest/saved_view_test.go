package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSavedView_WithoutScripts saves a list as a view. It then opens, renames and deletes
// the view.
func TestSavedView_WithoutScripts(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280, noScript: true})
	b.signIn("manager")
	b.visit("/orders?status=PAID")
	b.link("Save view")
	b.do(chromedp.SendKeys(field("name"), " "))
	b.button("Save view")
	b.wantText("Enter a name.")
	b.fill("name", "To ship")
	b.button("Save view")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("after saving: got %s, want /orders?status=PAID", b.path())
	}
	b.visit("/customers")
	b.link("To ship")
	if b.path() != "/orders?status=PAID" {
		t.Errorf("view: got %s, want /orders?status=PAID", b.path())
	}
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.fill("name", "Waiting")
	b.button("Rename view")
	b.visit("/")
	b.link("Waiting")
	b.link("Saved views")
	b.follow(chromedp.Click(chromedp.CSS(`main a[href^="/views/own/"]`)))
	b.button("Delete view")
	if menu := b.text("#menu"); strings.Contains(menu, "Waiting") {
		t.Errorf("after deletion: got menu %s, want no view", menu)
	}
}
