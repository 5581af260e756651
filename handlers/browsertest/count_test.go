package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/jobs"
)

// depotOf500 returns a warehouse with ten pieces of each of 500 products.
func depotOf500() []store.Entity {
	entities := []store.Entity{&store.Warehouse{ID: "depot", Name: "Depot", Version: 1}}
	for n := 1; n <= 500; n++ {
		id := fmt.Sprintf("q%03d", n)
		entities = append(entities,
			&store.Product{ID: id, Name: "Product " + id, SKU: "S-" + id, Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "depot", Name: "Product " + id, Quantity: 10, Bin: fmt.Sprintf("B-%03d", n), Version: 1})
	}
	return entities
}

// fillPage is a script that enters a number into each empty input of a count sheet. It
// enters the last digit of the row's number.
const fillPage = `document.querySelectorAll("tr[data-row] input[name^=quantity-]").forEach((box) => {
  if (box.value) return;
  box.value = String(Number(box.name.split("-")[1]) % 10);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}) ?? true`

// saved is a JavaScript condition that is true when all numbers on the page are saved.
const saved = `[...document.querySelectorAll("tr[data-row]")].every((tr) => tr.querySelector("[name^=quantity-]").value === tr.querySelector("[name^=was-]").value)`

// setOffline disconnects the tab from the network, or reconnects it.
func (b *tab) setOffline(offline bool) {
	b.Helper()
	b.do(command(network.Enable, network.EnableParams{}))
	b.do(command(network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "http://*:*/*", Block: offline}}}))
}

// countPage fills in a page of a count sheet, and waits until it is saved.
func (b *tab) countPage(sheet string, page int) {
	b.Helper()
	b.visit(fmt.Sprintf("%s?page=%d", sheet, page))
	run(b, chromedp.Evaluate[bool](fillPage))
	b.do(chromedp.Click(named("button", "Save")))
	b.waitFor(chromedp.Evaluate[bool](saved), "a saved page")
}

// TestCount_500RowsByTwoBrowsers counts 500 products in two browsers. One browser is
// offline while the user fills in its first page. Meanwhile, two products of this page are
// sold. No number may get lost, and the stock of the two sold products must not be
// corrected.
func TestCount_500RowsByTwoBrowsers(t *testing.T) {
	s := shopStore(t, depotOf500()...)
	admin := s.As(&store.User{Name: "admin", Role: store.Admin})
	id, err := admin.StartCount(t.Context(), store.Count{WarehouseID: "depot"}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	sheet, baseURL := "/counts/"+id, serveStore(t, s, jobs.Record{})
	first, second := open(t, baseURL, screen{width: 1280}), open(t, baseURL, screen{width: 390})
	first.signIn("admin")
	second.signIn("admin")

	second.visit(sheet + "?page=2")
	second.setOffline(true)
	run(second, chromedp.Evaluate[bool](fillPage))
	second.do(chromedp.Click(named("button", "Save")))
	second.waitFor(chromedp.Evaluate[bool](`document.querySelector("[data-failed]").textContent.includes("Not saved.")`), "an alert about the failed save")
	for _, product := range []string{"q060", "q061"} {
		item, err := admin.StockItem(t.Context(), product, "depot")
		if err == nil {
			err = admin.AdjustStock(t.Context(), store.StockForm{ProductID: product, WarehouseID: "depot", Seen: item.Version, Reason: "sold", Token: s.NewToken()}, -1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for page := 1; page <= 9; page += 2 {
		first.countPage(sheet, page)
	}
	second.setOffline(false)
	second.waitFor(chromedp.Evaluate[bool](saved+` && document.querySelector("[data-failed]").hidden`), "the numbers of the time offline")
	for page := 4; page <= 10; page += 2 {
		second.countPage(sheet, page)
	}

	n, err := admin.Count(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	results, err := admin.ReviewCount(t.Context(), n)
	if err != nil || len(results) != 500 {
		t.Fatalf("got %d rows, %v; want 500", len(results), err)
	}
	var corrections []store.CountCorrection
	var moved []int
	for _, row := range results {
		if !row.Entered || row.Quantity != row.Number%10 {
			t.Errorf("row %d: got %+v, want its number", row.Number, row.CountRow)
		}
		if row.State == store.CountMoved {
			moved = append(moved, row.Number)
		}
		corrections = append(corrections, store.CountCorrection{Number: row.Number, Version: row.Version, Reason: "Lost"})
	}
	if slices.Sort(moved); fmt.Sprint(moved) != "[60 61]" {
		t.Errorf("got the rows %v as moved, want 60 and 61", moved)
	}
	first.visit(sheet + "/review")
	first.wantText("Stock has changed since the count. Count again.", "Product q060")
	applied, left, err := admin.ApplyCount(t.Context(), id, corrections)
	if err != nil || applied != 498 || len(left) != 2 {
		t.Errorf("got %d applied, %v left out, %v; want 498 and two rows", applied, left, err)
	}
}

// TestCount_ScannedAndKept scans products on a count sheet. Numbers that are entered
// offline must stay in the browser and be saved later.
func TestCount_ScannedAndKept(t *testing.T) {
	s := shopStore(t, depotOf500()...)
	id, err := s.As(&store.User{Name: "admin", Role: store.Admin}).StartCount(t.Context(), store.Count{WarehouseID: "depot", ToBin: "B-060"}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, serveStore(t, s, jobs.Record{}), screen{width: 390, dark: true})
	b.signIn("admin")
	b.visit("/counts/" + id)
	for range 2 { // a product on this page
		b.do(typeKeys(field("scan"), "s-q007\r"))
	}
	b.waitFor(chromedp.Evaluate[bool](`document.querySelector("[name=quantity-7]").value === "2" && `+saved), "two scans")
	b.do(typeKeys(field("scan"), "S-q055"))
	b.follow(chromedp.Submit(field("scan"))) // a product on the next page
	if got := b.path(); got != "/counts/"+id+"?page=2#field-quantity-55" {
		t.Errorf("got %s, want the input of the scanned product", got)
	}
	b.setOffline(true)
	run(b, chromedp.Evaluate[bool](fillPage))
	kept := run(b, chromedp.Evaluate[string](`Object.entries(localStorage).find(([key]) => key.startsWith("stockroom.count."))?.[1] ?? ""`))
	if !strings.Contains(kept, `"51":["1"`) {
		t.Errorf("got the draft %q, want the numbers that were typed", kept)
	}
	b.setOffline(false)
	b.waitFor(chromedp.Evaluate[bool](saved), "the kept numbers")
	b.checkWidth("count sheet")
	b.audit("count sheet")
}

// TestCount_KeepsInvalidNumber scans a product that already has an invalid number in its
// input. The scan must not change the number.
func TestCount_KeepsInvalidNumber(t *testing.T) {
	s := shopStore(t, depotOf500()...)
	id, err := s.As(&store.User{Name: "admin", Role: store.Admin}).StartCount(t.Context(), store.Count{WarehouseID: "depot"}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, serveStore(t, s, jobs.Record{}), screen{width: 1280})
	b.signIn("admin")
	b.visit("/counts/" + id)
	b.do(typeKeys(field("quantity-7"), "5x"))
	b.waitFor(chromedp.Evaluate[bool](`document.querySelector("tr[data-row='7'] [data-note]").textContent.includes("Enter a whole number")`), "the error of the row")
	b.do(typeKeys(field("scan"), "S-q007\r"))
	b.waitFor(chromedp.Evaluate[bool](`document.querySelector("[data-status]").textContent.includes("Correct the number in its row first.") && document.querySelector("[name=quantity-7]").value === "5x"`), "the scan to change nothing")
}

// TestCount_ReportsMistakes checks that the sheet accepts a corrected number, and
// reports scanned codes that belong to no row.
func TestCount_ReportsMistakes(t *testing.T) {
	s := shopStore(t, depotOf500()...)
	id, err := s.As(&store.User{Name: "admin", Role: store.Admin}).StartCount(t.Context(), store.Count{WarehouseID: "depot", ToBin: "B-060"}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, serveStore(t, s, jobs.Record{}), screen{width: 1280})
	b.signIn("admin")
	b.visit("/counts/" + id)
	unknown := func() {
		t.Helper()
		b.do(typeKeys(field("scan"), "nope\r"))
		b.waitFor(chromedp.Evaluate[bool](`document.body.textContent.includes("No product has this ID or SKU.")`), "the unknown code")
	}
	unknown()
	b.do(typeKeys(field("quantity-8"), "8"))
	b.waitFor(chromedp.Evaluate[bool](`document.querySelector("[data-result]").textContent === "Saved Product q008: 8." && !document.querySelector("main").textContent.includes("was not added")`), "a saved number without the error of the scan")
	b.do(typeKeys(field("quantity-9"), "9"))
	b.do(typeKeys(field("quantity-10"), "-4"))
	b.waitFor(chromedp.Evaluate[bool](`document.querySelector("[data-result]").textContent.startsWith("1 number not saved.")`), "the number of rejected counts next to the button")
	b.do(typeKeys(field("quantity-10"), "\b\b"))
	b.waitFor(chromedp.Evaluate[bool](saved), "the other number")
	b.visit("/counts/" + id)
	const wrong, right = `document.querySelector("[name=quantity-7]").getAttribute("aria-invalid") === "true" && !document.querySelector("[data-failed]").hidden`,
		`!document.querySelector("[name=quantity-7]").hasAttribute("aria-invalid") && document.querySelector("[data-failed]").hidden && !document.querySelector("tr[data-row='7'] .error")`
	for _, corrected := range []string{"", "5"} {
		b.do(typeKeys(field("quantity-7"), "x"))
		b.waitFor(chromedp.Evaluate[bool](wrong), "a wrong number")
		b.do(typeKeys(field("quantity-7"), "\b"+corrected))
		b.waitFor(chromedp.Evaluate[bool](right), "the corrected number "+corrected)
	}
	b.do(typeKeys(field("quantity-7"), "x"))
	b.waitFor(chromedp.Evaluate[bool](wrong), "a wrong number")
	unknown()
}
