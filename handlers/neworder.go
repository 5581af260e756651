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

// emptyLines is how many lines a new order begins with.
const emptyLines = 4

// askOrder shows the form of a new order, for the customer in the address
// where one is named.
func askOrder(r *request) error {
	q, err := r.query(store.FieldCustomer)
	if err != nil {
		return err
	}
	p := views.NewOrder{Customer: ui.Input{Value: q.Get(store.FieldCustomer)}, Lines: make([]views.NewLine, emptyLines)}
	return r.show(r.orderPage(p))
}

func (r *request) orderPage(p views.NewOrder) templ.Component {
	p.Page, p.Once = r.page("New order"), r.token()
	return views.NewOrderPage(p)
}

// takeOrder does what the button says that sent the form: shows one line
// more, the fields, or what the order comes to; or takes it.
func takeOrder(r *request) error {
	form, err := r.lineForm(store.FieldCustomer, views.ButtonParam, "total")
	if err != nil {
		return err
	}
	p, basket := typedOrder(form)
	switch form.Get(views.ButtonParam) {
	case views.ButtonAdd:
		if len(p.Lines) < store.MaxLines {
			p.Lines = append(p.Lines, views.NewLine{})
		}
		return r.show(r.orderPage(p))
	case views.ButtonEdit:
		return r.show(r.orderPage(p))
	case views.ButtonTake:
		return r.takeOrder(form, p, basket)
	case views.ButtonLook, "": // a form that is sent by Enter has no button
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "This form has no such button.")
	}
	quote, err := r.shop.Quote(r.ctx(), basket)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if !showQuote(&p, quote) {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, r.orderPage(p))
}

func (r *request) takeOrder(form web.Form, p views.NewOrder, basket store.Basket) error {
	total, err := money(form, "total")
	if err != nil {
		return err
	}
	id, err := r.shop.TakeOrder(r.ctx(), store.Taking{Basket: basket, Total: total}, form.Once())
	return r.changed(err, "The order was taken.", views.OrderPath(id), func(refused *store.Error) (templ.Component, error) {
		quote, err := r.shop.Quote(r.ctx(), basket)
		if err != nil {
			return nil, err
		}
		if showQuote(&p, quote) {
			p.Problem = refused.Message
		}
		return r.orderPage(p), nil
	})
}

// typedOrder reads a new order as it was typed. Lines in which nothing stands
// are shown again, but are no lines of the order.
func typedOrder(form web.Form) (views.NewOrder, store.Basket) {
	p := views.NewOrder{Customer: ui.Input{Value: form.Get(store.FieldCustomer)}}
	basket := store.Basket{Customer: p.Customer.Value}
	for n := 1; n <= store.MaxLines && form.All(views.ProductParam(n)) != nil; n++ {
		line := views.NewLine{
			Product:  ui.Input{Value: form.Get(views.ProductParam(n))},
			Quantity: ui.Input{Value: form.Get(views.QuantityParam(n))},
		}
		p.Lines = append(p.Lines, line)
		if empty(line) {
			continue
		}
		quantity, _ := strconv.Atoi(strings.TrimSpace(line.Quantity.Value)) // what is no number is refused as none
		basket.Lines = append(basket.Lines, store.BasketLine{Product: line.Product.Value, Quantity: quantity})
	}
	return p, basket
}

func empty(line views.NewLine) bool {
	return strings.TrimSpace(line.Product.Value+line.Quantity.Value) == ""
}

// showQuote puts a quote on the page, to be confirmed, or where something is
// wrong in it, what.
func showQuote(p *views.NewOrder, quote *store.Quote) (right bool) {
	if quote.Right() {
		p.Quote = quote
		return true
	}
	p.Customer.Error = quote.Wrong
	n := 0
	for i := range p.Lines {
		if line := &p.Lines[i]; !empty(*line) {
			line.Product.Error, line.Quantity.Error = quote.Lines[n].WrongProduct, quote.Lines[n].WrongQuantity
			n++
		}
	}
	if n == 0 {
		p.Problem = "An order has a line at least."
	}
	return false
}
