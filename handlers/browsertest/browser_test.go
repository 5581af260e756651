// Package browsertest tests the pages in Chromium. It uses them as a person would, and
// checks them with axe-core against WCAG. Errors and warnings in the browser's console fail
// the tests.
//
// Two environment variables contain the paths of Chromium and of axe-core. Without
// Chromium, the tests are skipped.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	browserprotocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"stockroom/handlers/ssotest"
)

const (
	chromiumVariable = "STOCKROOM_TEST_CHROMIUM" // path of Chromium
	axeVariable      = "STOCKROOM_TEST_AXE"      // path of axe.min.js
)

// screen describes how a page is shown.
type screen struct {
	width    int64
	dark     bool
	noScript bool
}

func (sc screen) String() string {
	name := fmt.Sprintf("%d px", sc.width)
	if sc.dark {
		name += ", dark"
	}
	if sc.noScript {
		name += ", without JavaScript"
	}
	return name
}

// tab is a browser tab with its own browser profile.
type tab struct {
	*testing.T
	ctx      context.Context
	baseURL  string
	noScript bool

	mu            sync.Mutex
	consoleErrors []string // errors, warnings and exceptions
}

// chromium returns the path of Chromium. If the environment does not contain this path, it
// skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	path := os.Getenv(chromiumVariable)
	if path == "" {
		t.Skipf("%s is not set", chromiumVariable)
	}
	return path
}

// browser is the browser process that all tests share.
var browser struct {
	start sync.Once
	ctx   context.Context
	err   error
}

// startBrowser starts the browser if it is not running yet, and returns its context.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := chromium(t)
	browser.start.Do(func() {
		allocator, _ := chromedp.NewExecAllocator( // TestMain stops it
			context.Background(),
			chromedp.ExecPath(path), chromedp.WSURLReadTimeout(stepTimeout),
			chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("font-render-hinting", "slight"), // as in Chromium with windows, so that its headless shell draws the same screenshots
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
			fmt.Fprintln(os.Stderr, "close browser:", err)
		}
	}
	ssotest.Remove()
	os.Exit(code)
}

// open opens a tab with its own profile. The test fails if the browser's console
// contains errors when the test ends.
func open(t *testing.T, baseURL string, sc screen) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(startBrowser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)

	b := &tab{T: t, ctx: ctx, baseURL: baseURL, noScript: sc.noScript}
	err := chromedp.Do(
		ctx, // not a context with a timeout, because the first context determines the lifetime of the tab
		chromedp.EmulateViewport(sc.width, 900),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		emulateMedia(sc.dark),
		command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: sc.noScript}),
	)
	if err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return // the browser has been closed
			}
			// Ignore network errors, because some tests visit pages with status 404 or 422.
			if m.Source != "network" && (m.IsException() || m.Type == "error" || m.Type == "warning") {
				b.mu.Lock()
				b.consoleErrors = append(b.consoleErrors, m.String())
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, message := range b.consoleErrors {
			t.Errorf("console: got %s, want no errors or warnings", message)
		}
	})
	return b
}

// emulateMedia returns an action that sets the color scheme.
func emulateMedia(dark bool) chromedp.Action[chromedp.Void] {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// setDark switches the page between the dark and the light theme.
func (b *tab) setDark(dark bool) { b.Helper(); b.do(emulateMedia(dark)) }

// command returns an action that sends a browser command without a result.
func command[P any](c cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// stepTimeout limits one step of a test, even on a slow machine.
const stepTimeout = 2 * time.Minute

// run performs a step and returns its result.
func run[T any](b *tab, step chromedp.Action[T]) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	result, err := chromedp.Run(ctx, step)
	if err != nil {
		b.Fatal(err)
	}
	return result
}

// retry repeats a step until it succeeds, and returns its result. A step can fail while a
// page reloads, such as the page of a running job.
func retry[T any](b *tab, step chromedp.Action[T]) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	for {
		result, err := chromedp.Run(ctx, step)
		if err == nil {
			return result
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			b.Fatal(err)
		}
	}
}

// do performs steps that have no result.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	for _, step := range steps {
		run(b, step)
	}
}

// visit opens a path of the site. The test fails unless the status is 200.
func (b *tab) visit(path string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, chromedp.Navigate(b.baseURL+path))
	if err != nil || response.Status != 200 {
		b.Fatalf("%s: got %+v, %v, want status 200", path, response, err)
	}
	b.waitFor(chromedp.Evaluate[bool](b.complete()), "all parts of "+path)
}

// follow performs a step that opens another page, or that makes a script replace a part
// of the page. It waits until the new page or part is complete. The URL may stay the
// same, for example after a form.
func (b *tab) follow(step chromedp.Action[chromedp.Void]) {
	b.Helper()
	before := run(b, chromedp.Evaluate[string](`window.left = true; location.href`))
	b.leave(step)
	arrived := fmt.Sprintf(`(location.href !== %q || !window.left) && `, before) + b.complete()
	b.waitFor(chromedp.Evaluate[bool](arrived), "navigation from "+before)
}

// leave performs a step that opens another page. If the page opens before the browser has
// answered the step, the browser answers with an error, which leave ignores. Callers must
// wait for the page, because the error does not tell whether the step was done.
func (b *tab) leave(step chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	_, err := chromedp.Run(ctx, step)
	var answer *cdproto.Error
	if errors.As(err, &answer) && answer.Message == "Inspected target navigated or closed" {
		return
	}
	if err != nil {
		b.Fatal(err)
	}
}

// complete returns a JavaScript condition that is true when the page is loaded and no
// script will replace a part of it. For example, the page Today loads some parts later.
func (b *tab) complete() string {
	busy := ".htmx-request, .htmx-swapping, .htmx-settling"
	if !b.noScript {
		busy += ", [hx-trigger^=load]"
	}
	return fmt.Sprintf(`document.readyState === "complete" && !document.querySelector(%q)`, busy)
}

// waitFor waits until a condition is true. It ignores errors, because evaluating a
// condition fails while a new page loads.
func (b *tab) waitFor(condition chromedp.Action[bool], what string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	for {
		if ok, err := chromedp.Run(ctx, condition); err == nil && ok {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			b.Fatalf("timeout waiting for %s", what)
		}
	}
}

// link clicks the link with this text. If the link is in a closed menu, it first opens the
// menu.
func (b *tab) link(text string) {
	b.Helper()
	b.activate(named("a", text))
}

// button clicks the button with this text. If the button is in a collapsed part of the
// page, it first opens this part.
func (b *tab) button(text string) {
	b.Helper()
	b.activate(named("button", text))
}

// activate clicks an element that opens a page or replaces a part of the page. It first
// opens the menus and collapsed parts that contain the element.
func (b *tab) activate(element chromedp.Search) {
	b.Helper()
	b.show(element)
	b.follow(chromedp.Click(element))
}

// show opens the menus and collapsed parts that contain an element.
func (b *tab) show(element chromedp.Search) {
	b.Helper()
	run(b, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
		const found = document.evaluate(%q, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
		for (let part = found; part; part = part.parentElement) if (part.localName === "details") part.open = true;
		return true;
	})()`, string(element))))
}

// download clicks a link to a file, and returns the name and content of the saved file.
func (b *tab) download(link chromedp.Search) (name, content string) {
	b.Helper()
	folder, events := b.TempDir(), true
	profile := chromedp.FromContext(b.ctx).BrowserContextID
	b.do(command(browserprotocol.SetDownloadBehavior, browserprotocol.SetDownloadBehaviorParams{
		Behavior: browserprotocol.SetDownloadBehaviorBehaviorAllow, BrowserContextID: profile, DownloadPath: folder, EventsEnabled: &events,
	}))
	b.show(link)
	b.do(chromedp.Click(link))
	for began := time.Now(); time.Since(began) < stepTimeout; time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			b.Fatal(err)
		}
		if len(files) != 1 || strings.HasSuffix(files[0], ".crdownload") {
			continue
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			b.Fatal(err)
		}
		if len(text) > 0 { // the browser first creates an empty file with this name
			return filepath.Base(files[0]), string(text)
		}
	}
	b.Fatal("the browser has not saved the file")
	return "", ""
}

// linkTo selects a link in the heading of the page: the first one whose address starts with
// prefix.
func linkTo(prefix string) chromedp.Search {
	return chromedp.Search(fmt.Sprintf(`//*[contains(@class, "head")]//a[starts-with(@href, %q)]`, prefix))
}

// named selects the element with this name, such as "a", and exactly this text.
func named(element, text string) chromedp.Search {
	return chromedp.Search(fmt.Sprintf(`//%s[normalize-space(.)=%q]`, element, text))
}

// field selects the form field with this name.
func field(name string) chromedp.CSS {
	return chromedp.CSS(fmt.Sprintf(`main [name=%q]`, name))
}

// path returns the path and query of the open page.
func (b *tab) path() string {
	b.Helper()
	return strings.TrimPrefix(retry(b, chromedp.Location()), b.baseURL)
}

// text returns the visible text of an element.
func (b *tab) text(css string) string {
	b.Helper()
	return retry(b, chromedp.Text(chromedp.CSS(css)))
}

func (b *tab) signIn(name string) {
	b.Helper()
	b.visit("/login")
	b.do(
		typeKeys(field("username"), name),
		typeKeys(field("password"), password),
	)
	b.follow(chromedp.Submit(field("password")))
	if at := b.path(); at != "/" {
		b.Fatalf("after sign-in: got %s, want /; the page says:\n%s", at, b.text("main"))
	}
}

// findings is the result of axe-core for a page.
type findings struct {
	Passed     int // number of rules that passed
	Violations []struct {
		ID, Help string
		Targets  []string
	}
}

// audit checks the open page with axe-core against WCAG 2.2 AA and best practices.
func (b *tab) audit(what string) {
	b.Helper()
	source, err := os.ReadFile(os.Getenv(axeVariable))
	if err != nil {
		b.Fatalf("read axe-core from %s: %v", axeVariable, err)
	}
	b.runAxe(what, 15, string(source)+";", `rules: {"target-size": {enabled: true}}`)
}

// auditColors audits only the colors of the open page.
func (b *tab) auditColors(what string) {
	b.Helper()
	b.runAxe(what, 1, "", `runOnly: ["color-contrast"]`)
}

// runAxe evaluates a script, and then runs axe-core with options. The test fails if the
// page violates a rule, or if fewer than minPassed rules pass.
func (b *tab) runAxe(what string, minPassed int, script, options string) {
	b.Helper()
	found := retry(b, chromedp.Evaluate[findings](
		script+`axe.run(document, {resultTypes: ["violations"], preload: false, `+options+`}).then(r => ({
			Passed: r.passes.length,
			Violations: r.violations.map(v => ({ID: v.id, Help: v.help, Targets: v.nodes.map(n => n.target.join(" "))})),
		}))`,
		chromedp.EvalAwaitPromise,
	))
	if found.Passed < minPassed {
		b.Errorf("%s: %d axe rules passed, want at least %d", what, found.Passed, minPassed)
	}
	for _, v := range found.Violations {
		b.Errorf("%s: axe %s: %s: %s", what, v.ID, v.Help, strings.Join(v.Targets, " | "))
	}
}

// checkWidth fails the test if the page is wider than the screen, because users would then
// have to scroll sideways.
func (b *tab) checkWidth(what string) {
	b.Helper()
	if excess := retry(b, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`)); excess > 0 {
		b.Errorf("%s: page is %d px wider than the screen", what, excess)
	}
}

// check checks the width of the open page, and audits the page unless scripts are disabled.
func (b *tab) check(what string, sc screen) {
	b.Helper()
	if !sc.noScript {
		b.audit(what)
	}
	b.checkWidth(what)
}

// wantText fails the test unless the open page contains all these texts.
func (b *tab) wantText(texts ...string) {
	b.Helper()
	got := b.text("main")
	for _, want := range texts {
		if !strings.Contains(got, want) {
			b.Errorf("%s: got\n%s\nwant %q", b.path(), got, want)
		}
	}
}

// waitText waits until the page shows a text that a script adds to it.
func (b *tab) waitText(text string) {
	b.Helper()
	shown := fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, text)
	b.waitFor(chromedp.Evaluate[bool](shown), "the text "+text)
}

// typeKeys returns an action that focuses an element and types text. It replaces
// chromedp.SendKeys, which has a data race: it reads the attributes of the element while
// a script may change them.
func typeKeys[S chromedp.Selectable](element S, keys string) chromedp.Action[chromedp.Void] {
	return chromedp.QueryAfter(element, func(ctx context.Context, t *chromedp.Target, nodes []*chromedp.Node) (chromedp.Void, error) {
		return chromedp.KeyEventNode(nodes[0], keys)(ctx, t)
	}, chromedp.NodeVisible)
}

// fill sets the value of a form field.
func (b *tab) fill(name, value string) {
	b.Helper()
	b.do(chromedp.SetValue(field(name), value))
}

// suggest types text into a field, and waits until the list below the field shows the
// suggestions for the whole text.
func (b *tab) suggest(name, text string) {
	b.Helper()
	b.do(
		typeKeys(field(name), text),
		chromedp.WaitVisible(chromedp.CSS("[role=listbox]:not([aria-busy]) [role=option]")),
	)
}
