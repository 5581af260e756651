package handlers

import (
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// maxFormLines is the maximum number of lines of a form. It is larger than
// store.MaxLines, because earlier versions of Stockroom allowed larger orders.
const maxFormLines = 80

// readLineForm reads a form with a product and a quantity for each line, and with the
// given other fields.
func (r *request) readLineForm(fields ...string) (web.Form, error) {
	names := append(make([]string, 0, len(fields)+2*maxFormLines), fields...)
	for n := 1; n <= maxFormLines; n++ {
		names = append(names, views.ProductParam(n), views.QuantityParam(n))
	}
	return r.readForm(names...)
}

// quantities returns the quantity of each product in the form. It leaves out lines
// without a quantity. It adds the errors of invalid quantities to wrong.
func quantities(form web.Form, wrong *store.InputErrors) map[string]int {
	all := map[string]int{}
	for n := 1; n <= maxFormLines; n++ {
		product, text := form.Get(views.ProductParam(n)), strings.TrimSpace(form.Get(views.QuantityParam(n)))
		if product == "" || text == "" {
			continue
		}
		quantity, err := strconv.Atoi(text)
		if err != nil || quantity < 0 {
			wrong.Reject(store.QuantityField(product), "Enter a whole number, or leave it empty.")
			continue
		}
		all[product] = quantity
	}
	return all
}

// lineForms returns a line of the form for each order item whose maximum quantity is not
// zero. The lines of a form that was not submitted yet contain the quantities that
// suggest returns.
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
		if rejected == nil {
			quantity.Value = numberOrEmpty(suggest(item))
		}
		quantity.Error = rejected.About(store.QuantityField(item.ProductID))
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

// productPicks returns the names of the hidden fields for the chosen products of the lines.
func productPicks(lines int) []string {
	var names []string
	for n := 1; n <= lines; n++ {
		names = append(names, pickParams(views.ProductParam(n))[1:]...)
	}
	return names
}

func setChosen(in *views.PickInput, c *store.Choice) {
	in.Value, in.ID, in.Choices = c.Name, c.ID, []ui.Option{{Value: c.ID, Text: c.Name, Note: c.Note}}
	in.Closed = nil
	if c.Closed {
		in.Closed = closedOptions([]store.Choice{*c})
	}
}

// enteredPick reads a field that names a record. It also returns the ID of the chosen
// record, or the entered text if no record is chosen.
func enteredPick(form web.Form, name string) (in views.PickInput, text string) {
	in.Value = form.Get(name)
	if id := form.Get(ui.PickedParam(name)); id != "" && in.Value == form.Get(ui.PickedTextParam(name)) {
		in.ID, in.Choices = id, []ui.Option{{Value: id, Text: in.Value}}
		return in, id
	}
	return in, in.Value
}

// searchedFields is the maximum number of fields of a form for which a nameSearch searches.
const searchedFields = 8

// nameSearch searches for records whose names the user entered in a form instead of
// choosing them.
type nameSearch struct {
	request  *request
	searched int
	found    bool // at least one name was replaced with an ID

	takesOnly bool // accept a record that is the only match, because the user reviews the form afterwards
}

// replace replaces *text with the ID of the record that the text identifies. If the text
// identifies none, replace adds the matching records to the choices of the field. It
// skips empty texts, fields with a chosen record, and all fields after the first
// searchedFields.
func (s *nameSearch) replace(in *views.PickInput, kind store.ChoiceKind, text *string) error {
	if s.searched++; s.searched > searchedFields || strings.TrimSpace(*text) == "" || in.ID != "" {
		return nil
	}
	choices, err := s.request.shop.ChoicesWithClosed(s.request.ctx(), kind, *text)
	if err != nil {
		return err
	}
	choices, closed := withoutClosed(choices)
	in.Closed = closedOptions(closed)
	one := store.Identified(choices, *text)
	if len(choices) == 0 {
		one = store.Identified(closed, *text) // the quote then explains that the customer is closed
	}
	if one == nil && len(choices) == 1 && s.takesOnly {
		one = &choices[0]
	}
	if one != nil {
		setChosen(in, one)
		*text, s.found = one.ID, true
		return nil
	}
	for _, c := range choices[:min(maxSuggestions, len(choices))] {
		in.Choices = append(in.Choices, ui.Option{Value: c.ID, Text: c.Name, Note: c.Note})
	}
	return nil
}

// orChoose returns the error message of a field. If the field has choices, the message
// asks the user to choose one.
func orChoose(message string, in views.PickInput, kind store.ChoiceKind) string {
	if message != "" && in.ID == "" && len(in.Choices) > 0 {
		return "Choose the " + string(kind) + " below, or enter more of the name."
	}
	return message
}
