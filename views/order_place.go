package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// NewOrder is the form of a new order. It is filled in, looked at with names
// and prices, and only then sent to be taken.
type NewOrder struct {
	Page
	Form
	Customer ui.Input // an ID or an e-mail address
	Lines    []NewLine
	Quote    *store.Quote // what it comes to, to be confirmed; nil: it is being filled in
}

// NewLine is one line of a new order.
type NewLine struct{ Product, Quantity ui.Input }

// The values of the buttons of the form, under the name ButtonParam.
const (
	ButtonParam = "do"
	ButtonLook  = "look" // show what it comes to
	ButtonAdd   = "add"  // one line more
	ButtonEdit  = "edit" // back to the fields
	ButtonTake  = "take" // take the order
)

func (p NewOrder) customerField() ui.Field {
	return ui.Field{Name: store.FieldCustomer, Label: "Customer", Hint: "An ID or an e-mail address.", Required: true, Input: p.Customer}
}

// lineFields ask for product and quantity of each line, in turn.
func (p NewOrder) lineFields() []ui.Field {
	fields := make([]ui.Field, 0, 2*len(p.Lines))
	for i, line := range p.Lines {
		n := string(AppendCount(nil, i+1))
		fields = append(fields,
			ui.Field{Name: ProductParam(i + 1), Label: "Product of line " + n, Bare: true, Input: line.Product},
			ui.Field{Name: QuantityParam(i + 1), Label: "Quantity of line " + n, Bare: true, Numeric: true, Input: line.Quantity},
		)
	}
	return fields
}

func (p NewOrder) fields() []ui.Field { return append(p.lineFields(), p.customerField()) }
