package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// BulkKind is a kind of change that a user makes to many products at once.
type BulkKind string

// The kinds of bulk changes.
const (
	BulkPrice        BulkKind = "PRICE"
	BulkCategory     BulkKind = "CATEGORY"
	BulkReorderPoint BulkKind = "REORDER_POINT"
	BulkArchive      BulkKind = "ARCHIVE"
)

// Permission returns the permission that a bulk change of this kind requires.
func (k BulkKind) Permission() Permission {
	switch k {
	case BulkPrice, BulkCategory, BulkArchive:
		return SetUp
	case BulkReorderPoint:
		return ChangeStock
	}
	return Nobody
}

// BulkState is the state of a bulk change.
type BulkState string

// States of a bulk change.
const (
	BulkListing BulkState = "LISTING" // finding the products that match the filter
	BulkReady   BulkState = "READY"   // the preview is complete and nothing is changed yet
	BulkRefused BulkState = "REFUSED" // too many products match the filter
	BulkRunning BulkState = "RUNNING"
	BulkStopped BulkState = "STOPPED" // stopped before the end, and can be continued
	BulkDone    BulkState = "DONE"
)

// MaxBulkRows is the maximum number of products in a bulk change.
const MaxBulkRows = 10_000

// BulkChange is one change of many products. Its rows are the preview, and later the
// result. The runner that makes the change has a lease, so that only one server works
// on it. If the server is killed, the lease soon expires, and the user can continue.
type BulkChange struct {
	ID      string // a ULID
	By      string // user name; only this user can start the change
	Kind    BulkKind
	State   BulkState
	Stop    bool // the user asked to stop
	Created time.Time
	Updated time.Time

	Percent      string `json:",omitempty"` // for BulkPrice, such as -2.5
	Rounding     string `json:",omitempty"` // for BulkPrice; one of PriceRoundings
	Category     string `json:",omitempty"` // for BulkCategory
	WarehouseID  string `json:",omitempty"` // for BulkReorderPoint
	ReorderPoint int    `json:",omitempty"` // for BulkReorderPoint
	Reason       string `json:",omitempty"`
	Undoes       string `json:",omitempty"` // ID of the bulk change that this one undoes; "" for others

	Selected []string      `json:"-"` // IDs of the selected products; empty for all products that match Filter
	Filter   ProductFilter // used if no products are selected
	Next     *Position     `json:"-"` // where listing continues; nil for the beginning
	Listed   bool          // the preview contains all products

	Rows    int // products in the preview
	Changed int
	Failed  int
	Skipped int    // products that need no change or cannot be changed
	Problem string `json:",omitempty"` // why the change stopped or was refused

	Token   string    `json:"-"` // token of the form that made the change
	Owner   string    `json:"-"` // the runner that has the lease
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
	a.Texts("Selected", &b.Selected)
	a.Nested("Filter", func(a *table.Attributes) {
		a.Text("Bucket", &b.Filter.Bucket)
		a.Text("Name", &b.Filter.Name)
		a.Text("Category", &b.Filter.Category)
	})
	a.Nested("Next", b.nextAttributes)
	a.Flag("Listed", &b.Listed)
	a.Count("Rows", &b.Rows)
	a.Count("Changed", &b.Changed)
	a.Count("Failed", &b.Failed)
	a.Count("Skipped", &b.Skipped)
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

// StateAt returns the state at a time. Work that a killed server did not finish has
// the state BulkStopped.
func (b *BulkChange) StateAt(now time.Time) BulkState {
	if b.isActive() && !b.Until.After(now) {
		return BulkStopped
	}
	return b.State
}

func (b *BulkChange) isActive() bool { return b.State == BulkListing || b.State == BulkRunning }

// Done returns the number of products that are changed, failed or skipped.
func (b *BulkChange) Done() int { return b.Changed + b.Failed + b.Skipped }

// ToDo returns the number of products that are not done.
func (b *BulkChange) ToDo() int { return b.Rows - b.Done() }

// Describe returns what the change does, such as "Price +5%".
func (b *BulkChange) Describe() string {
	if b.Undoes != "" {
		return "Undo of " + b.describe()
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
		return fmt.Sprintf("Reorder point %d in warehouse %s", b.ReorderPoint, b.WarehouseID)
	case BulkArchive:
		return "Archive"
	}
	return string(b.Kind)
}

// why returns the reason for the history of each product.
func (b *BulkChange) why() string {
	if b.Undoes != "" {
		return "Bulk change " + b.ID + ": undoes bulk change " + b.Undoes
	}
	return strings.TrimSuffix("Bulk change "+b.ID+": "+b.Reason, ": ")
}

// rowToken is the form token of the events of the changed products. With it, each
// product can be changed only once.
func (b *BulkChange) rowToken() string { return b.ID + ".bulk" }

// check trims and checks the values of a new bulk change.
func (b *BulkChange) check(a Access) error {
	if err := checkLine("why", &b.Reason); err != nil {
		return err
	}
	switch b.Kind {
	case BulkPrice:
		return b.checkPrice()
	case BulkCategory:
		return checkLine("category", &b.Category)
	case BulkReorderPoint:
		if b.WarehouseID == "" {
			return InvalidField("warehouse", "Choose a warehouse.")
		}
		if err := a.requireWarehouse(b.WarehouseID); err != nil {
			return InvalidField("warehouse", "Choose a warehouse that you manage.")
		}
		return checkReorderPoint(b.ReorderPoint, new(string))
	}
	return nil
}

// BulkChange returns a bulk change. Users see their own bulk changes, admins see all,
// and managers also see those of their warehouses. For other users, it returns
// NotFound.
func (a Access) BulkChange(ctx context.Context, id string) (*BulkChange, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	b, err := a.store.bulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	inWarehouse := b.WarehouseID != "" && a.user.InCharge(b.WarehouseID)
	if !a.user.May(Administer) && !inWarehouse && (b.By != a.user.Name || b.WarehouseID != "") {
		return nil, fail(NotFound, "Bulk change not found.")
	}
	return b, nil
}

func (s *Store) bulkChange(ctx context.Context, id string) (*BulkChange, error) {
	b, err := readConsistently[*BulkChange](ctx, s, getBulkChange, key.Map{"bulkID": id})
	if KindOf(err) == NotFound {
		return nil, fail(NotFound, "Bulk change not found.")
	}
	return b, err
}

// BulkChanges lists the bulk changes of the user, newest first.
func (a Access) BulkChanges(ctx context.Context, page Page) (List[BulkChange], error) {
	if err := a.require(ChangeStock); err != nil {
		return List[BulkChange]{}, err
	}
	return list(ctx, a.store, table.Query{Pattern: getBulkChanges, Values: key.Map{"user": a.user.Name}}, page, decodeAs[BulkChange])
}

// BulkRows lists the products of a bulk change in the order of its preview, or only those
// that failed.
func (a Access) BulkRows(ctx context.Context, b *BulkChange, failures bool, page Page) (List[BulkRow], error) {
	if err := a.require(ChangeStock); err != nil {
		return List[BulkRow]{}, err
	}
	q := table.Query{Pattern: getBulkRows, Values: key.Map{"bulkID": b.ID}}
	if failures {
		q.Pattern = getBulkFailures
	}
	return list(ctx, a.store, q, page, decodeAs[BulkRow])
}

// BulkOutcome is the outcome of one product in a bulk change.
type BulkOutcome string

// Outcomes of a product.
const (
	BulkToDo    BulkOutcome = "" // not changed yet
	BulkChanged BulkOutcome = "CHANGED"
	BulkSkipped BulkOutcome = "SKIPPED" // the product needs no change or cannot be changed
	BulkFailed  BulkOutcome = "FAILED"
)

// BulkRow is one product in a bulk change. The transaction that changes the product
// also stores the outcome in the row.
type BulkRow struct {
	BulkID    string
	Number    int // position in the preview, from 1
	ProductID string
	Name      string // product name
	Seen      int    // version of the product or stock item in the preview
	Before    string // the stored value
	After     string
	Outcome   BulkOutcome
	EventID   string    `json:",omitempty"` // the event of the changed product
	Undoes    string    `json:",omitempty"` // the event that this row undoes
	Why       string    `json:",omitempty"` // why the product failed or was skipped
	Expires   time.Time `json:"-"`          // TTL
	Version   int       `json:"-"`
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

// skip returns the row as skipped, with the reason.
func (r BulkRow) skip(why string) BulkRow {
	r.Outcome, r.Why = BulkSkipped, cmp.Or(r.Why, why)
	return r
}
