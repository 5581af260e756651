package handlers

import (
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// maxFormLines is the maximum number of lines of a form. Earlier versions placed orders
// with more than store.MaxLines lines.
const maxFormLines = 80

// readLineForm reads a form that has a product and a quantity for each line, and these
// other fields.
func (r *request) readLineForm(fields ...string) (web.Form, error) {
	names := append(make([]string, 0, len(fields)+2*maxFormLines), fields...)
	for n := 1; n <= maxFormLines; n++ {
		names = append(names, views.ProductParam(n), views.QuantityParam(n))
	}
	return r.readForm(names...)
}

// quantities returns the quantity of each product in the form. It skips lines without a
// quantity.
func quantities(form web.Form) (map[string]int, error) {
	all := map[string]int{}
	for n := 1; n <= maxFormLines; n++ {
		product, text := form.Get(views.ProductParam(n)), strings.TrimSpace(form.Get(views.QuantityParam(n)))
		if product == "" || text == "" {
			continue
		}
		quantity, err := strconv.Atoi(text)
		if err != nil || quantity < 0 {
			return nil, store.InvalidField(store.QuantityField(product), "Enter a whole number, or leave it empty.")
		}
		all[product] = quantity
	}
	return all, nil
}

// lineForms returns a form line for each order item whose maximum is above zero. In a new
// form, each line suggests a quantity.
func lineForms(d *store.OrderDetails, maximum, suggest func(*store.OrderItem) int, form web.Form, rejected *store.Error) []views.LineForm {
	entered := map[string]string{}
	for n := 1; n <= maxFormLines; n++ {
		entered[form.Get(views.ProductParam(n))] = form.Get(views.QuantityParam(n))
	}
	var lines []views.LineForm
	for i := range d.Items {
		item := &d.Items[i]
		if maximum(item) == 0 {
			continue
		}
		quantity := ui.Input{Value: entered[item.ProductID]}
		switch {
		case rejected == nil:
			quantity.Value = numberOrEmpty(suggest(item))
		case rejected.Field == store.QuantityField(item.ProductID):
			quantity.Error = rejected.Message
		}
		lines = append(lines, views.LineForm{Line: *item, Most: maximum(item), Quantity: quantity})
	}
	return lines
}

func numberOrEmpty(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
