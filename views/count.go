package views

import (
	"strconv"

	"stockroom/static"
	"stockroom/store"
	"stockroom/views/ui"
)

// CountsPath is the path of the list of counts (stocktakes).
const CountsPath = "/counts"

// CountPath returns the path of a page of a count sheet.
func CountPath(id string, page int) string {
	path := CountsPath + "/" + ui.Segment(id)
	if page > 1 {
		path += "?page=" + strconv.Itoa(page)
	}
	return path
}

// CountRowPath returns the address of the input for a row of a count sheet.
func CountRowPath(id string, number int) string {
	return CountPath(id, (number-1)/store.CountPage+1) + "#field-" + store.SheetField("quantity", number)
}

// CountReviewPath returns the path of the page that compares a count with the stock.
func CountReviewPath(id string) string { return CountsPath + "/" + ui.Segment(id) + "/review" }

var countScript = static.Path("count.js")

// loadCountScript writes the element that loads the script of count sheets.
var loadCountScript ui.Written = func(m *ui.Markup) {
	m.HTML(`<script defer src="`)
	m.Text(countScript)
	m.HTML(`"></script>`)
}

// Counts is the list of counts, by warehouse.
type Counts struct {
	Page
	List
	Warehouses []store.Warehouse
	Rows       []store.Count
}

func countBadge(n store.Count) ui.Badge {
	if n.Closed {
		return ui.Badge{Word: "Closed", Tone: ui.Ended}
	}
	return ui.Badge{Word: "Counting", Tone: ui.Moving}
}

// countScope describes which part of the stock is counted.
func countScope(n store.Count) string {
	text := "All bins"
	switch {
	case n.FromBin != "" && n.ToBin != "":
		text = "Bins " + n.FromBin + " to " + n.ToBin
	case n.FromBin != "":
		text = "Bins from " + n.FromBin
	case n.ToBin != "":
		text = "Bins up to " + n.ToBin
	}
	if n.NotSince > 0 {
		text += ", not counted for " + count(n.NotSince, "day", "days")
	}
	return text
}

// CountStart is the form that starts a count.
type CountStart struct {
	Page
	Form
	Warehouses                []store.Warehouse
	Warehouse, From, To, Days ui.Input
}

func (p CountStart) fields() []ui.Field {
	return []ui.Field{
		{Name: "warehouse", Label: "Warehouse", Required: true, Input: p.Warehouse},
		{Name: "from-bin", Label: "From bin", Hint: "For example, B. Leave empty to begin with the first bin.", Input: p.From},
		{Name: "to-bin", Label: "To bin", Hint: "For example, E. Includes the bins whose names begin with E.", Input: p.To},
		{Name: "days", Label: "Days since the last count", Hint: "Leaves out products that were counted more recently. Leave empty to count all products.", Numeric: true, Input: p.Days},
	}
}

// The values of ButtonParam for the buttons of a count sheet. The Enter key presses the
// first button. A scanner sends Enter after each code, so that each scan adds 1 to a row.
const (
	ButtonScan = "scan"
	ButtonSave = "save"
)

// CountSheet is a page of a count sheet. It does not show the quantities in stock, so that
// they do not influence the count.
type CountSheet struct {
	Page
	Form
	Count     store.Count
	Warehouse store.Warehouse
	Number    int // page number, from 1
	Rows      []CountSheetRow
	Scan      ui.Input
}

// CountSheetRow is a row of a count sheet.
type CountSheetRow struct {
	store.SheetRow
	Box ui.Input // input for the counted quantity
	Was string   // the saved quantity, as ShownCount returns it
}

// ShownCount returns the saved quantity of a row, as the input shows it. It returns "" for
// a disputed row, which two users have counted differently, because it must be counted
// again.
func ShownCount(r store.CountRow) string {
	if !r.Entered || r.Disputed {
		return ""
	}
	return strconv.Itoa(r.Quantity)
}

// CountNote returns a note about a row that was applied to the stock or is disputed. It
// returns "" for other rows.
func CountNote(r store.CountRow) string {
	switch {
	case r.Applied:
		return "Applied"
	case r.Disputed && !r.Entered:
		return nameOr(r.By, "Someone") + " cleared the number, " + nameOr(r.OtherBy, "someone") + " counted " + number(r.Other) + ". Count it again."
	case r.Disputed:
		return nameOr(r.By, "Someone") + " counted " + number(r.Quantity) + ", " + nameOr(r.OtherBy, "someone") + " counted " + number(r.Other) + ". Count it again."
	}
	return ""
}

func (p CountSheet) scanField() ui.Field {
	return ui.Field{Name: "scan", Label: "Scan or enter a product", Hint: "SKU or ID. Each scan adds one piece.", Focus: true, Input: p.Scan}
}

func (p CountSheet) fields() []ui.Field {
	fields := []ui.Field{p.scanField()}
	for i := range p.Rows {
		fields = append(fields, p.Rows[i].field())
	}
	return fields
}

func (r *CountSheetRow) field() ui.Field {
	return ui.Field{Name: store.SheetField("quantity", r.Number), Label: "Quantity of " + nameOr(r.Name, r.ProductID), Bare: true, Numeric: true, Input: r.Box}
}

func (p CountSheet) entered() int {
	n := 0
	for i := range p.Rows {
		if p.Rows[i].Entered {
			n++
		}
	}
	return n
}

// ShownDifferences is the maximum number of rows that the review of a count shows.
const ShownDifferences = store.CountPage

// The values of ButtonParam for the buttons of the review of a count.
const (
	ButtonApply   = "apply"
	ButtonRecount = "recount"
)

// SelectedRows is the name of the field in errors about the selection of rows.
const SelectedRows = "rows"

// CountReview is the page that compares a count with the stock.
type CountReview struct {
	Page
	Form
	Count     store.Count
	Warehouse store.Warehouse
	States    map[store.CountState]int
	Gained    store.Sum // value of surplus pieces
	Lost      store.Sum // value of missing pieces; negative
	Open      []CountReviewRow
	More      int // number of further rows that need a decision
	Selected  ui.Input
}

// againText says how many counted rows must be counted again, or returns "" if there are none.
// Rows that the user has cleared for another count are not among them, because they are not
// counted.
func (p CountReview) againText() string {
	n := p.States[store.CountMoved] + p.States[store.CountDisputed]
	if n == 0 {
		return ""
	}
	return number(n) + " to count again"
}

// CountReviewRow is a row on which the user must decide.
type CountReviewRow struct {
	store.CountResult
	Ticked bool
	Reason ui.Input
}

var countReasons = []string{"Broken", "Found", "Lost", "Counting error"}

func reasonOptions() []ui.Option {
	options := []ui.Option{{Text: "Choose"}}
	for _, reason := range countReasons {
		options = append(options, ui.Option{Value: reason, Text: reason})
	}
	return options
}

func (r *CountReviewRow) reasonField() ui.Field {
	return ui.Field{Name: store.SheetField("reason", r.Number), Label: "Reason for " + nameOr(r.Name, r.ProductID), Bare: true, Input: r.Reason}
}

// comparable reports whether the difference is known.
func (r *CountReviewRow) comparable() bool { return r.State == store.CountDiffers }

// note says what to do with the row. It returns "" if the difference is small.
func (r *CountReviewRow) note() string {
	switch r.State {
	case store.CountMoved:
		return "Stock has changed since the count. Count again."
	case store.CountDisputed:
		return CountNote(r.CountRow)
	}
	if r.IsLarge() {
		return "Large difference: check it, then select the row to apply it."
	}
	return ""
}

func (p CountReview) fields() []ui.Field {
	var fields []ui.Field
	for i := range p.Open {
		if p.Open[i].comparable() {
			fields = append(fields, p.Open[i].reasonField())
		}
	}
	return append(fields, ui.Field{Name: SelectedRows, Label: "Rows", Input: p.Selected})
}

// CountClose is the form that closes a count.
type CountClose struct {
	Page
	Form
	Count       store.Count
	Warehouse   store.Warehouse
	Differences int       // number of rows that differ from the stock and are not applied
	Value       store.Sum // sum of these differences
	Again       int       // number of rows that must be counted again
}

// notApplied describes the rows that are lost if the count is closed. It returns "" if
// there are none.
func (p CountClose) notApplied() string {
	var differences, again string
	if p.Differences > 0 {
		differences = count(p.Differences, "difference is", "differences are") + " not applied. Their net value is " + p.sum(p.Value) + "."
	}
	if p.Again > 0 {
		again = count(p.Again, "row must", "rows must") + " be counted again."
	}
	return joinNonEmpty(" ", differences, again)
}

func (p CountClose) target() ui.Change {
	c := p.to(CountsPath+"/"+ui.Segment(p.Count.ID)+"/close", "Close count", CountReviewPath(p.Count.ID))
	c.Danger = true
	return c
}
