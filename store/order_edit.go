package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"stockroom/store/table"
)

// OrderEdit is a correction of an order's lines, as the user confirmed it.
type OrderEdit struct {
	OrderID string
	Version int // version of the order that the form showed

	// Lines contains changed and new lines. For a product that the order already has,
	// Quantity is the new quantity, and 0 removes the line. Other lines add products.
	Lines []BasketLine

	Total Amount // new total of the order, as the user confirmed it
}

// OrderEditQuote is a preview of a correction, with the new total and the errors of its
// lines. Lines are in the same sequence as OrderEdit.Lines.
type OrderEditQuote struct {
	Order   *OrderDetails // the stored order
	Lines   []EditedLine
	Total   Amount // new total of the order
	Paid    Amount // payments of all invoices, minus refunds
	Balance Amount // amount left to pay after the correction; if negative, the amount to refund to the customer

	edited  OrderDetails // the order after the correction
	credits credits
	count   int // number of changed lines
}

// EditedLine is one line of a correction.
type EditedLine struct {
	QuotedLine
	Stored *OrderItem // the stored line; nil for a new line
}

// CanEdit reports whether the lines of the order can be corrected: some items still have to
// ship, and no cancellation or return is unfinished.
func (d *OrderDetails) CanEdit() bool { return d.CanShip() && !d.Unfinished }

// IsValid reports whether the correction changes something and has no errors.
func (q *OrderEditQuote) IsValid() bool {
	return q.count > 0 && !slices.ContainsFunc(q.Lines, func(l EditedLine) bool { return !l.isValid() })
}

// Price returns the unit price of the stored line, or the current price for a new
// line.
func (l *EditedLine) Price() Amount {
	if l.Stored != nil {
		return l.Stored.Price
	}
	return l.Product.Price
}

// Before returns the quantity before the correction, or 0 if the line is not stored yet.
func (l *EditedLine) Before() int {
	if l.Stored == nil {
		return 0
	}
	return l.Stored.Quantity
}

// ProductID returns the ID of the product, or "" if it was not found.
func (l *EditedLine) ProductID() string {
	switch {
	case l.Stored != nil:
		return l.Stored.ProductID
	case l.Product != nil:
		return l.Product.ID
	}
	return ""
}

// QuoteOrderEdit returns what a correction would change. It makes consistent reads. Errors
// in individual lines do not fail the call; they are in the quote. QuoteOrderEdit returns
// NotFound, Conflict if the order has another version, and Invalid if the order cannot be
// corrected.
func (a Access) QuoteOrderEdit(ctx context.Context, e OrderEdit) (*OrderEditQuote, error) {
	if err := a.require(Sell); err != nil {
		return nil, err
	}
	order, err := a.readOrder(ctx, e.OrderID)
	if err != nil {
		return nil, err
	}
	if err := requireVersion(e.Version, order.Version); err != nil {
		return nil, err
	}
	return a.quoteEdit(ctx, order, e)
}

// EditOrder changes the quantities of an order's lines, removes lines and adds lines. The
// same transaction issues an invoice or credit notes for the difference, and updates
// totals, quota and stock levels. New lines get current names and prices. Other lines keep
// their prices.
//
// EditOrder returns Invalid if the order cannot be corrected, if a line has an error (for
// example, a quantity less than the shipped quantity), if no items would be left or if
// nothing would change. It returns Conflict if the order has another version, or if the
// total differs from the confirmed total. It can also return NotFound.
func (a Access) EditOrder(ctx context.Context, e OrderEdit, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	return a.changeOrder(ctx, e.OrderID, token, func(o *orderChange) error {
		if err := requireVersion(e.Version, o.Version); err != nil {
			return err
		}
		q, err := a.quoteEdit(ctx, &o.OrderDetails, e)
		if err != nil {
			return err
		}
		if err := q.confirm(e.Total); err != nil {
			return err
		}
		o.recordOrderEvent(q.event())
		o.OrderDetails, o.credits = q.edited, q.credits
		return nil
	})
}

// confirm returns Invalid if a line has an error or no line changes, and Conflict if the
// total of the quote differs from the total that the user confirmed.
func (q *OrderEditQuote) confirm(total Amount) error {
	for i := range q.Lines {
		if line := &q.Lines[i]; !line.isValid() {
			return InvalidField(FieldLines, "%s", line.ProductError+line.QuantityError)
		}
	}
	if q.count == 0 {
		return InvalidField(FieldLines, "Change a quantity or add a product.")
	}
	if q.Total.Compare(total) != 0 {
		return fail(Conflict, "Prices have changed. Check the new total before you save the order.")
	}
	return nil
}

func (a Access) quoteEdit(ctx context.Context, order *OrderDetails, e OrderEdit) (*OrderEditQuote, error) {
	if !order.CanEdit() {
		return nil, InvalidField("", "This order has no items left to ship, so its items can't be changed.")
	}
	q := &OrderEditQuote{Order: order, Lines: make([]EditedLine, len(e.Lines)), Total: order.Total, edited: order.clone()}
	var added []BasketLine
	for i, line := range e.Lines {
		stored := slices.IndexFunc(order.Items, func(item OrderItem) bool { return item.ProductID == strings.TrimSpace(line.Product) })
		q.Lines[i].Quantity = line.Quantity
		if stored < 0 {
			added = append(added, line)
		} else {
			q.Lines[i].Stored = &order.Items[stored]
		}
	}
	products, err := a.productsOfLines(ctx, added)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for i := range order.Items {
		used[order.Items[i].ProductID] = true
	}
	seen := map[string]bool{}
	for i := range q.Lines {
		line := &q.Lines[i]
		if line.Stored != nil {
			line.checkStored(seen)
		} else {
			line.Product, products = products[0], products[1:]
			line.check(used)
		}
		if line.isValid() {
			q.apply(line, a)
		}
	}
	return q, q.finish()
}

// checkStored sets the error of a line whose product is already in the order. seen contains
// the products of earlier lines. checkStored adds the product of this line to seen.
func (l *EditedLine) checkStored(seen map[string]bool) {
	s := l.Stored
	switch {
	case l.Quantity == s.Quantity && !seen[s.ProductID]:
	case seen[s.ProductID]:
		l.QuantityError = "This product is already on another line. Change the quantity there."
	case s.Cancelled:
		l.QuantityError = "This item is cancelled. Its quantity can't be changed."
	case l.Quantity < 0 || l.Quantity > maxQuantity:
		l.QuantityError = "Enter a whole number from 0 to " + maxQuantityText + "."
	case l.Quantity < s.Shipped:
		l.QuantityError = "Enter " + strconv.Itoa(s.Shipped) + " or more. Already in shipments: " + strconv.Itoa(s.Shipped) + "."
	}
	seen[s.ProductID] = true
}

// apply applies a valid line of the correction to the order in the quote. If the order
// would become too large to store, it sets an error of the line instead.
func (q *OrderEditQuote) apply(line *EditedLine, a Access) {
	d := &q.edited
	if line.Quantity == line.Before() {
		return
	}
	more := line.Quantity - line.Before()
	total := q.Total.Plus(line.Price().Times(more))
	switch {
	case !total.isStorable():
		line.QuantityError = "The order's total must be less than 10,000,000,000. Place several smaller orders."
		return
	case d.ItemCount+more > maxQuantity:
		line.QuantityError = "An order can have at most " + maxQuantityText + " pieces. Place several smaller orders."
		return
	}
	q.count++
	q.Total, d.Total, d.ItemCount = total, total, d.ItemCount+more
	at := slices.IndexFunc(d.Items, func(item OrderItem) bool { return item.ProductID == line.ProductID() })
	switch {
	case at < 0:
		d.Items = append(d.Items, OrderItem{
			OrderID:    d.ID,
			ProductID:  line.Product.ID,
			CustomerID: d.CustomerID,
			Date:       d.Date,
			Name:       line.Product.Name,
			SKU:        line.Product.SKU,
			Price:      line.Product.Price,
			Quantity:   line.Quantity,
			Version:    1,
		})
	case line.Quantity == 0:
		d.Items = slices.Delete(d.Items, at, at+1)
	default:
		d.Items[at].Quantity = line.Quantity
	}
}

// finish adds the invoice or credits for the difference, and sets the amounts of the quote.
// It returns Invalid if the correction is not possible.
func (q *OrderEditQuote) finish() error {
	d := &q.edited
	switch {
	case d.sum((*OrderItem).Kept) == 0:
		return InvalidField(FieldLines, "An order needs at least one item. Cancel the order instead.")
	case q.Total.Sign() < 0: // after a lenient import, the total of an order can be less than the sum of its lines
		return InvalidField(FieldLines, "The new total would be negative, because the order's total is less than the value of its items. Remove fewer items, or cancel the order.")
	case len(d.Items) > max(MaxLines, len(q.Order.Items)):
		return InvalidField(FieldLines, "An order can have at most %d lines.", MaxLines)
	}
	actions := documentActions(len(d.Invoices)) + 1 // one action for a new invoice
	if err := q.correctInvoices(); err != nil {
		return err
	}
	left := table.MaxActions - savedActions - actions
	if most := max(1, min(MaxLines, left/lineActions)); q.count > most {
		return InvalidField(FieldLines, "Change at most %s at once.", NumberOf(most, "line", "lines"))
	}
	for i := range d.Invoices {
		q.Paid, q.Balance = q.Paid.Plus(d.Invoices[i].Paid()), q.Balance.Plus(d.Invoices[i].BalanceDue())
	}
	if d.updateState(); d.Status == OrderPaid && slices.ContainsFunc(d.Invoices, func(i Invoice) bool { return i.CanPay() }) {
		d.Status = OrderOpen // until the balance is paid
	}
	return nil
}

func (q *OrderEditQuote) event() Event {
	var e edits
	for i := range q.Lines {
		line := &q.Lines[i]
		label := ""
		if line.Stored != nil {
			label = line.Stored.label()
		} else {
			label = nameOrID(line.Product.Name, line.Product.ID)
		}
		e.field(label, countOrEmpty(line.Before()), countOrEmpty(line.Quantity))
	}
	e.before = append(e.before, orderTotalText+q.Order.Total.String()) // recorded even if the total stays the same
	e.after = append(e.after, orderTotalText+q.Total.String())
	entry, _ := e.event(orderPartition(q.Order.ID), EventOrderEdited)
	return entry
}

// orderTotalText precedes the total of the order in the event of a correction.
const orderTotalText = "total "

// EditedTotals returns the totals of an order before and after a correction, from the event
// of the correction. ok is false for other events.
func (e *Event) EditedTotals() (before, after Amount, ok bool) {
	if e.What != EventOrderEdited {
		return before, after, false
	}
	before, errBefore := totalIn(e.Before)
	after, errAfter := totalIn(e.After)
	return before, after, errBefore == nil && errAfter == nil
}

// totalIn returns the total at the end of Before or After of the event of a correction.
func totalIn(text string) (Amount, error) {
	_, total, _ := strings.Cut(text[max(0, strings.LastIndex(text, orderTotalText)):], orderTotalText)
	return ParseAmount(total)
}

func countOrEmpty(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
