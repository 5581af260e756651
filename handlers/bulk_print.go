package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// maxPrinted is the maximum number of rows on one page for printing.
const maxPrinted = 50

// printInvoices shows invoices for printing, each on its own sheet: the selected ones,
// or a part of those that match the filters.
func printInvoices(r *request) error {
	p, err := r.invoicePrints()
	if err != nil {
		return err
	}
	return r.show(views.InvoicePrintsPage(p))
}

func sendInvoicesPDF(r *request) error {
	p, err := r.invoicePrints()
	if err != nil {
		return err
	}
	switch {
	case p.NextPart != "":
		return tooManyToPrint("invoices")
	case len(p.Invoices) == 0:
		return web.Redirect(r.Context, "/invoices")
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := p.PDF(logo)
	return r.sendPDF("invoices", file, err)
}

// invoicePrints reads the data for printing the selected invoices. It leaves out
// invoices that do not exist.
func (r *request) invoicePrints() (p views.InvoicePrints, err error) {
	selection := r.selected(store.BulkInvoiceReminder, &views.BulkInvoices)
	f, err := invoiceFilter(&selection)
	if err != nil {
		return p, err
	}
	ids, next, err := printedRows(r, &selection, "invoices", func(page store.Page) (store.List[store.Invoice], error) {
		return r.shop.Invoices(r.ctx(), f, false, page)
	}, store.InvoiceRowID)
	if err != nil {
		return p, err
	}
	var orders []string
	for _, id := range ids {
		order, _, _ := strings.Cut(id, "#")
		orders = append(orders, order)
	}
	found, err := r.wholeOrders(orders)
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
	p.NextPart = next
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
	ids, next, err := printedRows(r, &selection, "kayaks", func(page store.Page) (store.List[store.ActiveRental], error) {
		return r.shop.RentalsDue(r.ctx(), from, last, page)
	}, store.RentalRowID)
	if err != nil {
		return err
	}
	if p.Rows, p.Renters, err = r.shop.ActiveRentals(r.ctx(), ids); err != nil {
		return err
	}
	p.Page = r.page(title)
	p.NextPart = next
	return r.show(views.OverduePrintPage(p))
}

// printedRows returns the IDs of the rows to print: the selected rows, or one page of the
// rows that match the filters. It also returns the address of the next page for printing,
// or "" after the last page. The address contains the current values of the parameters in
// kept. Pass the plural noun for the rows as many, for the error about too many selected
// rows.
func printedRows[T any](r *request, s *views.BulkSelection, many string, read func(store.Page) (store.List[T], error), id func(*T) string, kept ...string) (ids []string, next string, err error) {
	ids = s.Rows
	if s.All {
		q, err := r.query(slices.Concat(s.BulkList.Filters, []string{"all"}, kept)...)
		if err != nil {
			return nil, "", err
		}
		page, err := q.Page()
		if err != nil {
			return nil, "", err
		}
		page.Limit = maxPrinted
		found, err := read(page)
		if err != nil {
			return nil, "", err
		}
		ids = nil
		for i := range found.Rows {
			ids = append(ids, id(&found.Rows[i]))
		}
		next = q.URL(found.Next)
	}
	if ids = uniqueOf(ids); len(ids) > maxPrinted {
		return nil, "", tooManyToPrint(many)
	}
	return ids, next, nil
}

func uniqueOf(ids []string) []string {
	var unique []string
	for _, id := range ids {
		if !slices.Contains(unique, id) {
			unique = append(unique, id)
		}
	}
	return unique
}

func tooManyToPrint(many string) error {
	return echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("More than %d %s are selected. Go back and select at most %d, or use the filters to shorten the list.", maxPrinted, many, maxPrinted))
}
