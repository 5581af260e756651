package browsertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestSession_EndsWhileTyping submits a note after the session has ended. The note must be
// saved when the user has signed in again.
func TestSession_EndsWhileTyping(t *testing.T) {
	for _, sc := range []screen{{width: 390}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			chromium(t)
			clock := storetest.NewClock()
			b := open(t, serveStore(t, store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now), jobs.Record{}), sc)
			b.signIn("manager")
			b.visit("/customers/c07")
			b.fill("note", "Rings back <at noon>")
			clock.Advance(store.SessionLife)
			b.button("Add note")
			b.wantText("Your session has ended. Sign in to send what you entered.")
			b.check("sign-in with a form", sc)
			b.do(typeKeys(field("username"), "manager"), typeKeys(field("password"), password))
			if sc.noScript {
				b.button("Sign in")
				b.check("form to send", sc)
				b.button("Send form")
			} else {
				b.leave(chromedp.Click(named("button", "Sign in")))
				b.waitFor(chromedp.Evaluate[bool](`location.pathname === "/customers/c07" && document.readyState === "complete"`), "the form to be sent")
			}
			b.wantText("Note added.", "Rings back <at noon>")
		})
	}
}

// TestSession_SaysWhyPartIsRefused lets a script load content that the user's role may not
// open. An alert must give this reason, and must not say that the user has signed in again.
func TestSession_SaysWhyPartIsRefused(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("manager")
	b.visit("/orders")
	run(b, chromedp.Evaluate[bool](`htmx.ajax("GET", "/admin/users", { target: "#main" }), true`))
	b.waitFor(chromedp.Evaluate[bool](`document.getElementById("trouble")?.textContent.startsWith("Your role can't open this page.")`), "the reason")
	if got := b.path(); got != "/orders" {
		t.Errorf("got the page %s, want /orders", got)
	}
}

// TestSession_EndsWhileSearching searches after the session has ended. The page must
// show a link to the sign-in page instead of results.
func TestSession_EndsWhileSearching(t *testing.T) {
	chromium(t)
	clock := storetest.NewClock()
	b := open(t, serveStore(t, store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now), jobs.Record{}), screen{width: 390})
	b.signIn("manager")
	b.visit("/search")
	if got := run(b, chromedp.Evaluate[string](`htmx.config.mode + " " + htmx.config.history`)); got != "same-origin reload" {
		t.Errorf("got the htmx configuration %q, want requests to this site and no copies of pages", got)
	}
	clock.Advance(store.SessionLife)
	b.do(typeKeys(field("q"), "asa"), chromedp.WaitVisible(chromedp.CSS("#trouble a")))
	b.audit("search after the session ended")
	b.link("Sign in")
	if got := b.path(); got != "/login?next=%2Fsearch" {
		t.Errorf("got %s, want the sign-in page", got)
	}
}

// TestList_ShowsBusyAndOffline checks what a list shows while its next page loads
// slowly, and without a connection.
func TestList_ShowsBusyAndOffline(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("admin")
	b.visit("/orders?limit=5")
	run(b, chromedp.Evaluate[bool](`window.connected = window.fetch; window.fetch = () => Promise.reject(new TypeError("test: no connection")); true`))
	b.do(chromedp.Click(named("a", "Next")), chromedp.WaitVisible(chromedp.CSS("#trouble")))
	if got, want := b.text("#trouble"), "can't be reached"; !strings.Contains(got, want) {
		t.Errorf("got alert %q, want %q", got, want)
	}
	b.audit("list without a connection")
	run(b, chromedp.Evaluate[bool](`window.fetch = async (...request) => { await new Promise((release) => window.release = release); return window.connected(...request); }; true`))
	b.do(chromedp.Click(named("a", "Next")))
	b.waitFor(chromedp.Evaluate[bool](`document.getElementById("page").getAttribute("aria-busy") === "true"`), "the page to be busy")
	run(b, chromedp.Evaluate[bool](`window.release(); true`))
	b.waitFor(chromedp.Evaluate[bool](`location.search.includes("after=") && !document.querySelector("[aria-busy]") && !document.getElementById("trouble")`), "the next page")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.consoleErrors = slices.DeleteFunc(b.consoleErrors, func(message string) bool { return strings.Contains(message, "test: no connection") })
}
