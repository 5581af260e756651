package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// maxTogether is how many orders are worked on at once.
const maxTogether = 50

// chooseOrders goes on from a list of orders to what the button says, with
// those that were ticked.
func chooseOrders(r *request) error {
	path := "/orders/slips"
	if r.QueryParam(views.ButtonParam) == views.ButtonShip {
		path = "/orders/ship"
	}
	return web.Redirect(r.Context, path+"?"+url.Values{"order": r.QueryParams()["order"]}.Encode())
}

// printSlips shows the packing slips of the orders in the address.
func printSlips(r *request) error {
	orders, err := r.chosen(r.QueryParams()["order"])
	if err != nil {
		return err
	}
	return r.show(views.SlipsPage(views.Slips{Page: r.page("Packing slips"), Orders: orders}))
}

// askTogether asks from where the orders in the address are shipped.
func askTogether(r *request) error {
	return r.ask(r.togetherForm(r.QueryParams()["order"]))
}

func (r *request) togetherForm(ids []string) formPage {
	return func(form web.Form, refused *store.Error) (templ.Component, error) {
		orders, err := r.chosen(ids)
		if err != nil {
			return nil, err
		}
		warehouses, err := r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit})
		if err != nil {
			return nil, err
		}
		return views.TogetherPage(views.Together{
			Page: r.page("Ship together"), Form: r.formOf(form, refused, 0), Orders: orders,
			Warehouses: warehouses.Rows, Warehouse: typed(form, refused, store.FieldWarehouse),
		}), nil
	}
}

// chosen reads the orders that were ticked on a list, each once. One that is
// not there is left out.
func (r *request) chosen(ids []string) ([]store.OrderDetails, error) {
	ids, err := eachOnce(ids)
	if err != nil {
		return nil, err
	}
	found := make([]*store.OrderDetails, len(ids))
	all, ctx := errgroup.WithContext(r.ctx())
	for i, id := range ids {
		all.Go(func() error { return ifThere(&found[i])(r.shop.Order(ctx, id)) })
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	var orders []store.OrderDetails
	for _, order := range found {
		if order != nil {
			orders = append(orders, *order)
		}
	}
	return orders, nil
}

func eachOnce(ids []string) ([]string, error) {
	var once []string
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	if len(once) > maxTogether {
		return nil, echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("At most %d orders are worked on at once.", maxTogether))
	}
	return once, nil
}

// shipTogether ships all that is open of each order, one after the other,
// each in a change of its own, and says what became of each. The same form
// ships none of them twice.
func shipTogether(r *request) error {
	form, err := r.form("order*", store.FieldWarehouse)
	if err != nil {
		return err
	}
	ids, err := eachOnce(form.All("order"))
	if err != nil {
		return err
	}
	from := form.Get(store.FieldWarehouse)
	if err := r.shop.MayShipFrom(from); err != nil {
		return r.changed(err, "", "", r.again(form, r.togetherForm(ids)))
	}
	shipped := views.Shipped{Warehouse: from}
	for _, id := range ids {
		problem, err := outcome(r.shop.ShipOpen(r.ctx(), id, from, form.Once()))
		if err != nil {
			return err
		}
		shipped.Orders = append(shipped.Orders, views.ShippedOrder{OrderID: id, Problem: problem})
	}
	shipped.Page = r.page("Ship together")
	return r.show(views.ShippedPage(shipped))
}

// outcome is why one of several changes was not made, in a sentence. What is
// nobody's fault stops the others too.
func outcome(err error) (problem string, fatal error) {
	var refused *store.Error
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &refused) && !errors.Is(err, context.Canceled):
		return refused.Message, nil
	}
	return "", err
}
