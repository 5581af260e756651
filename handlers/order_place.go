package handlers

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// emptyLines is the number of empty lines in a new form.
const emptyLines = 4

// showOrderForm shows the form for a new order. The query string can contain the ID of the
// customer, or of an order to copy. It can also contain the key of a draft.
func showOrderForm(r *request) error {
	q, err := r.query(store.FieldCustomer, views.CopyParam, views.DraftParam)
	if err != nil {
		return err
	}
	if draft := r.draft(); !draft.IsEmpty() {
		return r.showOrderDraft(draft)
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
	return r.show(r.orderPage(web.Form{}, p))
}

// showOrderCopy shows the form for a new order, with the customer and the lines of another
// order. The user then reviews the new order with current prices and names.
func (r *request) showOrderCopy(id string) error {
	order, err := r.shop.Order(r.ctx(), id)
	if err != nil {
		return err
	}
	var p views.NewOrder
	setChosen(&p.Customer, &store.Choice{ID: order.CustomerID, Name: cmp.Or(order.CustomerName, order.CustomerID), Note: order.CustomerID})
	if err := r.describeCopied(&p, order); err != nil {
		return err
	}
	for i := range order.Items[:min(store.MaxLines, len(order.Items))] {
		item := &order.Items[i]
		line := views.NewLine{Quantity: ui.Input{Value: strconv.Itoa(item.Quantity)}}
		setChosen(&line.Product, &store.Choice{ID: item.ProductID, Name: cmp.Or(item.Name, item.ProductID), Note: cmp.Or(item.SKU, item.ProductID)})
		p.Lines = append(p.Lines, line)
	}
	if left := len(order.Items) - len(p.Lines); left > 0 {
		p.Problem = fmt.Sprintf("A new order can have at most %d lines. %s not copied.", store.MaxLines, store.NumberOf(left, "line was", "lines were"))
	}
	if len(p.Lines) == 0 {
		p.Lines = make([]views.NewLine, emptyLines)
	}
	return r.show(r.orderPage(web.Form{}, p))
}

// showOrderDraft shows the form for a new order with the values of a draft.
func (r *request) showOrderDraft(draft web.Form) error {
	p, _, _, err := enteredOrder(draft)
	if err != nil {
		return err
	}
	if err := r.describeEntered(&p); err != nil {
		return err
	}
	return r.show(r.orderPage(draft, p))
}

// orderPage returns the page with the next step of the form. The argument form is empty
// for a new form.
func (r *request) orderPage(form web.Form, p views.NewOrder) templ.Component {
	p.Page, p.Token, p.Action = r.page("New order"), r.tokenOfStep(form), r.draftPath()
	for i := range p.Lines {
		p.Lines[i].Product.CanAdd = r.canAdd(store.ChooseProduct)
	}
	if p.Address == nil {
		p.Address = editFields(store.NewAddressFields, web.Form{}, nil, nil, "")
	}
	return views.NewOrderPage(p)
}

// placeOrder handles the form of a new order. Depending on the button, it adds a line,
// returns to the fields, shows the order with its total, or places the order.
func placeOrder(r *request) error {
	form, err := r.readLineForm(append(productPicks(store.MaxLines), slices.Concat(pickParams(store.FieldCustomer), newFields, store.NewAddressFields.Names(), []string{views.ButtonParam, "total"})...)...)
	if err != nil {
		return err
	}
	p, basket, customer, err := enteredOrder(form)
	if err != nil {
		return err
	}
	button := form.Get(views.ButtonParam)
	if form.Get(web.FieldUnsent) != "" {
		button = views.ButtonEdit
	}
	if button == views.ButtonAdd && len(p.Lines) < store.MaxLines {
		p.Lines = append(p.Lines, views.NewLine{})
		form = form.With(views.ProductParam(len(p.Lines)), "")
	}
	var rejected *store.Error
	if button != views.ButtonPlace {
		isSaved, err := r.saveDraft(form)
		if err != nil {
			return err
		}
		if isSaved && button == views.ButtonAdd { // after a redirect, the browser's Back button returns to this form, even without scripts
			return web.Redirect(r.Context, r.draftPath())
		}
		if err := r.describeEntered(&p); err != nil {
			return err
		}
	}
	if customer != nil && button != views.ButtonPlace {
		if rejected, err = r.offerSameCustomers(&p, *customer); err != nil {
			return err
		}
	}
	switch button {
	case views.ButtonAdd, views.ButtonEdit:
		return r.show(r.orderPage(form, p))
	case views.ButtonPlace:
		return r.confirmOrder(form, p, basket, customer)
	case views.ButtonReview, "": // Enter submits the form without pressing a button
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
	}
	quote, err := r.quote(&p, &basket, customer)
	if err != nil {
		return err
	}
	status := http.StatusOK
	valid, err := r.showQuote(&p, quote)
	if err != nil {
		return err
	}
	if rejected != nil {
		p.Quote, valid = nil, false
		rejectCustomer(&p, form, rejected)
	}
	if !valid {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, r.orderPage(form, p))
}

// describeEntered adds to the page what a submitted form does not contain: details of the
// chosen customer, and of the copied order.
func (r *request) describeEntered(p *views.NewOrder) error {
	if err := r.describeCustomer(&p.Customer); err != nil {
		return err
	}
	id := r.QueryParam(views.CopyParam)
	if id == "" {
		return nil
	}
	var order *store.OrderDetails
	if err := ifFound(&order)(r.shop.Order(r.ctx(), id)); err != nil || order == nil {
		return err
	}
	return r.describeCopied(p, order)
}

// describeCopied adds the ID of the copied order to the page. If the customer is still
// the one of the copied order, and the order's delivery address differs from the
// customer's present address, it also adds the delivery address.
func (r *request) describeCopied(p *views.NewOrder, order *store.OrderDetails) error {
	p.CopyOf = order.ID
	if p.Customer.ID != order.CustomerID {
		return nil
	}
	var customer *store.Customer
	if err := ifFound(&customer)(r.shop.Customer(r.ctx(), order.CustomerID)); err != nil || customer == nil {
		return err
	}
	if customer.Address != order.ShipTo {
		p.CopyShipTo = order.ShipTo
	}
	return nil
}

// describeCustomer adds the city and the contacts of the chosen customer, because several
// customers may have the same name. A submitted form contains only the name and the ID.
func (r *request) describeCustomer(in *views.PickInput) error {
	if in.ID == "" || in.ID == ui.PickedNew {
		return nil
	}
	var chosen *store.Choice
	if err := ifFound(&chosen)(r.shop.ChoiceOf(r.ctx(), store.ChooseCustomer, in.ID)); err != nil || chosen == nil {
		return err
	}
	in.Choices = []ui.Option{{Value: chosen.ID, Text: chosen.Name, Note: chosen.Note}}
	return nil
}

// offerSameCustomers checks a new customer. It adds the customers with the same phone
// number or email address to the page as choices. The result rejected contains the errors
// of the new customer.
func (r *request) offerSameCustomers(p *views.NewOrder, customer store.NewRenter) (rejected *store.Error, err error) {
	p.Same, err = r.shop.CheckNewRenter(r.ctx(), store.ChooseCustomer, customer, "")
	if err != nil && (!errors.As(err, &rejected) || rejected.Kind != store.Invalid) {
		return nil, err
	}
	for _, c := range p.Same {
		p.Customer.Choices = append(p.Customer.Choices, ui.Option{Value: c.ID, Text: c.Name, Note: c.Note})
	}
	return rejected, nil
}

// quoteFor returns the names, prices and total of a basket. The argument customer is the
// customer to add, or nil.
func (r *request) quoteFor(basket store.Basket, customer *store.NewRenter) (*store.Quote, error) {
	quote, err := r.shop.Quote(r.ctx(), basket)
	if err == nil && customer != nil {
		added := customer.Customer()
		quote.Customer, quote.CustomerError = &added, ""
	}
	return quote, err
}

// quote returns the names, prices and total of a basket. If the user typed a name instead
// of choosing a customer or product, it searches for the record. If the name does not
// identify one, the form offers the matching records.
func (r *request) quote(p *views.NewOrder, basket *store.Basket, customer *store.NewRenter) (*store.Quote, error) {
	quote, err := r.quoteFor(*basket, customer)
	if err != nil || quote.IsValid() {
		return quote, err
	}
	names := nameSearch{request: r, takesOnly: true}
	if quote.Customer == nil {
		if err := names.replace(&p.Customer, store.ChooseCustomer, &basket.Customer); err != nil {
			return nil, err
		}
	}
	n := 0
	for i := range p.Lines {
		if isEmpty(p.Lines[i]) {
			continue
		}
		if quote.Lines[n].Product == nil {
			if err := names.replace(&p.Lines[i].Product, store.ChooseProduct, &basket.Lines[n].Product); err != nil {
				return nil, err
			}
		}
		n++
	}
	if !names.found {
		return quote, nil
	}
	return r.quoteFor(*basket, customer)
}

// rerenderOrder returns a function that shows the form again, with the error of the new
// customer.
func (r *request) rerenderOrder(form web.Form, p views.NewOrder) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) {
		if err := r.describeEntered(&p); err != nil {
			return nil, err
		}
		rejectCustomer(&p, form, rejected)
		return r.orderPage(form, p), nil
	}
}

// rejectCustomer adds the errors of the new customer to the page.
func rejectCustomer(p *views.NewOrder, form web.Form, rejected *store.Error) {
	p.NewPerson = newPersonInput(form, rejected)
	p.Address = editFields(store.NewAddressFields, form, rejected, nil, "")
	p.Problem = cmp.Or(formProblem(rejected), p.Problem)
}

// confirmOrder places the order. If the form describes a new customer, it adds the
// customer first. If placing the order then fails, the form shows the customer as an
// existing one.
func (r *request) confirmOrder(form web.Form, p views.NewOrder, basket store.Basket, customer *store.NewRenter) error {
	draft := form
	total, err := store.ParseMoney("total", form.Get("total"))
	if err != nil {
		return err
	}
	if customer != nil {
		if basket.Customer, err = r.shop.AddRenter(r.ctx(), *customer, store.SecondToken(form.Token())); err != nil {
			return r.rejectChange(err, r.rerenderOrder(form, p))
		}
		setChosen(&p.Customer, &store.Choice{ID: basket.Customer, Name: customer.Name, Note: customer.Phone})
		for _, name := range []string{store.FieldCustomer, ui.PickedTextParam(store.FieldCustomer)} {
			draft = draft.With(name, customer.Name)
		}
		draft = draft.With(ui.PickedParam(store.FieldCustomer), basket.Customer)
	}
	id, err := r.shop.PlaceOrder(r.ctx(), store.NewOrder{Basket: basket, Total: total}, form.Token())
	if isStored(err) {
		r.deleteDraft()
	} else if _, err := r.saveDraft(draft); err != nil {
		return err
	}
	return r.finishChange(err, "Order placed.", views.OrderPath(id), func(rejected *store.Error) (templ.Component, error) {
		if err := r.describeEntered(&p); err != nil {
			return nil, err
		}
		quote, err := r.shop.Quote(r.ctx(), basket)
		if err != nil {
			return nil, err
		}
		valid, err := r.showQuote(&p, quote)
		if valid {
			p.Problem = rejected.Message
		}
		return r.orderPage(form, p), err
	})
}

// enteredOrder reads a new order from the form. It also returns the customer to add, or
// nil. The page keeps empty lines, but the basket does not contain them.
func enteredOrder(form web.Form) (p views.NewOrder, basket store.Basket, customer *store.NewRenter, err error) {
	p.NewPerson = newPersonInput(form, nil)
	p.Address = editFields(store.NewAddressFields, form, nil, nil, "")
	if form.Get(ui.PickedParam(store.FieldCustomer)) == ui.PickedNew {
		p.Customer = views.PickInput{Input: ui.Input{Value: form.Get(store.FieldCustomer)}, ID: ui.PickedNew}
		added := newRenter(form)
		customer, err = &added, store.NewAddressFields.Parse(&added, form.Get)
	} else {
		p.Customer, basket.Customer = enteredPick(form, store.FieldCustomer)
	}
	for n := 1; n <= store.MaxLines && form.All(views.ProductParam(n)) != nil; n++ {
		product, named := enteredPick(form, views.ProductParam(n))
		line := views.NewLine{Product: product, Quantity: ui.Input{Value: form.Get(views.QuantityParam(n))}}
		p.Lines = append(p.Lines, line)
		if isEmpty(line) {
			continue
		}
		quantity, _ := store.ParseWhole(views.QuantityParam(n), line.Quantity.Value) // an invalid number becomes 0, which the store rejects
		basket.Lines = append(basket.Lines, store.BasketLine{Product: named, Quantity: quantity})
	}
	return p, basket, customer, err
}

// nameProducts sets the text of the fields with chosen products to the names of these
// products, because the user may have typed only a part of a name before choosing.
func nameProducts(p *views.NewOrder, quote *store.Quote) {
	n := 0
	for i := range p.Lines {
		field := &p.Lines[i].Product
		if isEmpty(p.Lines[i]) {
			continue
		}
		if found := quote.Lines[n].Product; found != nil && field.ID != "" {
			field.Value = cmp.Or(found.Name, found.ID)
			field.Choices = []ui.Option{{Value: found.ID, Text: field.Value, Note: found.SKU}}
		}
		n++
	}
}

func isEmpty(line views.NewLine) bool {
	return strings.TrimSpace(line.Product.Value+line.Quantity.Value) == ""
}

// showQuote adds the quote and the available stock of its products to the page. If the
// order is invalid, it adds the errors and returns false.
func (r *request) showQuote(p *views.NewOrder, quote *store.Quote) (valid bool, err error) {
	nameProducts(p, quote)
	if quote.IsValid() {
		p.Quote = quote
		p.Levels, err = r.shop.StockLevels(r.ctx(), quote.ProductIDs())
		return true, err
	}
	if c := quote.Closed; c != nil {
		p.Customer.Closed = closedOptions([]store.Choice{*c})
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
