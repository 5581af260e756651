package handlers

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

var (
	footerPage    = regexp.MustCompile(`<th scope="row" colspan="3">This page</th><td class="num">\d+</td><td class="num">\d+</td><td class="num">([\d.]+)</td>`)
	footerSession = regexp.MustCompile(`(?s)<tbody class="aside">(.*?)</tbody>`)
	footerRow     = regexp.MustCompile(`</code></td><td class="num">\d+</td><td class="num">\d+</td><td class="num">([\d.]+)</td>`)
	footerWritten = regexp.MustCompile(`last change: ([\d.]+) write units`)
)

// footerUnits returns the read units in the footer of a page, and the write units that the
// footer shows for the last change.
func footerUnits(t *testing.T, body string) (read, written float64) {
	t.Helper()
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if page := footerPage.FindStringSubmatch(body); page != nil {
		read += number(page[1])
	}
	if session := footerSession.FindStringSubmatch(body); session != nil {
		for _, row := range footerRow.FindAllStringSubmatch(session[1], -1) {
			read += number(row[1])
		}
	}
	if change := footerWritten.FindStringSubmatch(body); change != nil {
		written = number(change[1])
	}
	return read, written
}

// TestCosts_EqualPageFooters opens pages and changes records as several users. The costs
// of each page must be the sum of the costs in its footers. The write units of a form
// must be those that the footer of the next page shows.
func TestCosts_EqualPageFooters(t *testing.T) {
	b := open(t, openOrder()...)
	shown, shownWrites, noteWrites := map[string]float64{}, map[string]float64{}, 0.0
	roleReads := map[string]float64{}
	visit := func(user, route, address string) {
		t.Helper()
		got := b.as(t, user).get(address)
		read, written := footerUnits(t, got.body)
		if read == 0 {
			t.Errorf("%s: got no read units in the footer", address)
		}
		shown[route] += read
		shownWrites[route] += written // only Today writes: it stores the time of the visit
		roleReads[user] += read
	}
	for _, user := range []string{"viewer", "support", "admin"} {
		for route, address := range map[string]string{
			"/": "/", "/orders": "/orders", "/orders/:id": "/orders/o0001", "/customers": "/customers?name=c", "/customers/:id": "/customers/c01", "/search": "/search?q=kim", "/warehouses/:id": "/warehouses/w1",
			"/products/:id": "/products/p12", "/invoices": "/invoices", "/kayaks/:id": "/kayaks/none",
		} {
			visit(user, route, address)
		}
	}
	browser := b.as(t, "admin")
	for n := range 3 {
		if got := browser.post("/customers/c01/notes", url.Values{"note": {"Note " + strconv.Itoa(n)}}); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, got.body)
		}
		got := browser.get("/customers/c01")
		read, written := footerUnits(t, got.body)
		if written == 0 {
			t.Error("got no write units in the footer, want those of the note")
		}
		shown["/customers/:id"] += read
		roleReads["admin"] += read
		noteWrites += written
	}
	b.handling.Wait()
	if err := b.store.WriteCosts(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Costs(t.Context(), b.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range slices.Sorted(maps.Keys(shown)) {
		got := report.Sources[store.CostCode(store.SourceOfPage("GET", route))]
		if got.ReadUnits() != shown[route] || float64(got.WriteUnits) != shownWrites[route] {
			t.Errorf("%s: got %v read units and %d write units, want %v and %v as in the footers", route, got.ReadUnits(), got.WriteUnits, shown[route], shownWrites[route])
		}
	}
	form := report.Sources[store.CostCode(store.SourceOfPage("POST", "/customers/:id/notes"))]
	if float64(form.WriteUnits) != noteWrites {
		t.Errorf("notes: got %d write units, want %v as in the footers", form.WriteUnits, noteWrites)
	}
	roleReads["admin"] += form.ReadUnits() // no footer shows the reads of a form, because a form redirects
	for user, want := range roleReads {
		if got := report.Roles[store.CostCode(user)].ReadUnits(); got != want {
			t.Errorf("role %s: got %v read units, want %v", user, got, want)
		}
	}
	var patterns store.Cost
	for n := range maps.Values(report.Patterns) {
		patterns = patterns.Plus(n)
	}
	if total := report.Total(); patterns != total || total.Requests == 0 {
		t.Errorf("got %+v by pattern, want the total %+v", patterns, total)
	}
}

// TestCosts_Page checks the costs of a day in US dollars, on the page and in the files.
func TestCosts_Page(t *testing.T) {
	b := open(t)
	b.as(t, "viewer").get("/orders/o0001")
	b.handling.Wait()
	if err := b.store.WriteCosts(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	page := content(admin.get("/data/costs").body)
	for _, want := range []string{"<code class=\"sub muted\">/orders/:id</code>", `href="/data/patterns/getOrderDetailsByOrderId"`, "Viewer", "$0.00", `<td class="p2">table</td>`, "Unused access patterns", "Average per day", "One read unit reads up to 4 KB", "The list appears after 7 days of costs. The first day is 21 Nov 2026."} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in %s", want, page)
		}
	}
	csv := admin.get("/data/costs.csv").body
	if !strings.Contains(csv, "\r\npage,Order,/orders/:id,5,5,0,0.000001\r\n") || !strings.HasPrefix(csv, "Kind,Name,Path,Requests,ReadUnits,WriteUnits,USD\r\nmonth,2026-11,,") {
		t.Errorf("got a CSV file without its header, the month or the page of an order: %s", csv)
	}
	var file struct{ Rows []map[string]any }
	if err := json.Unmarshal([]byte(admin.get("/data/costs.json").body), &file); err != nil || len(file.Rows) < 5 {
		t.Errorf("got %d rows and error %v, want at least 5 rows", len(file.Rows), err)
	}
	if got := admin.get("/data/costs?month=2026-10").body; !strings.Contains(got, "No costs in October 2026.") {
		t.Errorf("got no note that October has no costs: %s", got)
	}
	for _, wrong := range []string{"2026-13", "2027-01", "x"} {
		if got := admin.get("/data/costs?month=" + wrong); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Enter a month up to this month") {
			t.Errorf("month %s: got status %d, want 422 with a message", wrong, got.status)
		}
	}
}

func TestCosts_NameEachJob(t *testing.T) {
	for _, job := range store.JobNames {
		if !slices.Contains(store.CostJobs, store.CostJob(job)) {
			t.Errorf("got no costs of the job %s", job)
		}
	}
}

// TestCosts_UnusedPatterns checks that the page lists unused patterns only after a week.
// In the first days, most patterns are unused.
func TestCosts_UnusedPatterns(t *testing.T) {
	for days, listed := range map[int]bool{6: false, 7: true} {
		day := storetest.Now.Truncate(24*time.Hour).AddDate(0, 0, -days)
		b := serveOnly(t, &store.DayCosts{Day: day, Expires: storetest.Now.AddDate(1, 0, 0), Version: 1})
		admin := b.as(t, "admin")
		page, csv := admin.get("/data/costs").body, admin.get("/data/costs.csv").body
		if got := strings.Contains(content(page), `href="/data/patterns/getQuotasByEmployeeId"`); got != listed {
			t.Errorf("after %d days: got unused patterns %v, want %v", days, got, listed)
		}
		if got := strings.Contains(csv, "\nunused,"); got != listed {
			t.Errorf("after %d days: got unused patterns in the file %v, want %v", days, got, listed)
		}
	}
}

func TestCosts_CodesDiffer(t *testing.T) {
	var sources, patterns []string
	for _, row := range routes(http.NotFoundHandler()) {
		sources = append(sources, store.SourceOfPage(row.method, row.path))
	}
	for _, job := range store.CostJobs {
		sources = append(sources, store.SourceOfJob(job))
	}
	for i := range store.Patterns {
		patterns = append(patterns, store.Patterns[i].Name)
	}
	for _, names := range [][]string{sources, patterns} {
		seen := map[string]string{}
		for _, name := range names {
			code := store.CostCode(name)
			if other, taken := seen[code]; taken {
				t.Errorf("%s and %s have the code %s", name, other, code)
			}
			seen[code] = name
		}
	}
}
