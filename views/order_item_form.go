package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// LineForm is a field for the quantity of one order item.
type LineForm struct {
	Line     store.OrderItem
	Most     int // maximum quantity
	Quantity ui.Input
}

// ProductParam returns the name of the field for the product of line n, counted from 1.
func ProductParam(n int) string { return "product-" + strconv.Itoa(n) }

// QuantityParam returns the name of the field for the quantity of line n, counted from 1.
func QuantityParam(n int) string { return "quantity-" + strconv.Itoa(n) }

func lineFields(lines []LineForm) []ui.Field {
	fields := make([]ui.Field, len(lines))
	for i, l := range lines {
		fields[i] = ui.Field{
			Name: QuantityParam(i + 1), Label: "Quantity of " + nameOr(l.Line.Name, l.Line.ProductID),
			Numeric: true, Bare: true, Input: l.Quantity,
		}
	}
	return fields
}
