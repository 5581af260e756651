package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// The values of ButtonParam for the buttons of a delivery sheet. The Enter key presses the
// first button. A scanner sends Enter after each code, so that each scan adds a product.
const (
	ButtonAddProduct = "add"
	ButtonReceive    = "receive"
)

// DeliverySheet is the form that receives many products at once.
type DeliverySheet struct {
	Page
	Form
	Warehouse store.Warehouse
	Product   PickInput // field for scanning or entering a product
	Added     string    // message that names the line to which a product was just added; may be ""
	Lines     []SheetLine
	Reason    ui.Input
	Suppliers []string // suppliers of the deliveries that the warehouse expects
	Supplier  string   // supplier whose deliveries the sheet contains; "" for all deliveries that are due
	More      int      // number of expected deliveries that do not fit on the sheet
	Unread    bool     // there may be more deliveries for the sheet, which were not read
}

// SheetLine is a line of a delivery sheet.
type SheetLine struct {
	store.SheetLineDetails
	Line          store.SheetLine
	Quantity, Bin ui.Input
}

func (l *SheetLine) name() string { return nameOr(l.Stock.Name, l.Line.ProductID) }

// lineFields returns the fields of all lines in order: the quantity and the bin of each
// line.
func (p DeliverySheet) lineFields() []ui.Field {
	fields := make([]ui.Field, 0, 2*len(p.Lines))
	for i := range p.Lines {
		l := &p.Lines[i]
		fields = append(fields,
			ui.Field{Name: store.SheetField("quantity", i+1), Label: "Quantity of " + l.name(), Bare: true, Numeric: true, Input: l.Quantity},
			ui.Field{Name: store.SheetField("bin", i+1), Label: "Bin of " + l.name(), Bare: true, Input: l.Bin})
	}
	return fields
}

func (p DeliverySheet) productField() ui.Field {
	return p.Product.field(ui.Field{Name: "product", Label: "Scan or enter a product", Hint: "SKU, ID or name. Scanning a product again adds one piece.", Focus: p.Added != ""}, store.ChooseProduct)
}

func (p DeliverySheet) reasonField() ui.Field {
	return ui.Field{Name: "reason", Label: "Reason", Hint: "For example, the number of the delivery note. Shown in the stock ledger.", Input: p.Reason}
}

func (p DeliverySheet) fields() []ui.Field {
	return slices.Concat([]ui.Field{p.productField()}, p.lineFields(), []ui.Field{p.reasonField()})
}

// expects reports whether a line has an expected delivery.
func (p DeliverySheet) expects() bool {
	return slices.ContainsFunc(p.Lines, func(l SheetLine) bool { return l.Delivery != nil })
}

// rest says which expected deliveries are not on the sheet. It returns "" if there are none.
func (p DeliverySheet) rest() string {
	switch {
	case p.More > 0 && p.Unread:
		return "At least " + count(p.More, "expected delivery does", "expected deliveries do") + " not fit on this sheet. Receive the products on the sheet first."
	case p.More > 0:
		return count(p.More, "expected delivery does", "expected deliveries do") + " not fit on this sheet. Receive the products on the sheet first."
	case p.Unread:
		return "Only the first expected deliveries of this warehouse were searched. Later ones may be missing on this sheet."
	}
	return ""
}

func (p DeliverySheet) suppliers() []ui.Tab {
	l := List{Path: WarehousePath(p.Warehouse.ID) + "/receive"}
	tabs := []ui.Tab{{Name: "Due now", URL: l.Path, Current: p.Supplier == ""}}
	for _, name := range p.Suppliers {
		tabs = append(tabs, ui.Tab{Name: name, URL: l.With("supplier", name), Current: name == p.Supplier})
	}
	return tabs
}
