package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
	"stockroom/store/table"
)

// BulkKind is a kind of change that a user makes to many rows of a list at once.
type BulkKind string

// The kinds of bulk changes.
const (
	BulkPrice        BulkKind = "PRICE"
	BulkCategory     BulkKind = "CATEGORY"
	BulkReorderPoint BulkKind = "REORDER_POINT"
	BulkArchive      BulkKind = "ARCHIVE"

	BulkDelivery BulkKind = "DELIVERY" // adds an expected delivery for each row of low stock
	BulkTransfer BulkKind = "TRANSFER" // transfers pieces from another warehouse for each row of low stock

	BulkShip BulkKind = "SHIP" // ships the open items of each order

	BulkInvoiceReminder BulkKind = "INVOICE_REMINDER" // emails a payment reminder for each invoice
	BulkRentalReminder  BulkKind = "RENTAL_REMINDER"  // emails each renter about overdue kayaks
)

type bulkKind struct {
	permission Permission
	one, many  string // nouns for the rows
	hasPlaces  bool   // each row is of a warehouse or store; without Places, the rows can be of any

	// list returns the next rows of the preview, and the position from which the next call
	// continues.
	list func(r *BulkRun, ctx context.Context) (rows []BulkRow, next *Position, err error)

	// apply changes the record of a row. It passes the change to the argument also, which
	// adds the write of the row.
	apply func(r *BulkRun, ctx context.Context, a Access, row *BulkRow, also func(*change)) error

	final string // why the change cannot be undone, or what to do instead; "" if it can be undone
}

var bulkKinds = map[BulkKind]bulkKind{
	BulkPrice:        {permission: SetUp, one: "product", many: "products", list: (*BulkRun).listProducts, apply: (*BulkRun).changeProduct},
	BulkCategory:     {permission: SetUp, one: "product", many: "products", list: (*BulkRun).listProducts, apply: (*BulkRun).changeProduct},
	BulkReorderPoint: {permission: ChangeStock, one: "product", many: "products", list: (*BulkRun).listProducts, apply: (*BulkRun).changeProduct},
	BulkArchive:      {permission: SetUp, one: "product", many: "products", list: (*BulkRun).listProducts, apply: (*BulkRun).changeProduct},

	BulkDelivery: {permission: ChangeStock, one: "product", many: "products", hasPlaces: true, list: (*BulkRun).listStock, apply: (*BulkRun).expectDelivery, final: "Cancel the expected deliveries instead."},
	BulkTransfer: {permission: ChangeStock, one: "product", many: "products", hasPlaces: true, list: (*BulkRun).listStock, apply: (*BulkRun).sendTransfer, final: "Cancel the transfers instead."},

	BulkShip: {permission: Ship, one: "order", many: "orders", hasPlaces: true, list: (*BulkRun).listOrders, apply: (*BulkRun).shipOrder, final: "Unpack the shipments instead. If they have left the warehouse, record returns."},

	BulkInvoiceReminder: {permission: Sell, one: "invoice", many: "invoices", list: (*BulkRun).listInvoices, apply: (*BulkRun).remindOfInvoice, final: reasonEmailed},
	BulkRentalReminder:  {permission: RunRentals, one: "renter", many: "renters", hasPlaces: true, list: (*BulkRun).listRenters, apply: (*BulkRun).remindOfRentals, final: reasonEmailed},
}

// Permission returns the permission that a bulk change of this kind requires.
func (k BulkKind) Permission() Permission { return bulkKinds[k].permission }

// Noun returns what the rows are, such as product and products.
func (k BulkKind) Noun() (one, many string) { return bulkKinds[k].one, bulkKinds[k].many }

// WhyFinal returns why a change of this kind cannot be undone, or what to do instead. It
// returns "" if the change can be undone.
func (k BulkKind) WhyFinal() string { return bulkKinds[k].final }

// SendsEmails reports whether a change of this kind queues emails.
func (k BulkKind) SendsEmails() bool { return k == BulkInvoiceReminder || k == BulkRentalReminder }

// HasQuantities reports whether the user can edit the quantity of each row of the preview.
func (k BulkKind) HasQuantities() bool { return k == BulkDelivery || k == BulkTransfer }

// unassigned returns why a manager without warehouses or stores cannot prepare a change of
// this kind.
func (k BulkKind) unassigned() string {
	places := "warehouses"
	if k == BulkRentalReminder {
		places = "stores"
	}
	return "No " + places + " are assigned to you. If you need one, ask an admin."
}

// countRows returns a number with the noun for the rows, such as "3 products".
func (k BulkKind) countRows(n int) string {
	one, many := k.Noun()
	return NumberOf(n, one, many)
}

// BulkState is the state of a bulk change.
type BulkState string

// States of a bulk change.
const (
	BulkListing BulkState = "LISTING" // finding the rows that match the filter
	BulkReady   BulkState = "READY"   // the preview is complete and nothing is changed yet
	BulkRefused BulkState = "REFUSED" // too many rows match the filter
	BulkRunning BulkState = "RUNNING"
	BulkStopped BulkState = "STOPPED" // stopped before the end, and can be continued
	BulkDone    BulkState = "DONE"

	BulkCancelled BulkState = "CANCELLED" // cancelled before it changed anything
)

// MaxBulkRows is the maximum number of rows in a bulk change.
const MaxBulkRows = 10_000

// BulkChange is one change of many records, such as products. Its rows are the preview,
// and later the result. The runner (a background task of a server) that makes the change
// has a lease, so that no other runner works on the change. If the server is killed, the
// lease expires after the HeartbeatTimeout of package jobs, and the user can continue.
type BulkChange struct {
	ID      string // a ULID
	By      string // user name; only this user can start the change
	Kind    BulkKind
	State   BulkState
	Stop    bool // the user asked to stop
	Created time.Time
	Updated time.Time

	Percent      string `json:",omitempty"` // percentage of a BulkPrice, such as -2.5
	Rounding     string `json:",omitempty"` // the Value of one of PriceRoundings; only for BulkPrice
	Category     string `json:",omitempty"` // new category; only for BulkCategory
	WarehouseID  string `json:",omitempty"` // warehouse of a BulkReorderPoint; for BulkDelivery and BulkTransfer, the warehouse in the filter of the list
	ReorderPoint int    `json:",omitempty"` // new reorder point; only for BulkReorderPoint
	Reason       string `json:",omitempty"`
	Undoes       string `json:",omitempty"` // ID of the bulk change that this one undoes; "" if it undoes none

	Due      time.Time `json:",omitzero"`  // expected calendar day of a BulkDelivery, at midnight UTC
	Supplier string    `json:",omitempty"` // supplier of a BulkDelivery
	SourceID string    `json:",omitempty"` // warehouse that sends the pieces, for BulkTransfer and BulkShip; "" if the program chooses a warehouse with enough stock

	WarehouseName string `json:",omitempty"` // name of the chosen warehouse; see Describe

	List     string   `json:",omitempty"` // query string of the list from which the rows come
	Selected []string `json:"-"`          // IDs of the selected rows; empty for all rows that match the filter
	Filter   ProductFilter
	Invoices InvoiceFilter `json:",omitzero"`
	Orders   OrderFilter   `json:",omitzero"`
	Empty    bool          `json:",omitempty"` // filter of low stock: only stock items with the quantity 0
	Next     *Position     `json:"-"`          // where listing continues; nil for the beginning
	Listed   bool          // the preview contains all rows
	Places   []string      `json:"-"` // warehouses and stores of the rows, as in User.ScopeParts; only users in charge of all of them see the change

	Rows    int // rows in the preview
	Changed int
	Failed  int
	Skipped int    // rows that need no change or cannot be changed
	Unpaid  int    `json:",omitempty"` // BulkShip only: number of orders in the preview that will ship and are not fully paid
	Problem string `json:",omitempty"` // why the change stopped or was refused

	Token   string    `json:"-"` // token of the form that created the change
	Owner   string    `json:"-"` // identifies the runner that has the lease
	Until   time.Time `json:"-"` // end of the lease
	Expires time.Time `json:"-"` // TTL
	Version int
}

// bulkDays is the number of days after which TTL deletes a bulk change.
const bulkDays = 90

func (*BulkChange) EntityType() string { return "bulkChange" }

func (b *BulkChange) KeyValue(name string) string {
	switch name {
	case "id":
		return b.ID
	case "user":
		return b.By
	case "month":
		return b.Created.UTC().Format(key.Month)
	}
	return ""
}

func (b *BulkChange) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "bulk#", &b.ID)
	a.Text("By", &b.By)
	a.Text("Kind", (*string)(&b.Kind))
	a.Text("State", (*string)(&b.State))
	a.Flag("Stop", &b.Stop)
	a.Time("Created", &b.Created)
	a.Time("Updated", &b.Updated)
	a.Text("Percent", &b.Percent)
	a.Text("Rounding", &b.Rounding)
	a.Text("Category", &b.Category)
	a.Text("WarehouseID", &b.WarehouseID)
	a.OptionalNumber("ReorderPoint", &b.ReorderPoint)
	maskedText(a, "Reason", &b.Reason)
	a.Text("Undoes", &b.Undoes)
	a.Date("Due", &b.Due)
	maskedText(a, "Supplier", &b.Supplier)
	a.Text("SourceID", &b.SourceID)
	a.Text("WarehouseName", &b.WarehouseName)
	a.Text("List", &b.List)
	a.Texts("Selected", &b.Selected)
	a.Nested("Filter", func(a *table.Attributes) {
		a.Text("Bucket", &b.Filter.Bucket)
		a.Text("Name", &b.Filter.Name)
		a.Text("Category", &b.Filter.Category)
		a.Text("Status", (*string)(&b.Invoices.Status))
		a.Date("From", &b.Invoices.From)
		a.Date("To", &b.Invoices.To)
		a.Text("OrderStatus", (*string)(&b.Orders.Status))
		a.Date("OrderFrom", &b.Orders.From)
		a.Date("OrderTo", &b.Orders.To)
		a.Text("OrderStock", (*string)(&b.Orders.Stock))
		a.Flag("Empty", &b.Empty)
	})
	a.Texts("Places", &b.Places)
	a.Nested("Next", b.nextAttributes)
	a.Flag("Listed", &b.Listed)
	a.Count("Rows", &b.Rows)
	a.Count("Changed", &b.Changed)
	a.Count("Failed", &b.Failed)
	a.Count("Skipped", &b.Skipped)
	a.Count("Unpaid", &b.Unpaid)
	maskedText(a, "Problem", &b.Problem)
	a.Text("Token", &b.Token)
	a.Text("Owner", &b.Owner)
	a.Time("Until", &b.Until)
	a.Seconds(table.AttrTTL, &b.Expires)
	a.Version(&b.Version)
}

// nextAttributes encodes or decodes the position where listing continues.
func (b *BulkChange) nextAttributes(a *table.Attributes) {
	var at Position
	if b.Next != nil {
		at = *b.Next
	}
	a.Text("Segment", &at.Segment)
	a.Text("SK", &at.SK)
	a.Text("ItemPK", &at.ItemPK)
	a.Text("ItemSK", &at.ItemSK)
	if a.Decoding() && at != (Position{}) {
		b.Next = &at
	}
}

// StateAt returns the state at a time. If the lease ended before the work was finished, for
// example because the server was killed, the state is BulkStopped.
func (b *BulkChange) StateAt(now time.Time) BulkState {
	if b.isActive() && !b.Until.After(now) {
		return BulkStopped
	}
	return b.State
}

func (b *BulkChange) isActive() bool { return b.State == BulkListing || b.State == BulkRunning }

// CanCancel reports whether the change can be cancelled, because no record is changed
// yet.
func (b *BulkChange) CanCancel() bool {
	return !b.Listed || b.State == BulkReady || b.State == BulkCancelled
}

// IsCancelledBy reports whether the user may cancel the change. CanCancel must also return
// true.
func (b *BulkChange) IsCancelledBy(u *User) bool { return b.By == u.Name || u.May(Administer) }

// Done returns the number of rows that are changed, failed or skipped.
func (b *BulkChange) Done() int { return b.Changed + b.Failed + b.Skipped }

// ToDo returns the number of rows that are not done.
func (b *BulkChange) ToDo() int { return b.Rows - b.Done() }

// Count adds the outcome of a row to the counts.
func (b *BulkChange) Count(o BulkOutcome) {
	switch o {
	case BulkChanged:
		b.Changed++
	case BulkFailed:
		b.Failed++
	case BulkSkipped:
		b.Skipped++
	}
}

// Describe returns what the change does, such as "Price +5%".
func (b *BulkChange) Describe() string {
	if b.Undoes != "" {
		return "Undo of " + lowerFirst(b.describe())
	}
	return b.describe()
}

func (b *BulkChange) describe() string {
	switch b.Kind {
	case BulkPrice:
		sign := "+"
		if strings.HasPrefix(b.Percent, "-") {
			sign = "−"
		}
		text := "Price " + sign + strings.TrimPrefix(b.Percent, "-") + "%"
		if r := roundingOf(b.Rounding); r.Value != "" {
			text += ", " + lowerFirst(r.Label)
		}
		return text
	case BulkCategory:
		return "Category " + orDash(b.Category)
	case BulkReorderPoint:
		return fmt.Sprintf("Reorder point %d in %s", b.ReorderPoint, b.warehouse(b.WarehouseID))
	case BulkArchive:
		return "Archiving of products"
	case BulkDelivery:
		return "Expected deliveries on " + longDay(b.Due)
	case BulkTransfer:
		if b.SourceID == "" {
			return "Transfers of low stock"
		}
		return "Transfers of low stock from " + b.warehouse(b.SourceID)
	case BulkShip:
		if b.SourceID == "" {
			return "Shipments of orders"
		}
		return "Shipments from " + b.warehouse(b.SourceID)
	case BulkInvoiceReminder:
		return "Payment reminders"
	case BulkRentalReminder:
		return "Reminders of overdue kayaks"
	}
	return string(b.Kind)
}

// Warehouses returns the IDs of the warehouses that the change is about: the chosen
// warehouse, or the warehouses of its rows.
func (b *BulkChange) Warehouses() []string {
	if id := cmp.Or(b.WarehouseID, b.SourceID); id != "" {
		return []string{id}
	}
	var ids []string
	for _, place := range b.Places {
		if id, found := strings.CutPrefix(place, WarehouseScope); found {
			ids = append(ids, id)
		}
	}
	return ids
}

// warehouse returns the name of the chosen warehouse, or a phrase with its ID if the name
// is unknown.
func (b *BulkChange) warehouse(id string) string {
	return cmp.Or(b.WarehouseName, "warehouse "+id)
}

// why returns the reason that the history of each changed record shows.
func (b *BulkChange) why() string {
	if b.Undoes != "" {
		return "Bulk change " + b.ID + ": undoes bulk change " + b.Undoes
	}
	return strings.TrimSuffix("Bulk change "+b.ID+": "+b.Reason, ": ")
}

// rowToken returns the form token of the event of a row. Because of this token, each row
// is applied only once. The token depends on the number of the row, because two rows can
// be about the same record.
func (b *BulkChange) rowToken(row *BulkRow) string {
	id, err := ulid.ParseStrict(b.ID)
	if err == nil {
		binary.BigEndian.PutUint32(id[12:], binary.BigEndian.Uint32(id[12:])^uint32(row.Number))
		return id.String() + ".bulk"
	}
	return b.ID + ".bulk"
}

// check trims and checks the values of a new bulk change, and sets values that depend on
// them, such as WarehouseName.
func (b *BulkChange) check(ctx context.Context, a Access) error {
	if err := checkLine("why", &b.Reason); err != nil {
		return err
	}
	switch b.Kind {
	case BulkPrice:
		settings, err := a.store.Settings(ctx)
		if err != nil {
			return err
		}
		return b.checkPrice(settings.Currency)
	case BulkCategory:
		return checkLine("category", &b.Category)
	case BulkReorderPoint:
		if b.WarehouseID == "" {
			return InvalidField("warehouse", "Choose a warehouse.")
		}
		if err := b.checkWarehouse(ctx, a, "warehouse", b.WarehouseID); err != nil {
			return err
		}
		return checkReorderPoint(b.ReorderPoint, new(string))
	case BulkDelivery, BulkTransfer:
		return b.checkStock(ctx, a)
	case BulkShip:
		return b.checkShip(ctx, a)
	case BulkRentalReminder:
		return b.checkRentals(a)
	case BulkInvoiceReminder:
		return b.checkSelected(2)
	}
	return nil
}

// checkWarehouse returns Invalid for the field if the warehouse does not exist or the
// user does not manage it. Otherwise, it sets WarehouseName.
func (b *BulkChange) checkWarehouse(ctx context.Context, a Access, field, id string) error {
	notYours := InvalidField(field, "Choose a warehouse that you manage.")
	if key.CheckID(id) != nil {
		return notYours
	}
	w, err := a.Warehouse(ctx, id)
	switch {
	case KindOf(err) == NotFound:
		return notYours
	case err != nil:
		return err
	}
	b.WarehouseName = w.Name
	return nil
}

// checkSelected returns Invalid unless the ID of each selected row consists of this number
// of valid IDs, joined by #.
func (b *BulkChange) checkSelected(parts int) error {
	for _, selected := range b.Selected {
		ids := strings.Split(selected, "#")
		if len(ids) != parts || slices.ContainsFunc(ids, func(id string) bool { return key.CheckID(id) != nil }) {
			return InvalidField("", "Go back and select the rows in the list again.")
		}
	}
	return nil
}

// BulkChange returns a bulk change. It returns NotFound if the user may not see the bulk
// change. Admins see all bulk changes. Managers of a warehouse see those that have this
// WarehouseID. Users see their own bulk changes without a WarehouseID. Users other than
// admins must also be in charge of all Places and of the SourceID. Managers, and access
// tokens with this role, do not see changes of all places, such as shipments from any
// warehouse.
func (a Access) BulkChange(ctx context.Context, id string) (*BulkChange, error) {
	if err := a.require(ChangeMany); err != nil {
		return nil, err
	}
	b, err := a.store.bulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	if !a.maySeeBulk(b) {
		return nil, fail(NotFound, "Bulk change not found.")
	}
	return b, nil
}

// maySeeBulk reports whether the user may see a bulk change; see Access.BulkChange.
func (a Access) maySeeBulk(b *BulkChange) bool {
	if a.user.May(Administer) {
		return true
	}
	visible := b.By == a.user.Name
	if b.WarehouseID != "" {
		visible = a.user.May(ChangeStock) && a.user.InCharge(b.WarehouseID)
	}
	places := b.Places
	if b.SourceID != "" {
		places = append(slices.Clone(places), WarehouseScope+b.SourceID)
	}
	isEverywhere := len(places) == 0 && bulkKinds[b.Kind].hasPlaces
	return visible && a.user.inChargeOf(places) && (a.user.InChargeOfAll() || !isEverywhere)
}

func (s *Store) bulkChange(ctx context.Context, id string) (*BulkChange, error) {
	b, err := readConsistently[*BulkChange](ctx, s, getBulkChange, key.Map{"bulkID": id})
	if KindOf(err) == NotFound {
		return nil, fail(NotFound, "Bulk change not found.")
	}
	return b, err
}

// BulkChanges lists the bulk changes of the user, newest first. It omits those that the
// user may no longer see; see Access.BulkChange. Admins get the bulk changes of all users.
func (a Access) BulkChanges(ctx context.Context, page Page) (List[BulkChange], error) {
	if err := a.require(ChangeMany); err != nil {
		return List[BulkChange]{}, err
	}
	q := table.Query{Pattern: getBulkChanges, Values: key.Map{"user": a.user.Name}}
	if a.user.May(Administer) {
		now := a.store.now().UTC()
		months := key.Days{From: now.AddDate(0, 0, -bulkDays), To: now, Zone: time.UTC}.Months()
		q = table.Query{Pattern: getBulkChangesOfAll, Values: key.Map{}, Segment: "month", Segments: months}
		return list(ctx, a.store, q, page, decodeAs[BulkChange])
	}
	return listWhere(ctx, a.store, q, page, decodeAs[BulkChange], a.maySeeBulk)
}
