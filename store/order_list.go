package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderFilter selects orders by status and days. The zero filter selects the orders of
// the last openMonths months.
type OrderFilter struct {
	Status OrderStatus
	DateRange
	Stock OrderStock // used only by StockedOrders; requires a Status
}

// Orders lists the orders with the status and on the days of f. It ignores f.Stock. With
// a status, the oldest orders come first. Without a status, the newest come first, and a
// range without a first day covers openMonths months. reverse reverses the list.
func (a Access) Orders(ctx context.Context, f OrderFilter, reverse bool, page Page) (List[Order], error) {
	if err := a.require(Browse); err != nil {
		return List[Order]{}, err
	}
	q, err := a.ordersQuery(ctx, f, reverse)
	if err != nil {
		return List[Order]{}, err
	}
	return list(ctx, a.store, q, page, decodeOrderRow)
}

func (a Access) ordersQuery(ctx context.Context, f OrderFilter, reverse bool) (table.Query, error) {
	q, err := a.byStatusOrMonth(ctx, getOrdersByStatus, getOrdersByMonth, string(f.Status), f.DateRange)
	q.Reverse = reverse
	return q, err
}

// OrdersOfCustomer lists a customer's orders in a range of dates, newest
// first.
func (a Access) OrdersOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[Order], error) {
	return listOfCustomer(ctx, a, getCustomerOrders, customerID, r, page, decodeOrderRow)
}

// InvoicesOfCustomer lists a customer's invoices in a range of dates, newest
// first.
func (a Access) InvoicesOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[Invoice], error) {
	return listOfCustomer(ctx, a, getCustomerInvoices, customerID, r, page, decodeAs[Invoice])
}

// ProductsOfCustomer lists the order lines of a customer in a range of dates,
// newest first.
func (a Access) ProductsOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[OrderItem], error) {
	return listOfCustomer(ctx, a, getCustomerProducts, customerID, r, page, decodeAs[OrderItem])
}

// listOfCustomer runs a query for a customer and a range of dates. The newest rows come
// first, because customers usually ask about recent orders.
func listOfCustomer[T any](ctx context.Context, a Access, p *Pattern, customerID string, r DateRange, page Page, decode func(Row, *T) error) (List[T], error) {
	if err := a.require(Browse); err != nil {
		return List[T]{}, err
	}
	q, err := a.store.inRange(ctx, p, r, key.Map{"customerID": customerID})
	if err != nil {
		return List[T]{}, err
	}
	q.Reverse = true
	return list(ctx, a.store, q, page, decode)
}

func (a Access) byStatusOrMonth(ctx context.Context, byStatus, byMonth *Pattern, status string, r DateRange) (table.Query, error) {
	if status != "" {
		return a.store.byStatus(ctx, byStatus, r, status)
	}
	return a.store.byMonth(ctx, byMonth, r)
}
