package store

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxLines is how many lines an order has at most, one a product.
const MaxLines = 80

// Basket is what somebody wants to order, as it was typed.
type Basket struct {
	Customer string // an ID or an e-mail address
	Lines    []BasketLine
}

// BasketLine is a product, by its ID or its SKU, and how many of it.
type BasketLine struct {
	Product  string
	Quantity int
}

// Quote is a basket with names and prices as they are now, and with what is
// wrong in it. Lines are those of the basket, in its order.
type Quote struct {
	Customer      *Customer // nil: not known
	CustomerError string    // with the customer; "" where nothing is
	Lines         []QuotedLine
	Total         Amount // of the lines that are right
}

// QuotedLine is one line of a quote.
type QuotedLine struct {
	Product       *Product // nil: not known
	Quantity      int
	ProductError  string // a sentence; "" where it is right
	QuantityError string
}

// Total is the price of the line.
func (l *QuotedLine) Total() Amount { return l.Product.Price.Times(l.Quantity) }

func (l *QuotedLine) isValid() bool { return l.ProductError == "" && l.QuantityError == "" }

// IsValid says whether the quote can become an order.
func (q *Quote) IsValid() bool {
	for i := range q.Lines {
		if !q.Lines[i].isValid() {
			return false
		}
	}
	return q.CustomerError == "" && len(q.Lines) > 0
}

// Quote looks a basket up: who orders, what and for how much. It reads
// consistently, because an order is made of what it finds.
func (a Access) Quote(ctx context.Context, b Basket) (*Quote, error) {
	if err := a.require(Sell); err != nil {
		return nil, err
	}
	if len(b.Lines) > MaxLines {
		return nil, InvalidField("", "An order has %d lines at most.", MaxLines)
	}
	q := &Quote{Lines: make([]QuotedLine, len(b.Lines))}
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { return a.quoteCustomer(ctx, b.Customer, q) })
	all.Go(func() error { return a.quoteLines(ctx, b.Lines, q) })
	if err := all.Wait(); err != nil {
		return nil, err
	}
	return q, nil
}

func (a Access) quoteCustomer(ctx context.Context, typed string, q *Quote) error {
	id := strings.TrimSpace(typed)
	if strings.Contains(id, "@") && key.CheckID(id) == nil {
		found, err := a.CustomersByEmail(ctx, id)
		if err != nil {
			return err
		}
		switch len(found.Rows) {
		case 0:
			q.CustomerError = "No customer has this e-mail address."
			return nil
		case 1:
			id = found.Rows[0].ID
		default:
			q.CustomerError = "Several customers have this address. Write the ID of one."
			return nil
		}
	}
	if key.CheckID(id) != nil {
		q.CustomerError = "Write a customer's ID or e-mail address."
		return nil
	}
	customer, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": id})
	if KindOf(err) == NotFound {
		q.CustomerError = "There is no customer with this ID."
		return nil
	}
	if err == nil {
		q.Customer = customer
	}
	return err
}

// quoteLines finds all products by ID in one request, and those that are none
// by SKU: an index has to be asked for each, and what it finds is read once
// more, because an index lags behind.
func (a Access) quoteLines(ctx context.Context, lines []BasketLine, q *Quote) error {
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = strings.TrimSpace(line.Product)
	}
	byID, err := a.store.productsByID(ctx, names)
	if err != nil {
		return err
	}
	found := make([]string, len(lines)) // the ID of the product with this SKU
	all, asking := errgroup.WithContext(ctx)
	for i, sku := range names {
		if key.CheckID(sku) != nil || byID[sku] != nil {
			continue
		}
		all.Go(func() error {
			list, err := a.ProductsBySKU(asking, sku)
			if err == nil && len(list.Rows) == 1 {
				found[i] = list.Rows[0].ID
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	bySKU, err := a.store.productsByID(ctx, found)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for i, line := range lines {
		quoted := &q.Lines[i]
		quoted.Quantity = line.Quantity
		if quoted.Product = byID[names[i]]; quoted.Product == nil {
			quoted.Product = bySKU[found[i]]
		}
		quoted.check(taken)
		if quoted.isValid() {
			q.Total = q.Total.Plus(quoted.Total())
		}
	}
	return nil
}

func (l *QuotedLine) check(taken map[string]bool) {
	switch {
	case l.Product == nil:
		l.ProductError = "No product has this SKU or ID."
	case taken[l.Product.ID]:
		l.ProductError = "This product has a line already: raise its quantity."
	default:
		taken[l.Product.ID] = true
	}
	if l.Quantity < 1 || l.Quantity > maxQuantity {
		l.QuantityError = "Write a whole number from 1 to " + mostQuantity + "."
	}
}

// productsByID reads products consistently, each once, under those of the
// names that are IDs.
func (s *Store) productsByID(ctx context.Context, names []string) (map[string]*Product, error) {
	products := map[string]*Product{}
	var values []key.Map
	for _, name := range names {
		if _, twice := products[name]; !twice && key.CheckID(name) == nil {
			products[name] = nil
			values = append(values, key.Map{"productID": name})
		}
	}
	items, err := s.table.GetMany(ctx, getProduct, values, true)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		product, err := table.DecodeAs[*Product](schema, item, nil)
		if err != nil {
			return nil, err
		}
		products[product.ID] = product
	}
	return products, nil
}
