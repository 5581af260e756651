package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// TransferDays is the number of days after which a transfer in transit is overdue.
const TransferDays = 7

// Transfer is a quantity of a product that was sent from one warehouse to another.
// Pieces in transit are in no warehouse, and count as incoming stock. A received or
// cancelled transfer stays in the table, but lists omit it.
type Transfer struct {
	ID         string // a ULID
	ProductID  string
	SourceID   string    // warehouse ID
	TargetID   string    // warehouse ID
	Name       string    `json:",omitempty"` // name of the product when it was sent, for lists
	Sent       time.Time // the calendar day of sending, at midnight UTC
	Reason     string    `json:",omitempty"`
	By         string    // user name
	Quantity   int       // pieces that were sent
	Received   int       // pieces that have arrived; can exceed Quantity
	WrittenOff int       // pieces that did not arrive; negative if more pieces arrived than were sent
	Returned   int       // pieces that went back to the source because the transfer was cancelled
	Version    int
}

func (*Transfer) EntityType() string { return "transfer" }

// InTransit returns the quantity that is still on its way to the target.
func (t *Transfer) InTransit() int { return t.Quantity - t.Received - t.WrittenOff - t.Returned }

// lateTransfers returns the latest day of sending of the transfers that are overdue
// today.
func lateTransfers(today time.Time) time.Time { return today.AddDate(0, 0, -TransferDays-1) }

// IsOverdue reports whether the transfer has been in transit for more than
// TransferDays. today is a calendar day at midnight UTC.
func (t *Transfer) IsOverdue(today time.Time) bool {
	return t.InTransit() > 0 && !t.Sent.After(lateTransfers(today))
}

func (t *Transfer) KeyValue(name string) string {
	switch name {
	case "id":
		return t.ID
	case "productID":
		return t.ProductID
	case "source":
		return t.SourceID
	case "target":
		return t.TargetID
	case "openSent":
		// Only transfers in transit are in the indexes.
		if t.InTransit() > 0 {
			return calendarDay(t.Sent)
		}
	}
	return ""
}

func (t *Transfer) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &t.ProductID)
	a.FromKey(table.AttrSK, "transfer#", &t.ID)
	a.Text("Source", &t.SourceID)
	a.Text("Target", &t.TargetID)
	a.Text("Name", &t.Name)
	a.Date("Sent", &t.Sent)
	a.Text("Reason", &t.Reason)
	a.Text("By", &t.By)
	a.Number("Quantity", &t.Quantity)
	a.Number("Received", &t.Received)
	a.Number("WrittenOff", &t.WrittenOff)
	a.Number("Returned", &t.Returned)
	a.Version(&t.Version)
}

// TransferFilter selects transfers in transit.
type TransferFilter struct {
	Warehouses []string  // warehouse IDs of the targets, or of the sources if FromThem is true
	FromThem   bool      // Warehouses are sources instead of targets
	LateOn     time.Time // only transfers that are overdue on this calendar day; zero for all
}

// Transfers lists the transfers in transit to or from several warehouses, one
// warehouse after the other. Within a warehouse, the earliest day of sending comes
// first.
func (a Access) Transfers(ctx context.Context, f TransferFilter, page Page) (List[Transfer], error) {
	if err := a.requireWarehouses(f.Warehouses); err != nil {
		return List[Transfer]{}, err
	}
	values := key.Map{"from": key.MinDate, "to": key.MaxDate}
	if !f.LateOn.IsZero() {
		values["to"] = calendarDay(lateTransfers(f.LateOn))
	}
	q := table.Query{Pattern: getTransfersTo, Values: values, Segment: "warehouseID", Segments: f.Warehouses}
	if f.FromThem {
		q.Pattern = getTransfersFrom
	}
	return list(ctx, a.store, q, page, decodeAs[Transfer])
}

// TransfersOfProduct lists the transfers in transit of a product, by target and then by day
// of sending. Managers see only transfers to their own warehouses.
func (a Access) TransfersOfProduct(ctx context.Context, productID string, page Page) (List[Transfer], error) {
	if err := a.require(Browse); err != nil {
		return List[Transfer]{}, err
	}
	q := table.Query{Pattern: getProductTransfers, Values: key.Map{"productID": productID}}
	if a.user.Role == Manager {
		q = table.Query{Pattern: getStockTransfers, Values: q.Values, Segment: "warehouseID", Segments: a.user.Warehouses}
	}
	return list(ctx, a.store, q, page, decodeAs[Transfer])
}

// TransfersToStock lists the transfers in transit of a product to a warehouse, earliest day
// of sending first.
func (a Access) TransfersToStock(ctx context.Context, productID, warehouseID string, page Page) (List[Transfer], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[Transfer]{}, err
	}
	q := table.Query{Pattern: getStockTransfers, Values: key.Map{"productID": productID, "warehouseID": warehouseID}}
	return list(ctx, a.store, q, page, decodeAs[Transfer])
}

// TransferDetails is a transfer with its warehouses. A warehouse is nil if it does
// not exist.
type TransferDetails struct {
	Transfer
	Source, Target *Warehouse
}

func (t *TransferDetails) sourceName() string { return warehouseName(t.Source, t.SourceID) }

func (t *TransferDetails) targetName() string { return warehouseName(t.Target, t.TargetID) }

func warehouseName(w *Warehouse, id string) string {
	if w == nil {
		return id
	}
	return nameOrID(w.Name, id)
}

// TransferForReceipt makes a consistent read of a transfer that the user wants to
// receive. It returns NotFound if there is no such transfer or the user does not manage
// the target.
func (a Access) TransferForReceipt(ctx context.Context, productID, id string) (*TransferDetails, error) {
	return a.transferForChange(ctx, productID, id, func(t *Transfer) string { return t.TargetID })
}

// TransferForCancellation makes a consistent read of a transfer that the user wants to
// cancel. It returns NotFound if there is no such transfer or the user does not manage
// the source.
func (a Access) TransferForCancellation(ctx context.Context, productID, id string) (*TransferDetails, error) {
	return a.transferForChange(ctx, productID, id, func(t *Transfer) string { return t.SourceID })
}

func (a Access) transferForChange(ctx context.Context, productID, id string, warehouse func(*Transfer) string) (*TransferDetails, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	t, err := readConsistently[*Transfer](ctx, a.store, getTransfer, key.Map{"productID": productID, "transferID": id})
	if err != nil {
		return nil, err
	}
	if !a.user.InCharge(warehouse(t)) {
		return nil, fail(NotFound, "Transfer %s not found, or not in one of your warehouses.", id)
	}
	d := &TransferDetails{Transfer: *t}
	d.Source, d.Target, err = a.transferPlaces(ctx, t.SourceID, t.TargetID)
	return d, err
}

// transferPlaces makes a consistent read of two warehouses, with one request. A
// missing warehouse is nil.
func (a Access) transferPlaces(ctx context.Context, sourceID, targetID string) (source, target *Warehouse, err error) {
	err = a.store.table.LookUp(ctx, []table.Lookup{
		lookUp(getWarehouse, key.Map{"warehouseID": sourceID}, &source),
		lookUp(getWarehouse, key.Map{"warehouseID": targetID}, &target),
	}, true)
	return source, target, err
}

// progress describes where the pieces of a transfer are, for events.
func (t *Transfer) progress() string {
	text := fmt.Sprintf("%d of %d received", t.Received, t.Quantity)
	switch {
	case t.WrittenOff > 0:
		text += fmt.Sprintf(", %d written off", t.WrittenOff)
	case t.WrittenOff < 0:
		text += fmt.Sprintf(", %d too many", -t.WrittenOff)
	}
	if t.Returned > 0 {
		text += fmt.Sprintf(", %d returned", t.Returned)
	}
	return text
}

// ledgerReason returns the reason for a ledger entry: text, in which the name of a
// warehouse replaces %s, and the reason that the user entered, if any.
func ledgerReason(text, warehouse, reason string) string {
	text = strings.Replace(text, "%s", warehouse, 1)
	if reason != "" {
		text += ": " + reason
	}
	return text
}
