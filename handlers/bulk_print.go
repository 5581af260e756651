package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// printPages is the maximum number of pages of a list that are read to print all rows.
const printPages = 4

// printInvoices shows the selected invoices for printing, each on its own sheet.
func printInvoices(r *request) error {
	p, err := r.invoicePrints()
	if err != nil {
		return err
	}
	return r.show(views.InvoicePrintsPage(p))
}

// sendInvoicesPDF sends the selected invoices as one PDF.
func sendInvoicesPDF(r *request) error {
	p, err := r.invoicePrints()
	if err != nil {
		return err
	}
	if len(p.Invoices) == 0 {
		return web.Redirect(r.Context, "/invoices")
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := p.PDF(logo)
	return r.sendPDF("invoices", file, err)
}

// invoicePrints reads what the selected invoices show. It leaves out invoices that do not
// exist.
func (r *request) invoicePrints() (p views.InvoicePrints, err error) {
	selection := r.selected(store.BulkInvoiceReminder, &views.BulkInvoices)
	ids := selection.Rows
	if selection.All {
		f, err := invoiceFilter(&selection)
		if err != nil {
			return p, err
		}
		if ids, err = allRows(func(page store.Page) (store.List[store.Invoice], error) {
			return r.shop.Invoices(r.ctx(), f, false, page)
		}, store.InvoiceRowID, "invoices"); err != nil {
			return p, err
		}
	}
	if ids, err = limitRows(ids, "invoices"); err != nil {
		return p, err
	}
	var orders []string
	for _, id := range ids {
		order, _, _ := strings.Cut(id, "#")
		orders = append(orders, order)
	}
	found, err := r.selectedOrders(orders)
	if err != nil {
		return p, err
	}
	byOrder := map[string]*store.OrderDetails{}
	var customers []string
	for i := range found {
		byOrder[found[i].ID], customers = &found[i], append(customers, found[i].CustomerID)
	}
	related, err := r.shop.Related(r.ctx(), store.RelatedIDs{Customers: customers})
	if err != nil {
		return p, err
	}
	p = views.InvoicePrints{Page: r.page("Invoices"), Company: r.settings.Company}
	for _, id := range ids {
		orderID, invoiceID, _ := strings.Cut(id, "#")
		order := byOrder[orderID]
		if order == nil {
			continue
		}
		for i := range order.Invoices {
			if invoice := &order.Invoices[i]; invoice.ID == invoiceID {
				p.Invoices = append(p.Invoices, views.InvoicePrint{Page: p.Page, Invoice: *invoice, Order: *order, Customer: related.Customers[invoice.CustomerID], Company: p.Company})
			}
		}
	}
	return p, nil
}

// printOverdue shows the selected kayaks that are due back, for printing.
func printOverdue(r *request) error {
	selection := r.selected(store.BulkRentalReminder, &views.BulkOverdue)
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	p := views.OverduePrint{DueToday: selection.Filter("show") == views.ShowToday}
	from, last, title := time.Time{}, today.AddDate(0, 0, -1), "Overdue kayaks"
	if p.DueToday {
		from, last, title = today, today, "Kayaks due back today"
	}
	ids := selection.Rows
	if selection.All {
		if ids, err = allRows(func(page store.Page) (store.List[store.ActiveRental], error) {
			return r.shop.RentalsDue(r.ctx(), from, last, page)
		}, store.RentalRowID, "kayaks"); err != nil {
			return err
		}
	}
	if ids, err = limitRows(ids, "kayaks"); err != nil {
		return err
	}
	if p.Rows, p.Renters, err = r.shop.ActiveRentals(r.ctx(), ids); err != nil {
		return err
	}
	p.Page = r.page(title)
	return r.show(views.OverduePrintPage(p))
}

// allRows returns the IDs of all rows of a list, to print them.
func allRows[T any](read func(store.Page) (store.List[T], error), id func(*T) string, many string) (ids []string, err error) {
	page := store.Page{Limit: maxSelectedOrders}
	for range printPages {
		found, err := read(page)
		if err != nil {
			return nil, err
		}
		for i := range found.Rows {
			ids = append(ids, id(&found.Rows[i]))
		}
		if page.At = found.Next; page.At == nil || len(ids) > maxSelectedOrders {
			break
		}
	}
	if page.At != nil && len(ids) <= maxSelectedOrders {
		return nil, tooManyToPrint(many)
	}
	return ids, nil
}

// limitRows removes duplicates, and returns an error if there are more rows than one
// document can have.
func limitRows(ids []string, many string) ([]string, error) {
	unique := uniqueOf(ids)
	if len(unique) > maxSelectedOrders {
		return nil, tooManyToPrint(many)
	}
	return unique, nil
}

func tooManyToPrint(many string) error {
	return echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("More than %d %s are selected. Go back, and select at most %d or use the filters of the list.", maxSelectedOrders, many, maxSelectedOrders))
}
