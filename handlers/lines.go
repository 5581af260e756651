package handlers

import (
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// lineForm reads a form with a product and a quantity for each of its lines,
// and these fields besides.
func (r *request) lineForm(fields ...string) (web.Form, error) {
	names := append(make([]string, 0, len(fields)+2*store.MaxLines), fields...)
	for n := 1; n <= store.MaxLines; n++ {
		names = append(names, views.ProductParam(n), views.QuantityParam(n))
	}
	return r.form(names...)
}

// quantities are how many of which product the lines of a form say; an empty
// line says none.
func quantities(form web.Form) (map[string]int, error) {
	all := map[string]int{}
	for n := 1; n <= store.MaxLines; n++ {
		product, text := form.Get(views.ProductParam(n)), strings.TrimSpace(form.Get(views.QuantityParam(n)))
		if product == "" || text == "" {
			continue
		}
		quantity, err := strconv.Atoi(text)
		if err != nil || quantity < 0 {
			return nil, store.InvalidField(store.LineField(product), "Write a whole number, or nothing.")
		}
		all[product] = quantity
	}
	return all, nil
}

// typedLines are those lines of an order that a form asks about, with what was
// typed for each. Where nothing was yet, they suggest a quantity.
func typedLines(d *store.OrderDetails, most func(*store.OrderItem) int, suggest func(*store.OrderItem) int, form web.Form, refused *store.Error) []views.LineForm {
	given := map[string]string{}
	for n := 1; n <= store.MaxLines; n++ {
		given[form.Get(views.ProductParam(n))] = form.Get(views.QuantityParam(n))
	}
	var lines []views.LineForm
	for i := range d.Items {
		line := &d.Items[i]
		if most(line) == 0 {
			continue
		}
		quantity := ui.Input{Value: given[line.ProductID]}
		switch {
		case refused == nil:
			quantity.Value = suggested(suggest(line))
		case refused.Field == store.LineField(line.ProductID):
			quantity.Error = refused.Message
		}
		lines = append(lines, views.LineForm{Line: *line, Most: most(line), Quantity: quantity})
	}
	return lines
}

// suggested is a quantity in a field; none leaves it empty.
func suggested(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
