package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// showCountSheet shows one page of a count sheet: the page in the query string, by default
// the first.
func showCountSheet(r *request) error {
	q, err := r.query("page")
	if err != nil {
		return err
	}
	rejectSort(q)
	page := 1
	if text := q.Get("page"); text != "" {
		if page, err = strconv.Atoi(text); err != nil || page < 1 || page > store.MaxCountRows/store.CountPage {
			return &store.Error{Kind: store.NotFound, Message: "This page does not exist."}
		}
	}
	component, err := r.countSheetPage(page, countInput{}, nil)
	if err != nil {
		return err
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), component)
}

// countInput contains what the user entered on a page of the sheet.
type countInput struct {
	scan   string
	boxes  map[int]string // entered values by row number
	errors map[int]string
}

// enterCount saves the numbers that the user entered on a page of the sheet. It saves the
// valid numbers even if others are invalid. If the user scanned a product and did not
// press Save, and all numbers are valid, it also adds 1 to the row of this product. A
// script gets the saved rows as JSON.
func enterCount(r *request) error {
	form, page, err := r.readCountSheet()
	if err != nil {
		return err
	}
	input, entries, err := enteredCounts(form, page)
	if err != nil {
		return err
	}
	applied, err := r.shop.EnterCount(r.ctx(), r.id(), entries)
	for _, number := range applied {
		input.errors[number] = "This row is already applied. Start another count for this product."
	}
	path, message := views.CountPath(r.id(), page), savedMessage(len(entries)-len(applied))
	product := ""
	if err == nil && input.scan != "" && form.Get(views.ButtonParam) != views.ButtonSave {
		product, err = r.scannedProduct(input.scan)
	}
	if err == nil && len(input.errors) > 0 {
		err = store.InvalidField("quantity", "")
	}
	if err == nil && product != "" {
		var row *store.CountRow
		if row, err = r.shop.ScanCount(r.ctx(), r.id(), product, form.Token()); err == nil {
			path = views.CountRowPath(r.id(), row.Number)
			message = cmp.Or(row.Name, row.ProductID) + ": " + strconv.Itoa(row.Quantity) + " counted."
		}
	}
	if r.wantsJSON() {
		return r.sendCounts(page, input, err)
	}
	if err == nil {
		return r.redirectWithFlash(message, path)
	}
	return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) {
		return r.countSheetPage(page, input, rejected)
	})
}

func savedMessage(n int) string {
	if n == 0 {
		return "Nothing to save. All numbers on this page are already saved."
	}
	return "Saved " + store.NumberOf(n, "number", "numbers") + "."
}

func (r *request) wantsJSON() bool {
	return r.Request().Header.Get(echo.HeaderAccept) == echo.MIMEApplicationJSON
}

func (r *request) readCountSheet() (web.Form, int, error) {
	page := 1
	if text := r.FormValue("page"); text != "" {
		var err error
		if page, err = strconv.Atoi(text); err != nil || page < 1 || page > store.MaxCountRows/store.CountPage {
			return web.Form{}, 0, echo.NewHTTPError(http.StatusBadRequest, "Invalid page.")
		}
	}
	names := []string{"page", "scan", views.ButtonParam}
	for n := (page-1)*store.CountPage + 1; n <= page*store.CountPage; n++ {
		for _, field := range []string{"base", "seen", "was", "quantity"} {
			names = append(names, store.SheetField(field, n))
		}
	}
	form, err := r.readForm(names...)
	return form, page, err
}

// enteredCounts returns what the user entered on a page, and an entry for each valid
// number that the user has changed.
func enteredCounts(form web.Form, page int) (countInput, []store.CountEntry, error) {
	input := countInput{scan: strings.TrimSpace(form.Get("scan")), boxes: map[int]string{}, errors: map[int]string{}}
	var entries []store.CountEntry
	for n := (page-1)*store.CountPage + 1; n <= page*store.CountPage; n++ {
		base := form.Get(store.SheetField("base", n))
		if base == "" {
			continue // the page has no input for the row
		}
		text := strings.TrimSpace(form.Get(store.SheetField("quantity", n)))
		input.boxes[n] = text
		if text == form.Get(store.SheetField("was", n)) {
			continue
		}
		e := store.CountEntry{Number: n, Entered: text != ""}
		var err, wrong error
		if e.Base, err = strconv.Atoi(base); err == nil {
			e.Seen, err = strconv.Atoi(form.Get(store.SheetField("seen", n)))
		}
		if err != nil {
			return input, nil, echo.NewHTTPError(http.StatusBadRequest, "Invalid version.")
		}
		if e.Entered {
			e.Quantity, wrong = store.ParseWhole(store.SheetField("quantity", n), text)
		}
		if wrong == nil {
			wrong = e.Check()
		}
		var rejected *store.Error
		if errors.As(wrong, &rejected) {
			input.errors[n] = rejected.Message
			continue
		}
		entries = append(entries, e)
	}
	return input, entries, nil
}

// scannedProduct returns the ID of the product with this ID or SKU. If there is none,
// it returns Invalid.
func (r *request) scannedProduct(code string) (string, error) {
	id, err := r.productID(code)
	if err == nil && id == "" {
		err = store.InvalidField("scan", "No product has this ID or SKU.")
	}
	return id, err
}

// savedCount is a row of the sheet in a response to a script.
type savedCount struct {
	Number  int    `json:"n"`
	Shown   string `json:"shown"` // value of the input
	Base    int    `json:"base"`
	Seen    int    `json:"seen"`
	Counted int    `json:"counted"` // version of the stock when the number was counted
	Note    string `json:"note"`
	Error   string `json:"error"`
}

// sendCounts sends the rows of a page to a script. If saving failed, it also sends the
// error.
func (r *request) sendCounts(page int, input countInput, saveError error) error {
	var rejected *store.Error
	if saveError != nil && !errors.As(saveError, &rejected) {
		return saveError
	}
	answer := struct {
		Rows  []savedCount `json:"rows"`
		Error string       `json:"error"`
		Token string       `json:"once"`
	}{Token: r.newFormToken()}
	if rejected != nil {
		answer.Error = rejected.Message
	}
	n, err := r.shop.Count(r.ctx(), r.id())
	if err != nil {
		return err
	}
	rows, err := r.shop.CountSheet(r.ctx(), n, page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		answer.Rows = append(answer.Rows, savedCount{row.Number, views.ShownCount(row.CountRow), row.Version, row.StockVersion, row.Seen, views.CountNote(row.CountRow), input.errors[row.Number]})
	}
	return r.JSON(http.StatusOK, answer)
}

func (r *request) countSheetPage(page int, input countInput, rejected *store.Error) (templ.Component, error) {
	n, warehouse, err := r.count()
	if err != nil {
		return nil, err
	}
	if page > n.Pages() {
		return nil, &store.Error{Kind: store.NotFound, Message: "This page does not exist."}
	}
	rows, err := r.shop.CountSheet(r.ctx(), n, page)
	if err != nil {
		return nil, err
	}
	p := views.CountSheet{Page: r.page("Count sheet"), Form: r.formState(web.Form{}, rejected, 0), Count: *n, Warehouse: warehouse, Number: page}
	switch {
	case rejected == nil:
	case rejected.Field == "scan":
		// Show the error at the top, so that the scan field is empty and has the focus. Otherwise
		// the next scan would be lost, or added to the rejected code.
		p.Problem = store.Quoted(input.scan) + " was not added. " + rejected.Message
	default:
		p.Scan.Value = input.scan
	}
	for _, row := range rows {
		was := views.ShownCount(row.CountRow)
		box := ui.Input{Value: was, Error: input.errors[row.Number]}
		if text, entered := input.boxes[row.Number]; entered && (box.Error != "" || rejected != nil && rejected.Field == "") {
			box.Value = text
		}
		p.Rows = append(p.Rows, views.CountSheetRow{SheetRow: row, Was: was, Box: box})
	}
	return views.CountSheetPage(p), nil
}
