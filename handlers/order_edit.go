package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// orderEdit is a submitted form that corrects an order.
type orderEdit struct {
	web.Form
	edit  store.OrderEdit
	lines []views.NewLine // entered lines
}

// showOrderEdit shows the form with the values of its draft, or else with the lines of the
// order.
func showOrderEdit(r *request) error { return r.showEdited(enteredEdit(r.id(), r.draft()), nil) }

// editOrder handles the form that corrects an order. Depending on the button, it adds a
// line, returns to the fields, shows the changes with the new total, or saves them.
func editOrder(r *request) error {
	form, err := r.readLineForm(append(productPicks(maxFormLines), views.ButtonParam, "total")...)
	if err != nil {
		return err
	}
	e := enteredEdit(r.id(), form)
	button := form.Get(views.ButtonParam)
	if button == views.ButtonPlace {
		return r.saveOrderEdit(e)
	}
	isSaved, err := r.saveDraft(form)
	if err != nil {
		return err
	}
	switch button {
	case views.ButtonAdd:
		if isSaved { // after a redirect, the browser's Back button returns to this form, even without scripts
			return web.Redirect(r.Context, r.draftPath())
		}
		return r.showEdited(e, nil)
	case views.ButtonEdit:
		return r.showEdited(e, nil)
	case views.ButtonReview, "": // Enter submits the form without pressing a button
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
	}
	quote, err := r.quoteEdit(e)
	if err != nil {
		return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) { return r.orderEditPage(e, rejected, nil) })
	}
	return r.showEdited(e, quote)
}

// enteredEdit reads the entered correction from the form.
func enteredEdit(orderID string, form web.Form) *orderEdit {
	e := &orderEdit{Form: form, edit: store.OrderEdit{OrderID: orderID, Version: form.Version()}}
	for n := 1; n <= maxFormLines; n++ {
		product, named := enteredPick(form, views.ProductParam(n))
		line := views.NewLine{Product: product, Quantity: ui.Input{Value: form.Get(views.QuantityParam(n))}}
		if isEmpty(line) {
			continue
		}
		quantity, err := store.ParseWhole(views.QuantityParam(n), line.Quantity.Value)
		if err != nil {
			quantity = -1 // invalid, so the store rejects it
		}
		e.lines = append(e.lines, line)
		e.edit.Lines = append(e.edit.Lines, store.BasketLine{Product: named, Quantity: quantity})
	}
	return e
}

// quoteEdit returns the changes and the new total. If the user typed a name instead of
// choosing a product, it searches for the product. If the name does not identify one, the
// form offers the matching products.
func (r *request) quoteEdit(e *orderEdit) (*store.OrderEditQuote, error) {
	quote, err := r.shop.QuoteOrderEdit(r.ctx(), e.edit)
	if err != nil || quote.IsValid() {
		return quote, err
	}
	names := nameSearch{request: r}
	for i := range e.lines {
		if quote.Lines[i].ProductID() != "" {
			continue
		}
		if err := names.replace(&e.lines[i].Product, store.ChooseProduct, &e.edit.Lines[i].Product); err != nil {
			return nil, err
		}
	}
	if !names.found {
		return quote, nil
	}
	return r.shop.QuoteOrderEdit(r.ctx(), e.edit)
}

func (r *request) saveOrderEdit(e *orderEdit) error {
	var err error
	if e.edit.Total, err = store.ParseMoney("total", e.Get("total")); err != nil {
		return err
	}
	err = r.shop.EditOrder(r.ctx(), e.edit, e.Token())
	if isStored(err) {
		r.deleteDraft()
	}
	return r.finishOrderChange(err, "Order saved.", e.edit.OrderID, func(rejected *store.Error) (templ.Component, error) {
		quote, err := r.shop.QuoteOrderEdit(r.ctx(), e.edit)
		var other *store.Error
		switch {
		case errors.As(err, &other) && (other.Kind == store.Conflict || other.Kind == store.Invalid):
			quote = nil
		case err != nil:
			return nil, err
		}
		return r.orderEditPage(e, rejected, quote)
	})
}

// showEdited shows the form with the entered values. If quote is not nil, it shows the
// changes for review, or the errors in them.
func (r *request) showEdited(e *orderEdit, quote *store.OrderEditQuote) error {
	page, err := r.orderEditPage(e, nil, quote)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if quote != nil && !quote.IsValid() {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

func (r *request) orderEditPage(e *orderEdit, rejected *store.Error, quote *store.OrderEditQuote) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.OrderEdit{Form: r.formState(e.Form, rejected, order.Version), Order: *order}
	p.Action = r.draftPath()
	if !e.IsEmpty() && !p.Conflict {
		p.Version = e.edit.Version
	}
	e.show(&p, quote)
	if quote != nil && quote.IsValid() {
		p.Quote = quote
	} else if quote != nil && p.Problem == "" && !p.HasErrors() {
		p.Problem = "Change a quantity or add a product."
	}
	if e.Get(views.ButtonParam) == views.ButtonAdd && len(p.Lines)+len(p.Added) < maxFormLines {
		p.Added = append(p.Added, views.NewLine{})
	}
	p.Levels, err = r.shop.StockLevels(r.ctx(), p.ProductIDs())
	p.Page = r.page("Edit order") // after the other reads, so that the footer includes them
	return views.OrderEditPage(p), err
}

// show adds lines to the page: those of the order, and those that the user has added, with
// the errors of the quote. It leaves out cancelled items, because they cannot be changed.
func (e *orderEdit) show(p *views.OrderEdit, quote *store.OrderEditQuote) {
	stored := map[string]int{}
	for i := range p.Order.Items {
		if line := p.Order.Items[i]; !line.Cancelled {
			stored[line.ProductID] = len(p.Lines)
			p.Lines = append(p.Lines, views.LineForm{Line: line, Quantity: ui.Input{Value: strconv.Itoa(line.Quantity)}})
		}
	}
	for i, line := range e.lines {
		if quote != nil {
			line.Product.Error = orChoose(quote.Lines[i].ProductError, line.Product, store.ChooseProduct)
			line.Quantity.Error = quote.Lines[i].QuantityError
		}
		at, found := stored[e.edit.Lines[i].Product]
		if !found {
			p.Added = append(p.Added, line)
			continue
		}
		p.Lines[at].Quantity = line.Quantity
		delete(stored, e.edit.Lines[i].Product) // so that another line with this product becomes an added line
	}
	if len(p.Added) == 0 {
		p.Added = []views.NewLine{{}}
	}
}
