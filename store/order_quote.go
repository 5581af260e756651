package store

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxLines is the maximum number of lines of a new order, which has one line for each
// product. A line takes two of the 100 actions of a transaction: one for the order line,
// and one for the stock level. Imported orders can have more lines.
const MaxLines = 45

// Basket is a new order as the user entered it.
type Basket struct {
	Customer string // an ID or an email address
	Lines    []BasketLine
}

// BasketLine is a product, by ID or SKU, and a quantity.
type BasketLine struct {
	Product  string
	Quantity int
}

// Quote is a basket with current names and prices, and with an error message for each
// invalid field. Its lines are in the same sequence as in the basket.
type Quote struct {
	Customer      *Customer // nil if there is no such customer, or if the customer is closed
	Closed        *Choice   // the customer, if closed; otherwise nil
	CustomerError string    // "" if there is none
	Lines         []QuotedLine
	Total         Amount // sum of the valid lines
	ItemCount     int    // sum of the quantities of the valid lines
}

// QuotedLine is one line of a quote.
type QuotedLine struct {
	Product       *Product // nil if not found
	Quantity      int
	ProductError  string // "" if there is none
	QuantityError string
}

// Total returns the total price of the line.
func (l *QuotedLine) Total() Amount { return l.Product.Price.Times(l.Quantity) }

func (l *QuotedLine) isValid() bool { return l.ProductError == "" && l.QuantityError == "" }

// IsValid reports whether the quote has lines and no errors, so that it can become an
// order.
func (q *Quote) IsValid() bool {
	for i := range q.Lines {
		if !q.Lines[i].isValid() {
			return false
		}
	}
	return q.CustomerError == "" && len(q.Lines) > 0
}

// ProductIDs returns the IDs of the products that were found.
func (q *Quote) ProductIDs() []string {
	var ids []string
	for i := range q.Lines {
		if p := q.Lines[i].Product; p != nil {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Quote looks up the customer, products and prices of a basket. Its reads are consistent,
// because PlaceOrder uses the result. It returns Invalid if the basket has more than
// MaxLines lines. Other errors of the basket are in the result.
func (a Access) Quote(ctx context.Context, b Basket) (*Quote, error) {
	if err := a.require(Sell); err != nil {
		return nil, err
	}
	if len(b.Lines) > MaxLines {
		return nil, InvalidField("", "An order can have at most %d lines.", MaxLines)
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

func (a Access) quoteCustomer(ctx context.Context, entered string, q *Quote) error {
	id := strings.TrimSpace(entered)
	if strings.Contains(id, "@") && key.CheckID(id) == nil {
		found, err := a.CustomersByEmail(ctx, id)
		if err != nil {
			return err
		}
		switch len(found.Rows) {
		case 0:
			q.CustomerError = "No customer has this email address."
			return nil
		case 1:
			id = found.Rows[0].ID
		default:
			q.CustomerError = "Several customers have this email address. Enter a customer ID."
			return nil
		}
	}
	if key.CheckID(id) != nil {
		q.CustomerError = "Enter the name, phone number, email address or ID of a customer."
		return nil
	}
	customer, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": id})
	if KindOf(err) == NotFound {
		q.CustomerError = "No customer found. Enter the start of any word of the name, a phone number, an email address or an ID."
		return nil
	}
	if err != nil {
		return err
	}
	if customer.IsClosed() {
		closed := customer.choice()
		q.Closed, q.CustomerError = &closed, closed.ErrClosed(FieldCustomer).Message
		return nil
	}
	q.Customer = customer
	return nil
}

func (a Access) quoteLines(ctx context.Context, lines []BasketLine, q *Quote) error {
	products, err := a.productsOfLines(ctx, lines)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for i, line := range lines {
		quoted := &q.Lines[i]
		quoted.Product, quoted.Quantity = products[i], line.Quantity
		quoted.check(used)
		if quoted.isValid() {
			q.add(quoted)
		}
	}
	return nil
}

// add adds a valid line to the totals of the quote. If the order would become too
// large to store, it sets an error of the line instead.
func (q *Quote) add(line *QuotedLine) {
	total, quantity := q.Total.Plus(line.Total()), q.ItemCount+line.Quantity
	switch {
	case !total.isStorable():
		line.QuantityError = "The order's total must be less than 10,000,000,000. Place several smaller orders."
	case quantity > maxQuantity:
		line.QuantityError = "An order can have at most " + maxQuantityText + " pieces. Place several smaller orders."
	default:
		q.Total, q.ItemCount = total, quantity
	}
}

// productsOfLines returns the product of each line, or nil if no product has the entered ID
// or SKU, or if several have the SKU. It first looks up all lines by ID in one request. For
// each line not found, it queries the index of SKUs. It then reads the found products again
// by ID, because the index is updated with a delay.
func (a Access) productsOfLines(ctx context.Context, lines []BasketLine) ([]*Product, error) {
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = strings.TrimSpace(line.Product)
	}
	byID, err := a.store.productsByID(ctx, names)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(lines)) // for each line with an SKU: the ID of the product with this SKU
	all, queries := errgroup.WithContext(ctx)
	for i, sku := range names {
		if key.CheckID(sku) != nil || byID[sku] != nil {
			continue
		}
		all.Go(func() error {
			list, err := a.ProductsBySKU(queries, sku)
			if err == nil && len(list.Rows) == 1 {
				ids[i] = list.Rows[0].ID
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	bySKU, err := a.store.productsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	products := make([]*Product, len(lines))
	for i, name := range names {
		if products[i] = byID[name]; products[i] == nil {
			products[i] = bySKU[ids[i]]
		}
	}
	return products, nil
}

// check sets the errors of a line. used contains the products of earlier lines. check adds
// the product of this line to used.
func (l *QuotedLine) check(used map[string]bool) {
	switch {
	case l.Product == nil:
		l.ProductError = "No product found. Enter the start of any word of the name, an SKU or an ID."
	case l.Product.Archived:
		l.ProductError = "This product is archived. Choose another one."
	case used[l.Product.ID]:
		l.ProductError = "This product is already on another line. Change the quantity there."
	default:
		used[l.Product.ID] = true
	}
	if l.Quantity < 1 || l.Quantity > maxQuantity {
		l.QuantityError = "Enter a whole number from 1 to " + maxQuantityText + "."
	}
}

// productsByID makes consistent reads of the products with the IDs in names. It ignores
// names that cannot be IDs. The result contains nil for an ID without a product.
func (s *Store) productsByID(ctx context.Context, names []string) (map[string]*Product, error) {
	products := map[string]*Product{}
	var values []key.Map
	for _, name := range names {
		if _, listed := products[name]; !listed && key.CheckID(name) == nil {
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
