package handlers

import (
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// showPackingSlips shows the packing slips of the selected orders, for printing.
func showPackingSlips(r *request) error {
	orders, selection, next, err := r.selectedOrders()
	if err != nil {
		return err
	}
	p := views.PackingSlips{Page: r.page("Packing slips"), Orders: orders, Company: r.settings.Company, ListPath: selection.ListPath()}
	p.NextPart = next
	return r.show(views.PackingSlipsPage(p))
}

// selectedOrders reads the complete orders that were selected in a list. The result next is
// the address of the next page for printing, or "". The address contains the parameters in
// kept.
func (r *request) selectedOrders(kept ...string) (orders []store.OrderDetails, s views.BulkSelection, next string, err error) {
	s = r.selected(store.BulkShip, &views.BulkOrders)
	f, err := orderFilter(&s)
	if err != nil {
		return nil, s, "", err
	}
	for i := range s.Rows {
		s.Rows[i], _, _ = strings.Cut(s.Rows[i], "#") // remove # and the customer ID, which the list adds to the order ID
	}
	ids, next, err := printedRows(r, &s, "orders", func(page store.Page) (store.List[store.StockedOrder], error) {
		if f.Stock == "" {
			return r.shop.OrdersWithoutStock(r.ctx(), f, false, page)
		}
		return r.shop.StockedOrders(r.ctx(), f, false, page)
	}, func(o *store.StockedOrder) string { return o.ID }, kept...)
	if err != nil {
		return nil, s, "", err
	}
	orders, err = r.wholeOrders(ids)
	return orders, s, next, err
}

// wholeOrders reads the complete orders with these IDs. It skips duplicates, and orders
// that no longer exist.
func (r *request) wholeOrders(ids []string) ([]store.OrderDetails, error) {
	ids = uniqueOf(ids)
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
