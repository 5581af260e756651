package handlers

import (
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
// customer.
func showOrderForm(r *request) error {
	q, err := r.query(store.FieldCustomer)
	if err != nil {
		return err
	}
	p := views.NewOrder{Customer: ui.Input{Value: q.Get(store.FieldCustomer)}, Lines: make([]views.NewLine, emptyLines)}
	return r.show(r.orderPage(p))
}

func (r *request) orderPage(p views.NewOrder) templ.Component {
	p.Page, p.Token = r.page("New order"), r.newFormToken()
	return views.NewOrderPage(p)
}

// placeOrder does what the pressed button says: it adds a line, returns to the fields,
// shows the order with its total, or places the order.
func placeOrder(r *request) error {
	form, err := r.readLineForm(store.FieldCustomer, views.ButtonParam, "total")
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
	quote, err := r.shop.Quote(r.ctx(), basket)
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
	p := views.NewOrder{Customer: ui.Input{Value: form.Get(store.FieldCustomer)}}
	basket := store.Basket{Customer: p.Customer.Value}
	for n := 1; n <= store.MaxLines && form.All(views.ProductParam(n)) != nil; n++ {
		line := views.NewLine{
			Product:  ui.Input{Value: form.Get(views.ProductParam(n))},
			Quantity: ui.Input{Value: form.Get(views.QuantityParam(n))},
		}
		p.Lines = append(p.Lines, line)
		if isEmpty(line) {
			continue
		}
		quantity, _ := strconv.Atoi(strings.TrimSpace(line.Quantity.Value)) // an invalid number becomes 0, which the store rejects
		basket.Lines = append(basket.Lines, store.BasketLine{Product: line.Product.Value, Quantity: quantity})
	}
	return p, basket
}

func isEmpty(line views.NewLine) bool {
	return strings.TrimSpace(line.Product.Value+line.Quantity.Value) == ""
}

// showQuote adds the quote to the page, with what is available of its products. If the
// order is not valid, it adds the errors and returns false.
func (r *request) showQuote(p *views.NewOrder, quote *store.Quote) (valid bool, err error) {
	if quote.IsValid() {
		p.Quote = quote
		p.Levels, err = r.shop.StockLevels(r.ctx(), quote.ProductIDs())
		return true, err
	}
	p.Customer.Error = quote.CustomerError
	n := 0
	for i := range p.Lines {
		if line := &p.Lines[i]; !isEmpty(*line) {
			line.Product.Error, line.Quantity.Error = quote.Lines[n].ProductError, quote.Lines[n].QuantityError
			n++
		}
	}
	if n == 0 {
		p.Problem = "Add at least one line."
	}
	return false, nil
}
