package handlers

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
)

var countField = regexp.MustCompile(`<input[^>]*name="((?:base|seen|was|quantity|version|tick)-\d+|once|page)"[^>]*value="([^"]*)"`)

// countForm returns the fields of a stock count on a page, as a browser would submit them
// with no checkbox selected.
func countForm(page string) url.Values {
	_, main, _ := strings.Cut(page, "<main")
	form := url.Values{}
	for _, found := range countField.FindAllStringSubmatch(main, -1) {
		if !strings.HasPrefix(found[1], "tick-") {
			form.Set(found[1], html.UnescapeString(found[2]))
		}
	}
	return form
}

// started starts a stock count of warehouse w1, and returns the path of its count
// sheet. It submits the form twice, which must start only one count.
func (b *browser) started(t *testing.T) string {
	t.Helper()
	form := url.Values{"warehouse": {"w1"}, "once": {hidden(b.get("/counts/new").body)["once"]}}
	var paths []string
	for range 2 {
		got := b.post("/counts/new", form)
		if got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, got.body)
		}
		paths = append(paths, got.location)
	}
	if paths[0] != paths[1] {
		t.Fatalf("got two counts %v of one form", paths)
	}
	return paths[0]
}

var autofocused = regexp.MustCompile(`<[^>]* autofocus[^>]*>`)

var sheetRowOf = regexp.MustCompile(`data-row="(\d+)" data-id="p07"`)

// TestCount_EnteredReviewedApplied checks that a stock count works without JavaScript:
// entering numbers, scanning a product, and applying the count in the review.
func TestCount_EnteredReviewedApplied(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	n := sheetRowOf.FindStringSubmatch(page)[1]
	box := "quantity-" + n
	if form := countForm(page); form.Get(box) != "" || form.Get("base-"+n) != "1" {
		t.Fatalf("got the form %v, want empty inputs", form)
	}
	if _, main, _ := strings.Cut(page, "<main"); strings.Contains(strings.SplitN(main, "</main", 2)[0], ">14<") || strings.Contains(main, `value="14"`) {
		t.Error("the sheet shows the quantity in stock")
	}
	form := with(countForm(page), map[string]string{box: "11", "do": "save"})
	for range 2 {
		if got := manager.post(sheet, form); got.status != http.StatusSeeOther || got.location != sheet {
			t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, sheet, got.body)
		}
	}
	if page := manager.get(sheet).body; !strings.Contains(page, "Saved 1 number.") {
		t.Errorf("after Save: got no message with the number of saved counts: %s", content(page))
	}
	// Pressing Enter in the scan field adds one piece.
	form = with(countForm(manager.get(sheet).body), map[string]string{"scan": "SKU-7"})
	for range 2 {
		if got := manager.post(sheet, form); got.status != http.StatusSeeOther || got.location != sheet+"#field-quantity-"+n {
			t.Fatalf("scan: got status %d to %s, want 303 to %s: %s", got.status, got.location, sheet+"#field-quantity-"+n, got.body)
		}
	}
	if got := countForm(manager.get(sheet).body).Get(box); got != "12" {
		t.Fatalf("got %s counted, want 12", got)
	}
	if page := content(manager.get(sheet + "/close").body); !strings.Contains(page, "1 difference is not applied") || !strings.Contains(page, sheet+"/review") {
		t.Errorf("close: got no number of differences in %s", page)
	}
	review := sheet + "/review"
	page = manager.get(review).body
	for _, want := range []string{"−2", "c-product 7", "Row " + n + " of the sheet", "Applying sets the stock"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the review: %s", want, page)
		}
	}
	apply := with(countForm(page), map[string]string{"tick-" + n: "yes", "do": "apply"})
	if got := manager.post(review, apply); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Choose a reason.") {
		t.Errorf("no reason: got status %d, want 422", got.status)
	}
	apply.Set("reason-"+n, "Broken")
	for range 2 {
		if got := manager.post(review, apply); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, got.body)
		}
	}
	if q := b.quantity(t, "p07", "w1"); q != 12 {
		t.Errorf("got %d in stock, want 12", q)
	}
	if page := manager.get(stockOfP07).body; !strings.Contains(page, "Count: Broken") {
		t.Error("got no entry with the reason in the ledger")
	}
	fields := hidden(manager.get(sheet + "/close").body)
	if got := manager.post(sheet+"/close", url.Values{"version": {fields["version"]}, "once": {fields["once"]}}); got.status != http.StatusSeeOther {
		t.Fatalf("close: got status %d, want 303: %s", got.status, got.body)
	}
	if got := manager.post(sheet, form); got.status != http.StatusConflict {
		t.Errorf("entry in a closed count: got status %d, want 409", got.status)
	}
	if got := b.as(t, "outsider").get(sheet); got.status != http.StatusNotFound {
		t.Errorf("manager of another warehouse: got status %d, want 404", got.status)
	}
}

// TestCount_MovedAndDisputed counts a product for which two people enter different numbers,
// and whose stock changes in the meantime. The number must not be applied, and it must be
// possible to count the product again.
func TestCount_MovedAndDisputed(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	n := sheetRowOf.FindStringSubmatch(page)[1]
	box := "quantity-" + n
	mine, theirs := with(countForm(page), map[string]string{box: "13"}), with(countForm(admin.get(sheet).body), map[string]string{box: "12"})
	for who, form := range map[*browser]url.Values{manager: mine} {
		if got := who.post(sheet, form); got.status != http.StatusSeeOther {
			t.Fatal(got.status)
		}
	}
	if got := admin.post(sheet, theirs); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	page = manager.get(sheet).body
	if !strings.Contains(page, "admin counted 12, manager counted 13. Count it again.") || countForm(page).Get(box) != "" {
		t.Errorf("got no dispute on the sheet: %s", page)
	}
	// Change the stock after the sheet was shown.
	if err := b.store.As(&store.User{Name: "a", Role: store.Admin}).AdjustStock(t.Context(), store.StockForm{ProductID: "p07", WarehouseID: "w1", Seen: 1, Reason: "r"}, -1); err != nil {
		t.Fatal(err)
	}
	if got := manager.post(sheet, with(countForm(page), map[string]string{box: "12"})); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	if page := content(manager.get(sheet + "/close").body); !strings.Contains(page, "1 row must be counted again") || !strings.Contains(page, sheet+"/review") {
		t.Errorf("close: got no number of rows in %s", page)
	}
	review := sheet + "/review"
	page = manager.get(review).body
	if !strings.Contains(page, "Stock has changed since the count. Count again.") {
		t.Fatalf("got no warning in the review: %s", page)
	}
	selected := with(countForm(page), map[string]string{"tick-" + n: "yes", "reason-" + n: "Lost", "do": "apply"})
	if got := manager.post(review, selected); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w1") != 13 {
		t.Errorf("got status %d, %d in stock; want 303 and 13", got.status, b.quantity(t, "p07", "w1"))
	}
	if page := manager.get(review).body; !strings.Contains(page, "1 row not applied") {
		t.Errorf("got no message about the row that was not applied")
	}
	selected.Set("do", "recount")
	if got := manager.post(review, selected); got.status != http.StatusSeeOther {
		t.Errorf("recount: got status %d, want 303", got.status)
	}
	if got := countForm(manager.get(sheet).body); got.Get(box) != "" {
		t.Errorf("got %q in the box, want it empty", got.Get(box))
	}
	if page := manager.get(review).body; strings.Contains(page, "to count again") {
		t.Errorf("got %s, want the cleared row only among those that are not counted", content(page))
	}
	if got := manager.post(review, url.Values{"do": {"recount"}, "once": {selected.Get("once")}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("nothing selected: got status %d, want 422", got.status)
	}
}

// TestCount_NothingSelected submits the review of a count without selecting a row. The
// count has a row that matches the stock and one that differs. Nothing may be recorded. The
// page must say next to the buttons what is missing.
func TestCount_NothingSelected(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	n := sheetRowOf.FindStringSubmatch(page)[1]
	other := regexp.MustCompile(`data-row="(\d+)" data-id="p0[1-6]"`).FindStringSubmatch(page)
	if got := manager.post(sheet, with(countForm(page), map[string]string{"quantity-" + n: "14", "quantity-" + other[1]: "3000"})); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	review := sheet + "/review"
	form := countForm(manager.get(review).body)
	for _, button := range []string{"apply", "recount"} {
		got := manager.post(review, with(form, map[string]string{"do": button}))
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `<p class="body error" id="field-rows" tabindex="-1">Select the rows to `) {
			t.Errorf("%s: got status %d, want 422 and a message at the buttons: %s", button, got.status, content(got.body))
		}
	}
	if page := manager.get(review).body; !strings.Contains(page, "1 match, 0 applied") {
		t.Errorf("got a recorded match, want none: %s", content(page))
	}
}

// TestCount_RowAppliedMeanwhile saves two rows of a page. One of them was applied after the
// page was shown. The other row must still be saved.
func TestCount_RowAppliedMeanwhile(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	rows := regexp.MustCompile(`data-row="(\d+)"`).FindAllStringSubmatch(page, 2)
	first, second := "quantity-"+rows[0][1], "quantity-"+rows[1][1]
	if got := manager.post(sheet, with(countForm(page), map[string]string{first: "9"})); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	old := countForm(manager.get(sheet).body)
	review := sheet + "/review"
	apply := with(countForm(manager.get(review).body), map[string]string{"tick-" + rows[0][1]: "yes", "reason-" + rows[0][1]: "Lost", "do": "apply"})
	if got := manager.post(review, apply); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	got := manager.post(sheet, with(old, map[string]string{first: "8", second: "7"}))
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "This row is already applied.") {
		t.Errorf("got status %d, want 422 and the row that was applied: %s", got.status, got.body)
	}
	if form := countForm(manager.get(sheet).body); form.Get(second) != "7" {
		t.Errorf("other row: got %q, want 7", form.Get(second))
	}
}

// TestCount_KeepsInput submits invalid and hostile input. Valid rows must be saved. The
// other rows must keep what was entered.
func TestCount_KeepsInput(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	n := sheetRowOf.FindStringSubmatch(page)[1]
	other := "1"
	if n == other {
		other = "2"
	}
	const evil = `<i>"5`
	form := with(countForm(page), map[string]string{"quantity-" + n: evil, "quantity-" + other: "4", "scan": "SKU-7"})
	got := manager.post(sheet, form)
	shown := countForm(got.body)
	if got.status != http.StatusUnprocessableEntity || shown.Get("quantity-"+n) != evil || shown.Get("was-"+other) != "4" || !strings.Contains(got.body, "Enter a whole number") || strings.Contains(got.body, evil) {
		t.Errorf("got status %d, the form %v; want 422, the input, and the other row saved", got.status, shown)
	}
	if got := manager.post(sheet, with(countForm(page), map[string]string{"scan": evil})); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "No product has this ID or SKU.") || !strings.Contains(got.body, html.EscapeString(evil)) {
		t.Errorf("unknown product: got status %d: %s", got.status, got.body)
	} else if focus := autofocused.FindAllString(got.body, -1); countForm(got.body).Get("scan") != "" || len(focus) != 1 || !strings.Contains(focus[0], `name="scan"`) {
		t.Errorf("unknown product: got the focus on %q and the form %v, want the focus on the empty scan field", focus, countForm(got.body))
	}
	for path, form := range map[string]url.Values{
		sheet:             with(countForm(page), map[string]string{"page": "0"}),
		sheet + "/review": {"do": {"other"}, "once": {countForm(page).Get("once")}},
	} {
		if got := manager.post(path, form); got.status != http.StatusBadRequest {
			t.Errorf("%s: got status %d, want 400", path, got.status)
		}
	}
	start := func(values map[string]string) answer {
		return manager.post("/counts/new", with(url.Values{"once": {hidden(manager.get("/counts/new").body)["once"]}}, values))
	}
	for want, values := range map[string]map[string]string{
		"not one of yours":     {"warehouse": "w2"},
		"Nothing to count":     {"warehouse": "w1", "from-bin": evil},
		"Enter a whole number": {"warehouse": "w1", "days": "many"},
		"Enter at most 40":     {"warehouse": "w1", "to-bin": strings.Repeat("x", 41)},
	} {
		if got := start(values); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
			t.Errorf("%v: got status %d, want 422 and %q", values, got.status, want)
		}
	}
}

// TestCount_SavedByScript checks that a script can save a page of a sheet and gets the rows
// as JSON.
func TestCount_SavedByScript(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	sheet := manager.started(t)
	page := manager.get(sheet).body
	n := sheetRowOf.FindStringSubmatch(page)[1]
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, manager.home+sheet, strings.NewReader(with(countForm(page), map[string]string{"quantity-" + n: "9", "do": "save"}).Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	response, err := manager.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	var saved struct {
		Rows []savedCount `json:"rows"`
	}
	if err := json.Unmarshal(content, &saved); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("got status %d, %v: %s", response.StatusCode, err, content)
	}
	found := false
	for _, row := range saved.Rows {
		found = found || fmt.Sprint(row.Number) == n && row.Shown == "9" && row.Base == 2 && row.Seen == 1
	}
	if err != nil || !found {
		t.Errorf("got %v, %s; want the saved row", err, content)
	}
}
