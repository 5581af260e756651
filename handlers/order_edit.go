package handlers

import (
	"errors"
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

func showOrderEdit(r *request) error { return r.showForm(r.orderEditForm) }

// editOrder handles the pressed button of the form: it adds a line, returns to the
// fields, shows the changes with the new total, or saves them.
func editOrder(r *request) error {
	form, err := r.readLineForm(views.ButtonParam, "total")
	if err != nil {
		return err
	}
	e := enteredEdit(r.id(), form)
	switch form.Get(views.ButtonParam) {
	case views.ButtonAdd, views.ButtonEdit:
		return r.showOrderEdit(form, nil, nil)
	case views.ButtonPlace:
		return r.saveOrderEdit(form, e)
	case views.ButtonReview, "": // Enter submits the form without a button
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
	}
	quote, err := r.shop.QuoteOrderEdit(r.ctx(), e)
	if err != nil {
		return r.rejectChange(err, r.rerender(form, r.orderEditForm))
	}
	return r.showOrderEdit(form, nil, quote)
}

func (r *request) saveOrderEdit(form web.Form, e store.OrderEdit) error {
	var err error
	if e.Total, err = money(form, "total"); err != nil {
		return err
	}
	err = r.shop.EditOrder(r.ctx(), e, form.Token())
	return r.finishChange(err, "Order saved.", views.OrderPath(e.OrderID), func(rejected *store.Error) (templ.Component, error) {
		quote, err := r.shop.QuoteOrderEdit(r.ctx(), e)
		var other *store.Error
		switch {
		case errors.As(err, &other) && (other.Kind == store.Conflict || other.Kind == store.Invalid):
			quote = nil
		case err != nil:
			return nil, err
		}
		return r.orderEditPage(form, rejected, quote)
	})
}

// enteredEdit reads a correction from its form. Empty lines are left out.
func enteredEdit(orderID string, form web.Form) store.OrderEdit {
	e := store.OrderEdit{OrderID: orderID, Version: form.Version()}
	for n := 1; n <= maxFormLines; n++ {
		product, quantity := form.Get(views.ProductParam(n)), form.Get(views.QuantityParam(n))
		if strings.TrimSpace(product+quantity) == "" {
			continue
		}
		number, err := strconv.Atoi(strings.TrimSpace(quantity))
		if err != nil {
			number = -1 // the store rejects it
		}
		e.Lines = append(e.Lines, store.BasketLine{Product: product, Quantity: number})
	}
	return e
}

func (r *request) orderEditForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	return r.orderEditPage(form, rejected, nil)
}

// showOrderEdit shows the form as entered. If there is a quote, it shows the changes, or
// the errors of the quote.
func (r *request) showOrderEdit(form web.Form, rejected *store.Error, quote *store.OrderEditQuote) error {
	page, err := r.orderEditPage(form, rejected, quote)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if quote != nil && !quote.IsValid() {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

func (r *request) orderEditPage(form web.Form, rejected *store.Error, quote *store.OrderEditQuote) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.OrderEdit{Form: r.formState(form, rejected, order.Version), Order: *order}
	if r.Request().Method == http.MethodPost && !p.Conflict {
		p.Version = form.Version()
	}
	enterOrderEdit(&p, form, quote)
	if quote != nil && quote.IsValid() {
		p.Quote = quote
	} else if quote != nil && p.Problem == "" && !p.HasErrors() {
		p.Problem = "Change a quantity or add a product."
	}
	if form.Get(views.ButtonParam) == views.ButtonAdd && len(p.Lines)+len(p.Added) < maxFormLines {
		p.Added = append(p.Added, views.AddedLine{})
	}
	p.Levels, err = r.shop.StockLevels(r.ctx(), p.ProductIDs())
	p.Page = r.page("Edit order") // with the requests made so far
	return views.OrderEditPage(p), err
}

// enterOrderEdit adds the lines of the order and the entered lines to the page, with the
// errors of the quote. Cancelled items cannot be changed.
func enterOrderEdit(p *views.OrderEdit, form web.Form, quote *store.OrderEditQuote) {
	stored := map[string]int{}
	for i := range p.Order.Items {
		if line := p.Order.Items[i]; !line.Cancelled {
			stored[line.ProductID] = len(p.Lines)
			p.Lines = append(p.Lines, views.LineForm{Line: line, Quantity: ui.Input{Value: strconv.Itoa(line.Quantity)}})
		}
	}
	at := 0
	for n := 1; n <= maxFormLines; n++ {
		product, quantity := form.Get(views.ProductParam(n)), form.Get(views.QuantityParam(n))
		if strings.TrimSpace(product+quantity) == "" {
			continue
		}
		line := views.AddedLine{Product: ui.Input{Value: product}, Quantity: ui.Input{Value: quantity}}
		if quote != nil {
			line.Product.Error, line.Quantity.Error = quote.Lines[at].ProductError, quote.Lines[at].QuantityError
		}
		at++
		if i, found := stored[product]; found {
			p.Lines[i].Quantity = line.Quantity
		} else {
			p.Added = append(p.Added, line)
		}
	}
	if len(p.Added) == 0 {
		p.Added = []views.AddedLine{{}}
	}
}
