package views

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views/ui"
)

// BulkList is a list whose rows can be selected for bulk changes.
type BulkList struct {
	Path    string   // path of the list
	Row     string   // URL parameter with the ID of a selected row
	Filters []string // URL parameters that filter the list
	Kinds   []store.BulkKind
	Print   map[string]string // paths of the pages that print the selected rows, by the value of the button
}

// The values of ButtonParam tell which button was pressed.
const (
	ButtonSlips  = "slips"
	ButtonPick   = "pick"
	ButtonPrint  = "print"
	ButtonPDF    = "pdf"
	ButtonRun    = "run"    // start a bulk change
	ButtonNext   = "next"   // save the quantities and show the next page
	ButtonBefore = "before" // save the quantities and show the previous page
)

// The lists with bulk changes.
var (
	BulkProducts = BulkList{Path: "/products", Row: "product", Filters: []string{"bucket", "name", "category"}, Kinds: []store.BulkKind{store.BulkPrice, store.BulkCategory, store.BulkReorderPoint, store.BulkArchive}}
	BulkLowStock = BulkList{Path: lowStockPath, Row: "stock", Filters: []string{"warehouse", "show"}, Kinds: []store.BulkKind{store.BulkDelivery, store.BulkTransfer}}
	BulkOrders   = BulkList{Path: "/orders", Row: "order", Filters: []string{"status", "from", "to", "stock"}, Kinds: []store.BulkKind{store.BulkShip}, Print: map[string]string{ButtonSlips: "/orders/slips", ButtonPick: "/orders/pick"}}
	BulkInvoices = BulkList{Path: "/invoices", Row: "invoice", Filters: []string{"status", "from", "to"}, Kinds: []store.BulkKind{store.BulkInvoiceReminder}, Print: map[string]string{ButtonPrint: "/invoices/print", ButtonPDF: "/invoices/print/pdf"}}
	BulkOverdue  = BulkList{Path: overduePath, Row: "rental", Filters: []string{"show"}, Kinds: []store.BulkKind{store.BulkRentalReminder}, Print: map[string]string{ButtonPrint: overduePath + "/print"}}
)

func (l *BulkList) filtersOf(params []ui.Param) []ui.Param {
	return slices.DeleteFunc(slices.Clone(params), func(p ui.Param) bool { return !slices.Contains(l.Filters, p.Name) })
}

// BulkListOf returns the list of a kind of bulk change.
func BulkListOf(kind store.BulkKind) *BulkList {
	for _, l := range []*BulkList{&BulkOrders, &BulkLowStock, &BulkInvoices, &BulkOverdue} {
		if slices.Contains(l.Kinds, kind) {
			return l
		}
	}
	return &BulkProducts
}

// BulkSelection contains the rows that a bulk change will change: the selected rows, or
// all rows that match the filters of the list.
type BulkSelection struct {
	*BulkList
	Kind    store.BulkKind
	Rows    []string // IDs
	All     bool
	Filters []ui.Param // the filters that are set

	WarehouseName string // name of the warehouse in the filter; "" if it is unknown
}

// Filter returns the value of a filter, or "".
func (s *BulkSelection) Filter(name string) string {
	for _, f := range s.Filters {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// bulkAction is a button for the selected rows of a list.
type bulkAction struct{ value, text string }

// Query returns the filters as a query string.
func (s *BulkSelection) Query() string {
	values := url.Values{}
	for _, f := range s.Filters {
		values.Set(f.Name, f.Value)
	}
	return values.Encode()
}

// ListPath returns the address of the list with its filters.
func (s *BulkSelection) ListPath() string {
	return strings.TrimSuffix(s.BulkList.Path+"?"+s.Query(), "?")
}

func (s *BulkSelection) isEmpty() bool { return !s.All && len(s.Rows) == 0 }

// describe says which rows will change, for example "All orders." or "3 orders selected."
func (s *BulkSelection) describe() string {
	if !s.All {
		return countOf(s.Kind, len(s.Rows)) + " selected."
	}
	_, all := s.Kind.Noun()
	if s.Kind == store.BulkRentalReminder {
		return "All renters with overdue kayaks."
	}
	var filters []string
	for _, f := range s.Filters {
		switch name := strings.ToLower(filterName(f.Name)); {
		case f.Name == "bucket":
			filters = append(filters, "letter “"+bucketName(f.Value)+"”")
		case f.Name == "show":
			filters = append(filters, "none in stock")
		case f.Name == "stock":
			filters = append(filters, name+" “"+OrderStockText(store.OrderStock(f.Value))+"”")
		case f.Name == "status" && s.BulkList == &BulkOrders:
			filters = append(filters, name+" “"+OrderStatusText(store.OrderStatus(f.Value))+"”")
		case f.Name == "status":
			filters = append(filters, name+" “"+InvoiceStatusText(store.InvoiceStatus(f.Value))+"”")
		case f.Name == "warehouse":
			filters = append(filters, name+" “"+nameOr(s.WarehouseName, f.Value)+"”")
		case name != "" && f.Value != "":
			filters = append(filters, name+" “"+f.Value+"”")
		}
	}
	if s.Kind.HasQuantities() {
		filters = slices.Insert(filters, 0, "low stock")
	}
	if len(filters) == 0 {
		return "All " + all + "."
	}
	return "All " + all + " with " + strings.Join(filters, " and ") + "."
}

// countOf returns a number of rows with its noun, such as 3 products.
func countOf(kind store.BulkKind, n int) string {
	if kind == store.BulkRentalReminder {
		return count(n, "kayak", "kayaks") // the rows of the list are kayaks, but the preview groups them by renter
	}
	one, many := kind.Noun()
	return count(n, one, many)
}

// bulkForm writes the form around a list whose rows can be selected. Its hidden fields
// contain the filters of the list. Pass the label of the checkbox that selects all
// matching rows, or "" for a form without this checkbox.
func bulkForm(p *Page, l *BulkList, filters []ui.Param, all string, actions []bulkAction) templ.Component {
	return ui.Around(func(m *ui.Markup) {
		m.HTML(`<form action="`)
		m.Address(l.Path)
		m.HTML(`/bulk" aria-label="Selected rows">`)
		for _, filter := range filters {
			m.Hidden(filter)
		}
	}, func(m *ui.Markup) {
		if all != "" {
			m.HTML(`<div class="row after"><label class="check"><input type="checkbox" name="all" value="yes"> `)
			m.Text(all)
			m.HTML(`</label></div>`)
		}
		m.HTML(`<div class="bulk"><span class="muted">With selected:</span> `)
		for _, a := range actions {
			m.HTML(`<button class="btn small" name="` + ButtonParam + `" value="`)
			m.Text(a.value)
			m.HTML(`">`)
			m.Text(a.text)
			m.HTML(`</button> `)
		}
		if p.may(store.ChangeMany) {
			m.HTML(`<a class="btn small ghost" href="/bulk">Bulk changes</a>`)
		}
		m.HTML(`</div></form>`)
	})
}
