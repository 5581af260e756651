// Package browsertest opens every page in a real browser: it uses the pages
// as a person would, holds them to WCAG with axe-core, and fails on whatever
// the browser has to say about them in its console.
//
// It needs Chromium and axe-core, named by two environment variables.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const (
	chromiumVariable = "STOCKROOM_TEST_CHROMIUM" // the path of the browser
	axeVariable      = "STOCKROOM_TEST_AXE"      // the path of axe.min.js
)

// look is how a page is looked at.
type look struct {
	width    int64
	dark     bool
	noScript bool
}

func (l look) String() string {
	name := fmt.Sprintf("%d px", l.width)
	if l.dark {
		name += ", dark"
	}
	if l.noScript {
		name += ", without JavaScript"
	}
	return name
}

// tab is a browser with a fresh profile and one page open.
type tab struct {
	*testing.T
	ctx  context.Context
	home string // the address of the site

	mu    sync.Mutex
	heard []string // what the console said that it should not have to
}

// chromium is the path of the browser. Without one there is nothing to test.
func chromium(t *testing.T) string {
	t.Helper()
	path := os.Getenv(chromiumVariable)
	if path == "" {
		t.Skipf("%s names no browser", chromiumVariable)
	}
	return path
}

// browser is the one process in which all tests open their tabs.
var browser struct {
	start sync.Once
	ctx   context.Context
	err   error
}

// startBrowser starts the browser once.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := chromium(t)
	browser.start.Do(func() {
		allocator, _ := chromedp.NewExecAllocator( // TestMain ends it
			context.Background(),
			chromedp.ExecPath(path), chromedp.WSURLReadTimeout(patience),
			chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
			chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
			chromedp.Flag("disable-backgrounding-occluded-windows", true),
		)
		browser.ctx, _ = chromedp.NewContext(allocator)
		browser.err = chromedp.Do(browser.ctx)
	})
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	return browser.ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.ctx != nil {
		if err := chromedp.Cancel(browser.ctx); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "the browser does not close:", err)
		}
	}
	os.Exit(code)
}

// open opens a tab of its own profile that looks at the site so.
func open(t *testing.T, home string, l look) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(startBrowser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)

	b := &tab{T: t, ctx: ctx, home: home}
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	err := chromedp.Do(
		ctx, // the tab lives as long as the context of its first step
		chromedp.EmulateViewport(l.width, 900),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: scheme},
				// A click while one page fades into the next is lost.
				{Name: "prefers-reduced-motion", Value: "reduce"},
			},
		}),
		command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.noScript}),
	)
	if err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return // the browser is closed
			}
			// That a page answers 404 or 422 is what some are visited for.
			if m.Source != "network" && (m.IsException() || m.Type == "error" || m.Type == "warning") {
				b.mu.Lock()
				b.heard = append(b.heard, m.String())
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, message := range b.heard {
			t.Errorf("the browser's console says: %s", message)
		}
	})
	return b
}

// command makes an action of a command whose result does not matter.
func command[P any](c cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// patience is how long one step may take. It decides nothing but how soon a
// test fails, so it is long enough for a slow machine.
const patience = 2 * time.Minute

// ask does what has a result.
func ask[T any](b *tab, step chromedp.Action[T]) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, step)
	if err != nil {
		b.Fatal(err)
	}
	return result
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	for _, step := range steps {
		ask(b, step)
	}
}

// visit goes to a local address and expects the page to be there.
func (b *tab) visit(path string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, chromedp.Navigate(b.home+path))
	if err != nil || response.Status != 200 {
		b.Fatalf("%s: %+v, %v", path, response, err)
	}
}

// follow does what leads to another address, and waits until what is there
// is on the page: a whole page, or the part of one that a script fetched.
func (b *tab) follow(step chromedp.Action[chromedp.Void]) {
	b.Helper()
	before := ask(b, chromedp.Location())
	b.do(step)
	arrived := chromedp.Evaluate[bool](fmt.Sprintf(
		`location.href !== %q && document.readyState === "complete" && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`, before))
	b.await(arrived, "the page after "+before)
}

// await waits until a condition holds. Between two pages it fails, which is no
// error.
func (b *tab) await(condition chromedp.Action[bool], what string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	for {
		if holds, err := chromedp.Run(ctx, condition); err == nil && holds {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			b.Fatalf("%s does not come", what)
		}
	}
}

// link clicks a link by its text.
func (b *tab) link(text string) { b.Helper(); b.follow(chromedp.Click(named("a", text))) }

// button clicks a button by its text.
func (b *tab) button(text string) { b.Helper(); b.follow(chromedp.Click(named("button", text))) }

// named finds a visible element by its text, as a person does.
func named(element, text string) chromedp.Search {
	return chromedp.Search(fmt.Sprintf(`//%s[normalize-space(.)=%q]`, element, text))
}

// field finds an input by the name under which it is sent.
func field(name string) chromedp.CSS {
	return chromedp.CSS(fmt.Sprintf(`main [name=%q]`, name))
}

// path is the local address of the page that is open.
func (b *tab) path() string {
	b.Helper()
	return strings.TrimPrefix(ask(b, chromedp.Location()), b.home)
}

// text is what a person reads of an element.
func (b *tab) text(css string) string {
	b.Helper()
	return ask(b, chromedp.Text(chromedp.CSS(css)))
}

// logIn goes through the log-in page.
func (b *tab) logIn(name string) {
	b.Helper()
	b.visit("/login")
	b.do(
		chromedp.SendKeys(field("username"), name),
		chromedp.SendKeys(field("password"), password),
	)
	b.follow(chromedp.Submit(field("password")))
	if at := b.path(); at != "/" {
		b.Fatalf("logging in led to %s", at)
	}
}

// findings are what axe-core has to say of a page.
type findings struct {
	Passed     int // rules that hold
	Violations []struct {
		ID, Help string
		Targets  []string
	}
}

// audit holds the open page to WCAG 2.2 AA and best practice.
func (b *tab) audit(what string) {
	b.Helper()
	source, err := os.ReadFile(os.Getenv(axeVariable))
	if err != nil {
		b.Fatalf("%s names no axe-core: %v", axeVariable, err)
	}
	ask(b, chromedp.Evaluate[any](string(source)+";null"))
	found := ask(b, chromedp.Evaluate[findings](
		`axe.run(document, {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then(r => ({
			Passed: r.passes.length,
			Violations: r.violations.map(v => ({ID: v.id, Help: v.help, Targets: v.nodes.map(n => n.target.join(" "))})),
		}))`,
		chromedp.EvalAwaitPromise,
	))
	if found.Passed < 15 {
		b.Errorf("%s: axe looked at %d rules only", what, found.Passed)
	}
	for _, v := range found.Violations {
		b.Errorf("%s: axe %s: %s: %s", what, v.ID, v.Help, strings.Join(v.Targets, " | "))
	}
}

// overflows fails where the page is wider than the screen.
func (b *tab) overflows(what string) {
	b.Helper()
	if wider := ask(b, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`)); wider > 0 {
		b.Errorf("%s: the page is %d px wider than the screen", what, wider)
	}
}
