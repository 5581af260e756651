package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// ButtonSend is the value of ButtonParam for the button that sends a transfer. The button
// that adds a product has the value ButtonAddProduct.
const ButtonSend = "send"

// TransferSheet is the form that sends products from one warehouse to another.
type TransferSheet struct {
	Page
	Form
	Warehouse  store.Warehouse
	Targets    []store.Warehouse
	Product    PickInput // field for scanning or entering a product
	Added      string    // message that says which product was just added; may be ""
	Lines      []TransferLine
	To, Reason ui.Input
}

// TransferLine is a line of a transfer.
type TransferLine struct {
	Stock    store.WarehouseItem // stock in the warehouse that sends the product
	Quantity ui.Input
}

func (l *TransferLine) name() string { return nameOr(l.Stock.Name, l.Stock.ProductID) }

func (p TransferSheet) lineFields() []ui.Field {
	var fields []ui.Field
	for i := range p.Lines {
		l := &p.Lines[i]
		fields = append(fields, ui.Field{Name: store.SheetField("quantity", i+1), Label: "Quantity of " + l.name(), Bare: true, Numeric: true, Input: l.Quantity})
	}
	return fields
}

func (p TransferSheet) productField() ui.Field {
	return p.Product.field(ui.Field{Name: "product", Label: "Scan or enter a product", Hint: "SKU, ID or name. Scanning a product again adds one piece.", Focus: p.Added != ""}, store.ChooseProduct)
}

func (p TransferSheet) toField() ui.Field {
	return ui.Field{Name: "to", Label: "To warehouse", Input: p.To}
}

func (p TransferSheet) reasonField() ui.Field {
	return ui.Field{Name: "reason", Label: "Reason", Hint: "Shown in the stock ledger.", Input: p.Reason}
}

func (p TransferSheet) fields() []ui.Field {
	return slices.Concat([]ui.Field{p.productField()}, p.lineFields(), []ui.Field{p.toField(), p.reasonField()})
}
