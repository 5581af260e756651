package views

import (
	"slices"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// OrderEdit is the form that corrects the items of an order. The user enters the
// quantities, reviews the new total, and saves.
type OrderEdit struct {
	Page
	Form
	Order  store.OrderDetails // the stored order
	Lines  []LineForm         // quantity fields of the order's lines
	Added  []NewLine
	Levels map[string]store.StockLevel // stock levels by product ID
	Quote  *store.OrderEditQuote       // the changes to review; nil while the user enters them
}

// ProductIDs returns the IDs of the products on the form.
func (p OrderEdit) ProductIDs() []string {
	var ids []string
	for i := range p.Lines {
		ids = append(ids, p.Lines[i].Line.ProductID)
	}
	if p.Quote != nil {
		for i := range p.Quote.Lines {
			ids = append(ids, p.Quote.Lines[i].ProductID())
		}
	}
	return ids
}

// HasErrors reports whether a field has an error.
func (p OrderEdit) HasErrors() bool { return ui.AnyWrong(p.fields()...) }

// fields returns the quantity fields of the order's lines, followed by the product
// and quantity fields of each added line.
func (p OrderEdit) fields() []ui.Field {
	fields := lineFields(p.Lines)
	for i, line := range p.Added {
		n := len(p.Lines) + i + 1
		name := strconv.Itoa(i + 1)
		fields = append(fields,
			line.Product.field(ui.Field{Name: ProductParam(n), Label: "Product of new line " + name, Bare: true}, store.ChooseProduct),
			ui.Field{Name: QuantityParam(n), Label: "Quantity of new line " + name, Bare: true, Numeric: true, Input: line.Quantity},
		)
	}
	return fields
}

func (p OrderEdit) changed() []store.EditedLine {
	return slices.DeleteFunc(slices.Clone(p.Quote.Lines), func(l store.EditedLine) bool { return l.Quantity == l.Before() })
}

func editedName(l store.EditedLine) string {
	if l.Stored != nil {
		return nameOr(l.Stored.Name, l.Stored.ProductID)
	}
	return nameOr(l.Product.Name, l.Product.ID)
}

// shortages names the products whose added quantity exceeds the available stock.
func (p OrderEdit) shortages() []string {
	var short []string
	for _, line := range p.changed() {
		more, level := line.Quantity-line.Before(), p.Levels[line.ProductID()]
		if more > 0 && more > level.Available {
			short = append(short, editedName(line)+": "+number(more)+" more ordered, "+number(level.Available)+" available")
		}
	}
	return short
}

// documents says which documents will be issued for the changes.
func (p *OrderEdit) documents() string {
	if more := p.Quote.Supplement(); more.Sign() > 0 {
		return "Existing invoices do not change. An additional invoice of " + p.money(more) + " will be issued."
	}
	if less, issued := p.Quote.Credit(); issued {
		return "Existing invoices do not change. A credit note of " + p.money(less) + " will be issued."
	}
	return ""
}
