package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// NewOrder is the form of a new order. The user enters the order, reviews it with names
// and prices, and then places it.
type NewOrder struct {
	Page
	Form
	NewPerson
	Customer   PickInput
	Address    []EditField    // address fields of a new customer
	Same       []store.Choice // customers with the phone number or the email address of the new customer
	Lines      []NewLine
	CopyOf     string                      // ID of the copied order; "" if no order was copied
	CopyShipTo store.Address               // copied order's address, if not the customer's
	Quote      *store.Quote                // the order to review; nil while the user enters it
	Levels     map[string]store.StockLevel // stock levels of the products in Quote
}

// CopyParam is the parameter with the ID of the order to copy.
const CopyParam = "copy"

// NewLine is one line of a new order.
type NewLine struct {
	Product  PickInput
	Quantity ui.Input
}

// PickInput is the input of a PickField, in which the user names a record.
type PickInput struct {
	ui.Input
	ID      string      // ID of the chosen record; "" for none
	Choices []ui.Option // the matching records, or only the chosen record
	CanAdd  bool        // the user may add a record of this kind
	Closed  []ui.Option // links to closed customers that match; see ui.Pick
}

func (p PickInput) field(f ui.Field, kind store.ChoiceKind) ui.Field {
	f.Input, f.Pick = p.Input, &ui.Pick{Source: ChoicesPath(string(kind)), Chosen: p.ID, Choices: p.Choices, Closed: p.Closed}
	if p.CanAdd {
		f.Pick.Adds = []ui.Added{{Kind: string(kind)}}
	}
	return f
}

// The values of ButtonParam for the buttons of the form.
const (
	ButtonParam  = "do"
	ButtonReview = "look" // review the order
	ButtonAdd    = "add"  // add a line
	ButtonEdit   = "edit" // go back to the fields
	ButtonPlace  = "take" // place the order
)

func (p NewOrder) customerField() ui.Field {
	return p.Customer.field(ui.Field{Name: store.FieldCustomer, Label: "Customer", Hint: "Name, phone number, email address or ID.", Required: true}, store.ChooseCustomer)
}

// lineFields returns the fields of all lines of the order, from first to last: the product
// and the quantity of each line.
func (p NewOrder) lineFields() []ui.Field {
	fields := make([]ui.Field, 0, 2*len(p.Lines))
	for i, line := range p.Lines {
		n := string(AppendCount(nil, i+1))
		fields = append(fields,
			line.Product.field(ui.Field{Name: ProductParam(i + 1), Label: "Product of line " + n, Bare: true}, store.ChooseProduct),
			ui.Field{Name: QuantityParam(i + 1), Label: "Quantity of line " + n, Bare: true, Numeric: true, Input: line.Quantity},
		)
	}
	return fields
}

// fields returns all fields in the order of the page.
func (p NewOrder) fields() []ui.Field {
	return slices.Concat([]ui.Field{p.customerField()}, p.customerFields(), p.lineFields())
}

func (p NewOrder) customerFields() []ui.Field {
	return append(p.newFields(), p.Form.fields(p.Address)...)
}

// IsNew reports whether the order adds its customer.
func (p NewOrder) IsNew() bool { return p.Customer.ID == ui.PickedNew }

// shortages names the products whose ordered quantity exceeds the available stock.
func (p NewOrder) shortages() []string {
	var short []string
	for i := range p.Quote.Lines {
		line := &p.Quote.Lines[i]
		if level := p.Levels[line.Product.ID]; line.Quantity > level.Available {
			short = append(short, nameOr(line.Product.Name, line.Product.ID)+": "+number(line.Quantity)+" ordered, "+number(level.Available)+" available")
		}
	}
	return short
}
