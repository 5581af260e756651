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

// maxSelectedOrders limits the number of orders that can be shipped or printed
// together, and of rows of other lists that can be printed together.
const maxSelectedOrders = 50

// redirectSelected redirects from the list of orders to the page of the pressed
// button, with the IDs of the selected orders.
func redirectSelected(r *request) error {
	path := "/orders/slips"
	switch r.QueryParam(views.ButtonParam) {
	case views.ButtonShip:
		path = "/orders/ship"
	case views.ButtonPick:
		path = "/orders/pick"
	}
	return web.Redirect(r.Context, path+"?"+url.Values{"order": r.QueryParams()["order"]}.Encode())
}

// showPackingSlips shows the packing slips of the orders in the query string, for printing.
func showPackingSlips(r *request) error {
	orders, err := r.selectedOrders(r.QueryParams()["order"])
	if err != nil {
		return err
	}
	return r.show(views.PackingSlipsPage(views.PackingSlips{Page: r.page("Packing slips"), Orders: orders, Company: r.settings.Company}))
}

// showShipSelectedForm shows the orders in the query string and a field for the
// warehouse.
func showShipSelectedForm(r *request) error {
	return r.showForm(r.shipSelectedForm(r.QueryParams()["order"]))
}

func (r *request) shipSelectedForm(ids []string) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		orders, err := r.selectedOrders(ids)
		if err != nil {
			return nil, err
		}
		warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
		if err != nil {
			return nil, err
		}
		return views.OrderShipSelectedPage(views.OrderShipSelected{
			Page: r.page("Ship orders"), Form: r.formState(form, rejected, 0), Orders: orders,
			Warehouses: warehouses.Rows, Warehouse: formInput(form, rejected, store.FieldWarehouse),
		}), nil
	}
}

// selectedOrders reads the orders with these IDs. It leaves out duplicates and
// orders that no longer exist.
func (r *request) selectedOrders(ids []string) ([]store.OrderDetails, error) {
	ids, err := uniqueIDs(ids)
	if err != nil {
		return nil, err
	}
	found := make([]*store.OrderDetails, len(ids))
	group, ctx := errgroup.WithContext(r.ctx())
	for i, id := range ids {
		group.Go(func() error { return ifFound(&found[i])(r.shop.Order(ctx, id)) })
	}
	if err := group.Wait(); err != nil {
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

func uniqueIDs(ids []string) ([]string, error) {
	unique := uniqueOf(ids)
	if len(unique) > maxSelectedOrders {
		return nil, echo.NewHTTPError(http.StatusUnprocessableEntity, fmt.Sprintf("Select at most %d orders.", maxSelectedOrders))
	}
	return unique, nil
}

// uniqueOf returns the IDs without duplicates.
func uniqueOf(ids []string) []string {
	var unique []string
	for _, id := range ids {
		if !slices.Contains(unique, id) {
			unique = append(unique, id)
		}
	}
	return unique
}

// shipSelected ships the open items of each order, one transaction per order, and
// shows each result. Submitting the form again ships nothing twice.
func shipSelected(r *request) error {
	form, err := r.readForm("order*", store.FieldWarehouse)
	if err != nil {
		return err
	}
	ids, err := uniqueIDs(form.All("order"))
	if err != nil {
		return err
	}
	from := form.Get(store.FieldWarehouse)
	if err := r.shop.RequireShipFrom(from); err != nil {
		return r.finishChange(err, "", "", r.rerender(form, r.shipSelectedForm(ids)))
	}
	shipped := views.OrderShipResults{Warehouse: from}
	for _, id := range ids {
		problem, err := shipProblem(r.shop.ShipOpenItems(r.ctx(), id, from, form.Token()))
		if err != nil {
			return err
		}
		shipped.Orders = append(shipped.Orders, views.OrderShipResult{OrderID: id, Problem: problem})
	}
	shipped.Page = r.page("Ship orders")
	if err := r.site.tools.SetFlash(r.Context, "", r.changes); err != nil { // pass the changes on, so that the next page shows these orders as shipped
		return err
	}
	return r.show(views.OrderShipResultsPage(shipped))
}

// shipProblem returns the message for an order that could not be shipped. If the
// error has no message for the user, or if the request was cancelled, it returns the
// error as fatal. The remaining orders are then not shipped.
func shipProblem(err error) (problem string, fatal error) {
	var rejected *store.Error
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &rejected) && !errors.Is(err, context.Canceled):
		return rejected.Message, nil
	}
	return "", err
}
