package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// maxSuppliers is the maximum number of suppliers for which a delivery sheet has tabs.
const maxSuppliers = 8

// deliverySheet is the form that receives goods at a warehouse, while the user fills it
// in.
type deliverySheet struct {
	store.DeliverySheet
	product   pick
	view      views.DeliverySheet
	quantity  []string // entered quantity of each line
	bin       []string
	refreshed bool // the lines were just read, so the form gets the current versions of the deliveries
}

// showDeliverySheet shows a delivery sheet with the expected deliveries that are due.
// If the query string contains a supplier, the sheet has all expected deliveries of the
// supplier instead. If the query string contains a product, the sheet has a line for
// the product too.
func showDeliverySheet(r *request) error {
	q, err := r.query("product", "supplier")
	if err != nil {
		return err
	}
	rejectSort(q)
	s := &deliverySheet{DeliverySheet: store.DeliverySheet{WarehouseID: r.id(), Reason: "Delivery"}, product: emptyProduct(), refreshed: true}
	if err := r.fillSheet(s, q.Get("supplier")); err != nil {
		return err
	}
	if name := q.Get("product"); name != "" {
		id, err := r.productID(name)
		switch {
		case err != nil:
			return err
		case id == "":
			q.Fail("product", "No product has this ID or SKU.")
			s.product.input = queryInput(q, "product")
		default:
			if err := s.addProduct(&store.Choice{ID: id}); err != nil {
				return err
			}
			s.view.Added = ""
		}
	}
	page, err := s.page(r, nil)
	if err != nil {
		return err
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), page)
}

// maxSheetPages is the maximum number of pages of expected deliveries that are read for a
// delivery sheet.
const maxSheetPages = 5

// fillSheet adds a line for each expected delivery of the supplier, up to MaxSheetLines
// lines. If supplier is "", it adds a line for each delivery that is due today or
// earlier. It reads up to maxSheetPages pages, until the sheet has all its lines and the
// maximum number of tabs.
func (r *request) fillSheet(s *deliverySheet, supplier string) error {
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	isDue := func(d *store.ExpectedDelivery) bool { return !d.Due.After(today) }
	belongs := isDue
	if supplier != "" {
		belongs = func(d *store.ExpectedDelivery) bool { return d.Supplier == supplier }
	}
	page := store.Page{Limit: store.MaxLimit, Partial: true}
	for range maxSheetPages {
		found, err := r.shop.ExpectedDeliveries(r.ctx(), store.DeliveryFilter{Warehouses: []string{s.WarehouseID}}, page)
		if err != nil {
			return err
		}
		for i := range found.Rows {
			d := &found.Rows[i]
			s.addDelivery(d, belongs(d), isDue(d))
		}
		last := len(found.Rows) - 1
		isComplete := supplier == "" && last >= 0 && !isDue(&found.Rows[last]) // the deliveries are sorted by day, so no later one is due
		s.view.Unread = found.Next != nil && !isComplete
		hasLines := !s.view.Unread || len(s.Lines) == store.MaxSheetLines
		hasTabs := len(s.view.Suppliers) == maxSuppliers
		if found.Next == nil || hasLines && hasTabs {
			break
		}
		page.At = found.Next
	}
	if s.view.Supplier = supplier; supplier != "" {
		s.Reason = views.DeliveryReason(supplier)
	}
	return nil
}

// addDelivery adds the supplier of a delivery to the tabs. If the delivery belongs to the
// sheet, it also adds a line. It fills in the quantity only if the delivery is due and nothing
// of it was received. The rest of a partly received delivery rarely arrives on the same day.
func (s *deliverySheet) addDelivery(d *store.ExpectedDelivery, belongs, isDue bool) {
	if d.Supplier != "" && len(s.view.Suppliers) < maxSuppliers && !slices.Contains(s.view.Suppliers, d.Supplier) {
		s.view.Suppliers = append(s.view.Suppliers, d.Supplier)
	}
	switch {
	case !belongs:
	case len(s.Lines) == store.MaxSheetLines:
		s.view.More++
	default:
		quantity := ""
		if isDue && d.Received == 0 {
			quantity = strconv.Itoa(d.Open())
		}
		s.Lines = append(s.Lines, store.SheetLine{ProductID: d.ProductID, DeliveryID: d.ID, Seen: d.Version})
		s.quantity, s.bin = append(s.quantity, quantity), append(s.bin, "")
	}
}

// receiveDeliverySheet handles the form of the sheet. Depending on the button, it adds
// the entered product to the sheet, or receives all lines.
func receiveDeliverySheet(r *request) error {
	names := append(pickParams("product"), views.ButtonParam, "reason", "tab", "tabs*", "more", "unread")
	for n := 1; n <= store.MaxSheetLines; n++ {
		names = append(names, views.ProductParam(n))
		for _, field := range []string{"delivery", "seen", "confirmed", "quantity", "bin"} {
			names = append(names, store.SheetField(field, n))
		}
	}
	form, err := r.readForm(names...)
	if err != nil {
		return err
	}
	s, err := enteredSheet(r.id(), form)
	if err != nil {
		return err
	}
	if submitted, err := r.answerSheet(s, &s.product, form, views.ButtonReceive); err != nil || !submitted {
		return err
	}
	pieces := s.readQuantities()
	err = r.shop.ReceiveSheet(r.ctx(), s.DeliverySheet)
	if err == nil {
		details, _ := r.shop.SheetDetails(r.ctx(), s.DeliverySheet) // after an error, the message names no differences
		return r.redirectWithFlash("Received "+countPieces(pieces)+"."+s.differences(details), views.WarehousePath(s.WarehouseID))
	}
	return r.rejectSheet(s, err)
}

// maxDifferences is the maximum number of differences in the message after a receipt.
const maxDifferences = 3

// differences names the received lines whose quantity differs from the expected quantity.
// details must have been read after the receipt.
func (s *deliverySheet) differences(details []store.SheetLineDetails) string {
	text, differing := "", 0
	for i, d := range details {
		pieces := s.Lines[i].Quantity
		if d.Delivery == nil || pieces == 0 {
			continue
		}
		expected := d.Delivery.Quantity - d.Delivery.Received + pieces
		if pieces == expected {
			continue
		}
		if differing++; differing > maxDifferences {
			continue
		}
		text += fmt.Sprintf(" %s: received %d, expected %d.", cmp.Or(d.Stock.Name, d.Stock.ProductID), pieces, expected)
	}
	if more := differing - maxDifferences; more > 0 {
		text += " " + store.NumberOf(more, "other line differs", "other lines differ") + " from what was expected."
	}
	return text
}

func enteredSheet(warehouseID string, form web.Form) (*deliverySheet, error) {
	s := &deliverySheet{DeliverySheet: store.DeliverySheet{WarehouseID: warehouseID, Reason: form.Get("reason"), Token: form.Token()}}
	s.view.Supplier, s.view.Suppliers = form.Get("tab"), form.All("tabs")
	s.view.More, _ = strconv.Atoi(form.Get("more")) // an invalid number only hides a note
	s.view.Unread = form.Get("unread") != ""
	for n := 1; n <= store.MaxSheetLines && form.Get(views.ProductParam(n)) != ""; n++ {
		line := store.SheetLine{ProductID: form.Get(views.ProductParam(n)), DeliveryID: form.Get(store.SheetField("delivery", n))}
		if line.DeliveryID != "" {
			var err error
			if line.Seen, err = strconv.Atoi(form.Get(store.SheetField("seen", n))); err != nil {
				return nil, echo.NewHTTPError(http.StatusBadRequest, "Invalid version.")
			}
			line.Confirmed, _ = strconv.Atoi(form.Get(store.SheetField("confirmed", n))) // without a number, nothing is confirmed
		}
		s.Lines = append(s.Lines, line)
		s.quantity, s.bin = append(s.quantity, form.Get(store.SheetField("quantity", n))), append(s.bin, form.Get(store.SheetField("bin", n)))
	}
	return s, nil
}

// addProduct adds one piece to the line of a product. If the product has no line, it adds
// a line with one piece. It does not change the quantity of a line with an expected
// delivery, because this quantity may already be filled in.
func (s *deliverySheet) addProduct(product *store.Choice) error {
	for i, line := range s.Lines {
		if line.ProductID != product.ID {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(s.quantity[i]))
		switch {
		case line.DeliveryID != "":
			s.view.Added = fmt.Sprintf("%s is already on line %d. Enter its quantity there.", product.Name, i+1)
		case err != nil && strings.TrimSpace(s.quantity[i]) != "":
			return store.InvalidField(store.SheetField("quantity", i+1), "Enter a whole number, or leave it empty.")
		default:
			s.quantity[i] = strconv.Itoa(n + 1)
			s.view.Added = fmt.Sprintf("%s: %d.", product.Name, n+1)
		}
		s.product = emptyProduct()
		return nil
	}
	if len(s.Lines) == store.MaxSheetLines {
		return store.InvalidField("product", "A delivery sheet can have at most %d lines. Receive the products on the sheet first.", store.MaxSheetLines)
	}
	s.Lines = append(s.Lines, store.SheetLine{ProductID: product.ID})
	s.quantity, s.bin = append(s.quantity, "1"), append(s.bin, "")
	s.view.Added = fmt.Sprintf("%s: 1.", product.Name)
	s.product = emptyProduct()
	return nil
}

// readQuantities parses the entered quantities and bins of the lines, and adds errors
// to s.Wrong. It returns the sum of the quantities.
func (s *deliverySheet) readQuantities() (pieces int) {
	for i := range s.Lines {
		line := &s.Lines[i]
		if strings.TrimSpace(s.quantity[i]) == "" {
			continue
		}
		var err error
		line.Quantity, err = store.ParseWhole(store.SheetField("quantity", i+1), s.quantity[i])
		_ = s.Wrong.Add(err) // ParseWhole returns only Invalid
		line.Bin = s.bin[i]
		pieces += line.Quantity
	}
	return pieces
}

// page renders the sheet. After a conflict, it uses the current state of the expected
// deliveries.
func (s *deliverySheet) page(r *request, rejected *store.Error) (templ.Component, error) {
	warehouse, err := r.shop.Warehouse(r.ctx(), s.WarehouseID)
	if err != nil {
		return nil, err
	}
	details, err := r.shop.SheetDetails(r.ctx(), s.DeliverySheet)
	if err != nil {
		return nil, err
	}
	p := s.view
	p.Page, p.Form, p.Warehouse = r.page("Receive goods"), r.formState(web.Form{}, rejected, 0), *warehouse
	p.Reason = ui.Input{Value: s.Reason}
	p.Product = views.PickInput{Input: s.product.input, ID: s.product.id(), Choices: s.product.view().Choices}
	at := func(input ui.Input, field string) ui.Input {
		input.Error = rejected.About(field)
		return input
	}
	p.Product.Input, p.Reason = at(p.Product.Input, "product"), at(p.Reason, "reason")
	for i, line := range s.Lines {
		d, quantity := details[i], s.quantity[i]
		if d.Product != nil && d.Product.Archived && s.refreshed {
			quantity = "" // the line can't be received, and must not prevent the receipt of the others
		}
		if d.Delivery != nil && (s.refreshed || p.Conflict) {
			line.Seen = d.Delivery.Version
		}
		if d.Delivery != nil && d.Delivery.Open() == 0 && p.Conflict {
			line.DeliveryID = "" // the delivery is complete; use another expected delivery of the product
		}
		entered := at(ui.Input{Value: quantity}, store.SheetField("quantity", i+1))
		if large := rejected.About(store.SheetField("confirmed", i+1)); large != "" {
			entered.Error, line.Confirmed = large, line.Quantity
		}
		bin := s.bin[i]
		if bin == "" {
			bin = d.Stock.Bin
		}
		p.Lines = append(p.Lines, views.SheetLine{
			SheetLineDetails: d, Line: line,
			Quantity: entered, Bin: at(ui.Input{Value: bin}, store.SheetField("bin", i+1)),
		})
	}
	return views.DeliverySheetPage(p), nil
}
