package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Transfers is the list of transfers in transit. It is sorted by warehouse, then by day.
type Transfers struct {
	Page
	List
	Show       string            // "" for all transfers to the warehouses, "overdue" for the overdue ones, or ShowSent
	Warehouse  ui.Input          // warehouse ID
	Warehouses []store.Warehouse // options of the filter
	Rows       []store.Transfer
}

// ShowSent is the value of the parameter "show" for transfers that the warehouses have
// sent.
const ShowSent = "sent"

func (p Transfers) tabs() []ui.Tab {
	return []ui.Tab{
		{Name: "Incoming", URL: p.With("show", ""), Current: p.Show == ""},
		{Name: "Overdue", URL: p.With("show", "overdue"), Current: p.Show == "overdue"},
		{Name: "Sent", URL: p.With("show", ShowSent), Current: p.Show == ShowSent},
	}
}

// TransfersPath is the path of the list of transfers.
const TransfersPath = "/transfers"

const overdueTransfers = TransfersPath + "?show=overdue"

// SentTransfersPath returns the address of the list of transfers sent from a warehouse.
func SentTransfersPath(warehouseID string) string {
	return List{Path: TransfersPath, Params: []ui.Param{{Name: "show", Value: ShowSent}}}.With("warehouse", warehouseID)
}

// TransferPath returns the path of a transfer. The paths of its forms begin with it.
func TransferPath(t store.Transfer) string {
	return ProductPath(t.ProductID) + "/transfers/" + ui.Segment(t.ID)
}

// sendTransferPath returns the address of the form that sends a transfer from a warehouse.
func sendTransferPath(warehouseID, productID string) string {
	return List{Path: WarehousePath(warehouseID) + "/transfer"}.With("product", productID)
}

// transferColumns selects the columns of a table of transfers. All tables have the day
// and the quantity.
type transferColumns struct {
	product        bool
	source, target bool
	sent           bool // show links to the forms that cancel transfers
}

// canChangeStock reports whether the user may change the stock of a warehouse.
func canChangeStock(p *Page, warehouseID string) bool {
	return p.may(store.ChangeStock) && p.User.InCharge(warehouseID)
}

// TransferChangeKind is a kind of form for a transfer. It is also the last part of the
// form's path.
type TransferChangeKind string

// The kinds of forms for a transfer, besides the form that sends it.
const (
	TransferReceive TransferChangeKind = "receive"
	TransferCancel  TransferChangeKind = "cancel"
)

// RestMissing is the value of the field "rest" if the rest of a transfer will never
// arrive.
const RestMissing = "missing"

// Title returns the title of the form.
func (k TransferChangeKind) Title() string {
	if k == TransferCancel {
		return "Cancel transfer"
	}
	return "Receive transfer"
}

// Fields returns the names of the form's fields.
func (k TransferChangeKind) Fields() []string {
	if k == TransferCancel {
		return []string{"reason"}
	}
	return []string{"quantity", "rest", "reason"}
}

// TransferChange is the form that receives or cancels a transfer.
type TransferChange struct {
	Page
	Form
	Kind     TransferChangeKind
	Transfer store.TransferDetails

	Quantity, Rest, Reason ui.Input
}

func (p TransferChange) warehouse(w *store.Warehouse, id string) string {
	if w == nil {
		return id
	}
	return nameOr(w.Name, id)
}

func (p TransferChange) fields() []ui.Field {
	if p.Kind == TransferCancel {
		return []ui.Field{{Name: "reason", Label: "Reason (optional)", Input: p.Reason}}
	}
	quantity := ui.Field{Name: "quantity", Label: "Quantity received", Required: true, Numeric: true, Input: p.Quantity}
	if p.Conflict {
		quantity.Now = count(p.Transfer.InTransit(), "piece", "pieces") + " in transit"
	}
	return []ui.Field{
		quantity,
		{Name: "rest", Label: "Missing pieces", Input: p.Rest},
		{Name: "reason", Label: "Reason for the difference", Hint: "For example, broken. Shown in the stock ledger.", Input: p.Reason},
	}
}

func restOptions() []ui.Option {
	return []ui.Option{
		{Text: "Still in transit"},
		{Value: RestMissing, Text: "Will not arrive: write them off"},
	}
}

func (p TransferChange) formTarget() ui.Change {
	t := p.Transfer.Transfer
	back := StockPath(t.ProductID, t.TargetID)
	if p.Kind == TransferCancel {
		back = StockPath(t.ProductID, t.SourceID)
	}
	c := p.to(TransferPath(t)+"/"+string(p.Kind), p.Kind.Title(), back)
	if p.Kind == TransferCancel {
		c.Danger, c.Keep = true, "Keep transfer"
	}
	return c
}
