package browsertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"stockroom/store"
)

// TestClick_AfterNavigation clicks a link of the menu right after a page has opened. The
// click must open the next page: transitions between pages, for example, make the browser
// ignore clicks until they end.
func TestClick_AfterNavigation(t *testing.T) {
	b := serveStaff(t, screen{width: 1280}, store.User{Name: "mia", Role: store.Support})
	b.visit("/customers")
	paths := []string{"/orders", "/products", "/customers"}
	for i := range 9 {
		first, second := paths[2*i%3], paths[(2*i+1)%3] // first is not the page that is open
		b.waitFor(chromedp.Evaluate[bool](b.complete()+` && !!document.querySelector(".side .nav")`), "the menu")
		b.clickMenu(first)
		b.waitFor(chromedp.Evaluate[bool](fmt.Sprintf(`location.pathname === %q && document.readyState !== "loading" && !!document.querySelector(".side .nav")`, first)), first)
		delay := time.Duration(i) * 30 * time.Millisecond
		time.Sleep(delay)
		b.clickMenu(second)
		for began := time.Now(); b.path() != second && time.Since(began) < 10*time.Second; {
			time.Sleep(20 * time.Millisecond)
		}
		if at := b.path(); at != second {
			t.Errorf("click %v after %s opened: got %s, want %s", delay, first, at, second)
			b.visit(second)
		}
	}
}

// clickMenu clicks the place of the menu's link to a path. Unlike link, it does not wait
// until the page is ready.
func (b *tab) clickMenu(path string) {
	b.Helper()
	at := retry(b, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const box = document.querySelector('.side .nav a[href=%q]').getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];
	})()`, path)))
	b.leave(chromedp.MouseClickXY(at[0], at[1]))
}
