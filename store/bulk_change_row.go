package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// BulkOutcome is the outcome of one row in a bulk change.
type BulkOutcome string

// Outcomes of a row.
const (
	BulkToDo    BulkOutcome = "" // the row is not changed yet
	BulkChanged BulkOutcome = "CHANGED"
	BulkSkipped BulkOutcome = "SKIPPED" // the record needs no change or cannot be changed
	BulkFailed  BulkOutcome = "FAILED"
)

// BulkRow is one record in a bulk change. The transaction that changes the record also
// stores the outcome in the row. Rows contain no names or addresses of people.
type BulkRow struct {
	BulkID    string
	Number    int    // position in the preview, from 1
	ProductID string `json:",omitempty"`
	Name      string `json:",omitempty"` // name of the product, or number of the invoice
	Seen      int    // version of the record in the preview
	Before    string // the stored value, or facts that the preview shows, such as the stock or the balance due
	After     string // the new value, the quantity to order or send, the payment state of the order, or the due day of the invoice
	Outcome   BulkOutcome
	EventID   string `json:",omitempty"` // the event of the change of the record
	Undoes    string `json:",omitempty"` // the event that this row undoes
	Why       string `json:",omitempty"` // why the row failed or was skipped

	WarehouseID string   `json:",omitempty"` // the warehouse that receives the delivery or the transfer
	SourceID    string   `json:",omitempty"` // the warehouse that sends the transfer or ships the order
	Spare       string   `json:"-"`          // pieces that the SourceID of a transfer can send, such as "9 to spare in South"; see showSources
	Lines       []string `json:",omitempty"` // open lines that ship, as in Order.OpenLines
	Max         int      `json:"-"`          // maximum quantity; 0 if the quantity cannot be edited
	OrderID     string   `json:",omitempty"` // the order to ship, or the order of the invoice
	InvoiceID   string   `json:",omitempty"`
	PersonID    string   `json:",omitempty"` // the customer of the order, or the customer or renter who gets the email
	PersonSeen  int      `json:"-"`          // version of the customer in the preview

	Expires time.Time `json:"-"` // TTL
	Version int       `json:"-"`
}

func (*BulkRow) EntityType() string { return "bulkRow" }

func (r *BulkRow) KeyValue(name string) string {
	switch name {
	case "bulkID":
		return r.BulkID
	case "number":
		return fmt.Sprintf("%06d", r.Number)
	case "failed":
		if r.Outcome == BulkFailed {
			return fmt.Sprintf("%06d", r.Number)
		}
	case "skipped":
		if r.Outcome == BulkSkipped {
			return fmt.Sprintf("%06d", r.Number)
		}
	}
	return ""
}

func (r *BulkRow) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "bulkRows#", &r.BulkID)
	a.Text("ProductID", &r.ProductID)
	a.Text("Name", &r.Name)
	a.Count("Seen", &r.Seen)
	a.Text("Before", &r.Before)
	a.Text("After", &r.After)
	a.Text("Outcome", (*string)(&r.Outcome))
	a.Text("Event", &r.EventID)
	a.Text("Undoes", &r.Undoes)
	maskedText(a, "Why", &r.Why)
	a.Text("WarehouseID", &r.WarehouseID)
	a.Text("SourceID", &r.SourceID)
	a.Text("Spare", &r.Spare)
	a.Texts("Lines", &r.Lines)
	a.Count("Max", &r.Max)
	a.Text("OrderID", &r.OrderID)
	a.Text("InvoiceID", &r.InvoiceID)
	a.Text("PersonID", &r.PersonID)
	a.Count("PersonSeen", &r.PersonSeen)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.Version(&r.Version)
	if a.Decoding() {
		n, err := strconv.Atoi(a.Read(table.AttrSK))
		if err != nil {
			a.Damaged(table.AttrSK, "the number of a row")
		}
		r.Number = n
	}
}

// skip returns a copy of the row with the outcome BulkSkipped and the reason.
func (r BulkRow) skip(why string) BulkRow {
	r.Outcome, r.Why = BulkSkipped, cmp.Or(r.Why, why)
	return r
}

// BulkRows lists the rows of a bulk change in the order of its preview. The outcome
// BulkFailed or BulkSkipped restricts the list to the rows with this outcome. With any
// other outcome, BulkRows lists all rows. It hides the warehouse that sends the pieces of a
// row if the user does not manage this warehouse.
func (a Access) BulkRows(ctx context.Context, b *BulkChange, only BulkOutcome, page Page) (List[BulkRow], error) {
	if err := a.require(ChangeMany); err != nil {
		return List[BulkRow]{}, err
	}
	q := table.Query{Pattern: getBulkRows, Values: key.Map{"bulkID": b.ID}}
	switch only {
	case BulkFailed:
		q.Pattern = getBulkFailures
	case BulkSkipped:
		q.Pattern = getBulkSkipped
	}
	found, err := list(ctx, a.store, q, page, decodeAs[BulkRow])
	a.showSources(found.Rows)
	return found, err
}

// showSources adds Spare to Before. It hides the SourceID and Spare of a row if the user
// does not manage this warehouse.
func (a Access) showSources(rows []BulkRow) {
	for i := range rows {
		switch r := &rows[i]; {
		case !a.user.InCharge(r.SourceID):
			if r.SourceID != "" && r.OrderID == "" && r.Spare == "" {
				r.Before = "" // a transfer from an earlier version of the program, whose Before contains the spare pieces
			}
			r.SourceID, r.Spare = "", ""
		case r.Spare != "":
			r.Before += ", " + r.Spare
		}
	}
}

// BulkRowsFrom makes a consistent read of up to limit rows of a bulk change. first is the
// number of the first row. Like BulkRows, it hides the warehouses that the user does not
// manage.
func (a Access) BulkRowsFrom(ctx context.Context, b *BulkChange, first, limit int) ([]BulkRow, error) {
	rows, err := a.storedRowsFrom(ctx, b, first, limit)
	a.showSources(rows)
	return rows, err
}

func (a Access) storedRowsFrom(ctx context.Context, b *BulkChange, first, limit int) ([]BulkRow, error) {
	if err := a.require(ChangeMany); err != nil {
		return nil, err
	}
	run := &BulkRun{store: a.store, BulkChange: *b}
	var from Item
	if first > 1 {
		from = table.Key(partitionOf(getBulkRows, "bulkID", b.ID), (&BulkRow{Number: first - 1}).KeyValue("number"))
	}
	rows, _, err := run.ReadRows(ctx, min(max(limit, 1), MaxLimit), from)
	return rows, err
}

// BulkRecipients returns the customers and renters of the rows, by ID. It reads their
// records, because rows contain no personal data.
func (a Access) BulkRecipients(ctx context.Context, rows []BulkRow) (map[string]*Renter, error) {
	if err := a.require(ChangeMany); err != nil {
		return nil, err
	}
	var ids []string
	for i := range rows {
		if id := rows[i].PersonID; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return a.renters(ctx, ids)
}
