package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// emptyLines is the number of empty lines of a new form.
const emptyLines = 4

// showOrderForm shows the form for a new order. The query string can contain the
// customer, or an order to copy.
func showOrderForm(r *request) error {
	q, err := r.query(store.FieldCustomer, views.CopyParam)
	if err != nil {
		return err
	}
	if id := q.Get(views.CopyParam); id != "" {
		return r.showOrderCopy(id)
	}
	customer, err := r.chosenPick(store.FieldCustomer, store.ChooseCustomer, q.Get(store.FieldCustomer))
	if err != nil {
		return err
	}
	p := views.NewOrder{Customer: views.PickInput{Input: customer.input}, Lines: make([]views.NewLine, emptyLines)}
	if customer.chosen != nil {
		setChosen(&p.Customer, customer.chosen)
	}
	return r.show(r.orderPage(p))
}

// showOrderCopy shows the form for a new order, with the customer and the lines of another
// order. Prices and names are looked up again when the user reviews the total.
func (r *request) showOrderCopy(id string) error {
	order, err := r.shop.Order(r.ctx(), id)
	if err != nil {
		return err
	}
	p := views.NewOrder{CopyOf: order.ID}
	setChosen(&p.Customer, &store.Choice{ID: order.CustomerID, Name: cmp.Or(order.CustomerName, order.CustomerID), Note: order.CustomerID})
	for i := range order.Items[:min(store.MaxLines, len(order.Items))] {
		item := &order.Items[i]
		line := views.NewLine{Quantity: ui.Input{Value: strconv.Itoa(item.Quantity)}}
		setChosen(&line.Product, &store.Choice{ID: item.ProductID, Name: cmp.Or(item.Name, item.ProductID), Note: cmp.Or(item.SKU, item.ProductID)})
		p.Lines = append(p.Lines, line)
	}
	if left := len(order.Items) - len(p.Lines); left > 0 {
		p.Problem = fmt.Sprintf("A new order can have at most %d lines. %d lines were not copied.", store.MaxLines, left)
	}
	if len(p.Lines) == 0 {
		p.Lines = make([]views.NewLine, emptyLines)
	}
	return r.show(r.orderPage(p))
}

func (r *request) orderPage(p views.NewOrder) templ.Component {
	p.Page, p.Token = r.page("New order"), r.newFormToken()
	return views.NewOrderPage(p)
}

// placeOrder does what the pressed button says: it adds a line, returns to the fields,
// shows the order with its total, or places the order.
func placeOrder(r *request) error {
	form, err := r.readLineForm(orderPicks()...)
	if err != nil {
		return err
	}
	p, basket := enteredOrder(form)
	switch form.Get(views.ButtonParam) {
	case views.ButtonAdd:
		if len(p.Lines) < store.MaxLines {
			p.Lines = append(p.Lines, views.NewLine{})
		}
		return r.show(r.orderPage(p))
	case views.ButtonEdit:
		return r.show(r.orderPage(p))
	case views.ButtonPlace:
		return r.confirmOrder(form, p, basket)
	case views.ButtonReview, "": // Enter submits the form without a button
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
	}
	quote, err := r.quote(&p, &basket)
	if err != nil {
		return err
	}
	status := http.StatusOK
	valid, err := r.showQuote(&p, quote)
	switch {
	case err != nil:
		return err
	case !valid:
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, r.orderPage(p))
}

// orderPicks returns the parameters of a new order, besides lines.
func orderPicks() []string {
	names := append(pickParams(store.FieldCustomer)[1:], store.FieldCustomer, views.ButtonParam, "total")
	for n := 1; n <= store.MaxLines; n++ {
		names = append(names, pickParams(views.ProductParam(n))[1:]...)
	}
	return names
}

// searchedFields is the maximum number of fields whose text one submission searches for.
const searchedFields = 8

// quote looks up a basket. If a text is no ID, email address or SKU, quote searches for
// records with this name, and shows them if there are several.
func (r *request) quote(p *views.NewOrder, basket *store.Basket) (*store.Quote, error) {
	quote, err := r.shop.Quote(r.ctx(), *basket)
	if err != nil || quote.IsValid() {
		return quote, err
	}
	searched, found := 0, false
	search := func(in *views.PickInput, kind store.ChoiceKind, to *string) error {
		if searched++; searched > searchedFields || strings.TrimSpace(*to) == "" || in.ID != "" {
			return nil
		}
		choices, err := r.shop.Choices(r.ctx(), kind, *to)
		if err != nil {
			return err
		}
		if one := store.Identified(choices, *to); one != nil {
			setChosen(in, one)
			*to, found = one.ID, true
			return nil
		}
		for _, c := range choices[:min(maxSuggestions, len(choices))] {
			in.Choices = append(in.Choices, ui.Option{Value: c.ID, Text: c.Name, Note: c.Note})
		}
		return nil
	}
	if quote.Customer == nil {
		if err := search(&p.Customer, store.ChooseCustomer, &basket.Customer); err != nil {
			return nil, err
		}
	}
	n := 0
	for i := range p.Lines {
		if isEmpty(p.Lines[i]) {
			continue
		}
		if quote.Lines[n].Product == nil {
			if err := search(&p.Lines[i].Product, store.ChooseProduct, &basket.Lines[n].Product); err != nil {
				return nil, err
			}
		}
		n++
	}
	if !found {
		return quote, nil
	}
	return r.shop.Quote(r.ctx(), *basket)
}

// setChosen makes the record the choice of the field.
func setChosen(in *views.PickInput, c *store.Choice) {
	in.Value, in.ID, in.Choices = c.Name, c.ID, []ui.Option{{Value: c.ID, Text: c.Name, Note: c.Note}}
}

// enteredPick reads a field that names a record. The returned text is the ID of the chosen
// record, or what the user entered.
func enteredPick(form web.Form, name string) (in views.PickInput, text string) {
	in.Value = form.Get(name)
	if id := form.Get(ui.PickedParam(name)); id != "" && in.Value == form.Get(ui.PickedTextParam(name)) {
		in.ID, in.Choices = id, []ui.Option{{Value: id, Text: in.Value}}
		return in, id
	}
	return in, in.Value
}

func (r *request) confirmOrder(form web.Form, p views.NewOrder, basket store.Basket) error {
	total, err := money(form, "total")
	if err != nil {
		return err
	}
	id, err := r.shop.PlaceOrder(r.ctx(), store.NewOrder{Basket: basket, Total: total}, form.Token())
	return r.finishChange(err, "Order placed.", views.OrderPath(id), func(rejected *store.Error) (templ.Component, error) {
		quote, err := r.shop.Quote(r.ctx(), basket)
		if err != nil {
			return nil, err
		}
		valid, err := r.showQuote(&p, quote)
		if valid {
			p.Problem = rejected.Message
		}
		return r.orderPage(p), err
	})
}

// enteredOrder reads a new order from the form. The page keeps empty lines. The basket
// leaves them out.
func enteredOrder(form web.Form) (views.NewOrder, store.Basket) {
	var p views.NewOrder
	var basket store.Basket
	p.Customer, basket.Customer = enteredPick(form, store.FieldCustomer)
	for n := 1; n <= store.MaxLines && form.All(views.ProductParam(n)) != nil; n++ {
		product, named := enteredPick(form, views.ProductParam(n))
		line := views.NewLine{Product: product, Quantity: ui.Input{Value: form.Get(views.QuantityParam(n))}}
		p.Lines = append(p.Lines, line)
		if isEmpty(line) {
			continue
		}
		quantity, _ := strconv.Atoi(strings.TrimSpace(line.Quantity.Value)) // an invalid number becomes 0, which the store rejects
		basket.Lines = append(basket.Lines, store.BasketLine{Product: named, Quantity: quantity})
	}
	return p, basket
}

func isEmpty(line views.NewLine) bool {
	return strings.TrimSpace(line.Product.Value+line.Quantity.Value) == ""
}

// showQuote adds the quote to the page, with the available stock of its products. If the
// order is not valid, it adds the errors and returns false.
func (r *request) showQuote(p *views.NewOrder, quote *store.Quote) (valid bool, err error) {
	if quote.IsValid() {
		p.Quote = quote
		p.Levels, err = r.shop.StockLevels(r.ctx(), quote.ProductIDs())
		return true, err
	}
	p.Customer.Error = orChoose(quote.CustomerError, p.Customer, store.ChooseCustomer)
	n := 0
	for i := range p.Lines {
		if line := &p.Lines[i]; !isEmpty(*line) {
			line.Product.Error = orChoose(quote.Lines[n].ProductError, line.Product, store.ChooseProduct)
			line.Quantity.Error = quote.Lines[n].QuantityError
			n++
		}
	}
	if n == 0 {
		p.Problem = "Add at least one line."
	}
	return false, nil
}

// orChoose replaces the error of a field that offers choices.
func orChoose(message string, in views.PickInput, kind store.ChoiceKind) string {
	if message != "" && in.ID == "" && len(in.Choices) > 0 {
		return "Choose the " + string(kind) + " below, or enter more of the name."
	}
	return message
}
