package views

import (
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// BulkPath returns the path of a bulk change.
func BulkPath(id string) string { return "/bulk/" + ui.Segment(id) }

// bulkWords contains the words with which pages describe a kind of bulk change.
type bulkWords struct {
	do        string // verb of the button
	one, many string // what the change creates or changes, such as product and products
	done      string // state of a changed row
	doneVerb  string // verb in a sentence, such as "packed" in "Nothing was packed."
}

func bulkWordsOf(kind store.BulkKind) bulkWords {
	switch kind {
	case store.BulkArchive:
		return bulkWords{"Archive", "product", "products", "Changed", "changed"}
	case store.BulkDelivery:
		return bulkWords{"Add", "expected delivery", "expected deliveries", "Added", "added"}
	case store.BulkTransfer:
		return bulkWords{"Send", "transfer", "transfers", "Sent", "sent"}
	case store.BulkShip:
		return bulkWords{"Pack", "order", "orders", "Packed", "packed"}
	case store.BulkInvoiceReminder, store.BulkRentalReminder:
		return bulkWords{"Send", "reminder", "reminders", "Email queued", "sent"}
	}
	return bulkWords{"Change", "product", "products", "Changed", "changed"}
}

// BulkChange is the page of a bulk change: its preview, progress or result.
type BulkChange struct {
	Page
	List
	Change   store.BulkChange
	State    store.BulkState
	Only     store.BulkOutcome // outcome of the shown rows; "" for all rows
	Problem  string            // why the change did not start; "" if there is no problem
	CanStart bool
	Token    string
	Rows     []store.BulkRow

	Recipients map[string]*store.Renter // customers and renters who get an email, by ID
	Quantities []ui.Input               // quantity of each row, as entered; nil for the saved quantities
	Query      string                   // query string of this page, to which the form returns
}

// Values of the parameter "show". They select the rows with one outcome.
const (
	ShowFailures = "failures"
	ShowSkipped  = "skipped"
)

func (p *BulkChange) tabs() []ui.Tab {
	return []ui.Tab{
		{Name: "All", URL: p.With("show", ""), Current: p.Only == ""},
		{Name: "Failed", URL: p.With("show", ShowFailures), Current: p.Only == store.BulkFailed},
		{Name: "Skipped", URL: p.With("show", ShowSkipped), Current: p.Only == store.BulkSkipped},
	}
}

func (p *BulkChange) whyEmpty() string {
	switch p.Only {
	case store.BulkFailed:
		return "No rows failed."
	case store.BulkSkipped:
		return "No rows were skipped."
	}
	return "No rows match."
}

// BulkChanges lists the bulk changes of the user, or of all users for admins.
type BulkChanges struct {
	Page
	List
	Rows []store.BulkChange
}

// warehouse returns the name of the warehouse of a change, or the number of its
// warehouses. It returns "All warehouses" for a shipment from any warehouse, and "" for
// changes that concern no warehouse.
func (p *BulkChanges) warehouse(b *store.BulkChange) string {
	ids := b.Warehouses()
	switch {
	case b.WarehouseName != "":
		return b.WarehouseName
	case len(ids) == 1:
		return p.warehouseName(ids[0])
	case len(ids) > 1:
		return count(len(ids), "warehouse", "warehouses")
	case b.Kind == store.BulkShip:
		return "All warehouses"
	}
	return ""
}

// isActive reports whether a server lists or changes the rows at the moment.
func (p *BulkChange) isActive() bool {
	return p.State == store.BulkListing || p.State == store.BulkRunning
}

func (p *BulkChange) status() string {
	c, w := &p.Change, bulkWordsOf(p.Change.Kind)
	one, many := c.Kind.Noun()
	switch p.State {
	case store.BulkListing:
		return "The preview is being prepared. So far, it has " + count(c.Rows, one, many) + "."
	case store.BulkReady:
		if w.one == one {
			return "Nothing has been " + w.doneVerb + " yet. " + number(c.ToDo()) + " of " + count(c.Rows, one, many) + " will be " + w.doneVerb + "."
		}
		text := "Nothing has been " + w.doneVerb + " yet. " + count(c.ToDo(), w.one, w.many) + " will be " + w.doneVerb + "."
		if c.Skipped > 0 {
			text += " Skipped: " + number(c.Skipped) + " of " + count(c.Rows, one, many) + "."
		}
		return text
	case store.BulkRunning:
		return "You can close this page. The change continues."
	case store.BulkStopped:
		if !c.Listed {
			return "The preview was stopped. Nothing was " + w.doneVerb + "."
		}
		return count(c.ToDo(), w.one+" is", w.many+" are") + " not " + w.doneVerb + " yet."
	}
	return ""
}

func (p *BulkChange) button() string {
	w := bulkWordsOf(p.Change.Kind)
	if p.Change.Undoes != "" {
		w.do = "Change" // the undo of archiving restores products
	}
	if p.Change.ToDo() == 0 {
		return w.do + " " + w.many
	}
	return w.do + " " + count(p.Change.ToDo(), w.one, w.many)
}

// start returns the label of the button that starts or continues the change. It returns
// "" if the page has no such button.
func (p *BulkChange) start() string {
	switch {
	case !p.CanStart || p.Change.Listed && p.Change.ToDo() == 0:
	case p.State == store.BulkReady:
		return p.button()
	case p.State == store.BulkStopped && p.Change.Listed:
		return "Continue"
	case p.State == store.BulkStopped:
		return "Continue preview"
	}
	return ""
}

func (p *BulkChange) canCancel() bool {
	return p.Change.IsCancelledBy(p.User) && p.Change.CanCancel() && p.State != store.BulkCancelled
}

// BulkListPath returns the address of the list from which the rows of a change come, with
// its filters.
func BulkListPath(b *store.BulkChange) string {
	return strings.TrimSuffix(BulkListOf(b.Kind).Path+"?"+b.List, "?")
}

// BulkResult returns the result of a change, such as "3 packed, 1 failed". It returns ""
// if the change is neither done nor was stopped after its preview was complete.
func BulkResult(b *store.BulkChange, state store.BulkState) string {
	if state != store.BulkDone && (state != store.BulkStopped || !b.Listed) {
		return ""
	}
	text := number(b.Changed) + " " + bulkWordsOf(b.Kind).doneVerb
	if b.Failed > 0 {
		text += ", " + number(b.Failed) + " failed"
	}
	if b.Skipped > 0 {
		text += ", " + number(b.Skipped) + " skipped"
	}
	return text
}

// BulkDone returns the verb for a kind of change, such as "packed" in "Nothing was
// packed."
func BulkDone(kind store.BulkKind) string { return bulkWordsOf(kind).doneVerb }

// countShown returns the number of shown rows in words, such as "25 rows; more on the next
// page".
func (p *BulkChange) countShown() string {
	text := count(len(p.Rows), "row", "rows")
	if p.NextURL != "" {
		text += "; more on the next page"
	}
	return text
}

func queryOf(address string) string {
	_, query, _ := strings.Cut(address, "?")
	return query
}

// hasForm reports whether the user can edit the quantities of the rows.
func (p *BulkChange) hasForm() bool {
	return p.CanStart && p.State == store.BulkReady && p.Change.Kind.HasQuantities() && p.Change.Undoes == "" && p.Only == "" && len(p.Rows) > 0
}

func (p *BulkChange) quantity(i int) ui.Field {
	r := &p.Rows[i]
	f := ui.Field{Name: store.SheetField("quantity", i+1), Label: "Quantity of " + nameOr(r.Name, r.ProductID), Numeric: true, Bare: true, Input: ui.Input{Value: r.After}}
	if p.Quantities != nil {
		f.Input = p.Quantities[i]
	}
	return f
}

// quantityFields returns the fields for the quantities that can be edited.
func (p *BulkChange) quantityFields() (fields []ui.Field) {
	for i := range p.Rows {
		if p.hasForm() && p.Rows[i].Max > 0 {
			fields = append(fields, p.quantity(i))
		}
	}
	return fields
}

// recipient returns the name and the email address of the person who gets the email of a
// row.
func (p *BulkChange) recipient(r *store.BulkRow) (name, email string) {
	if person := p.Recipients[r.PersonID]; person != nil {
		return nameOr(person.Name, r.PersonID), person.Email
	}
	return r.PersonID, ""
}

func (p *BulkChange) due(r *store.BulkRow) string {
	day, err := time.Parse(time.DateOnly, r.After)
	if err != nil || day.Year() <= 1 {
		return "–"
	}
	return p.calendar(day)
}

// value formats the value of a row before or after the change. Prices and amounts get their
// currency.
func (p *BulkChange) value(text string) string {
	if p.Change.Kind == store.BulkPrice || p.Change.Kind == store.BulkInvoiceReminder {
		if price, err := store.ParseAmount(text); err == nil {
			return p.money(price)
		}
	}
	return nameOr(text, "–")
}

// shipped returns what the row of an order ships, such as "3 pieces of 2 products from
// North".
func (p *BulkChange) shipped(r *store.BulkRow) string {
	if r.SourceID == "" {
		return r.Before
	}
	return r.Before + " from " + p.warehouseName(r.SourceID)
}

// numeric returns the CSS class of cells with a value: "num" for numbers, otherwise "wrap".
func (p *BulkChange) numeric() string {
	if p.Change.Kind == store.BulkPrice || p.Change.Kind == store.BulkReorderPoint {
		return "num"
	}
	return "wrap"
}

func bulkBadge(s store.BulkState) ui.Badge {
	switch s {
	case store.BulkListing, store.BulkRunning:
		return ui.Badge{Word: sentence(string(s)), Tone: ui.Moving}
	case store.BulkReady, store.BulkStopped:
		return ui.Badge{Word: sentence(string(s)), Tone: ui.Waiting}
	case store.BulkDone:
		return ui.Badge{Word: "Done", Tone: ui.Good}
	case store.BulkCancelled:
		return ui.Badge{Word: "Cancelled", Tone: ui.Ended}
	}
	return ui.Badge{Word: sentence(string(s)), Tone: ui.Wrong}
}

func (p *BulkChange) bulkOutcomeBadge(o store.BulkOutcome) ui.Badge {
	switch o {
	case store.BulkChanged:
		return ui.Badge{Word: bulkWordsOf(p.Change.Kind).done, Tone: ui.Good}
	case store.BulkFailed:
		return ui.Badge{Word: "Failed", Tone: ui.Wrong}
	case store.BulkSkipped:
		return ui.Badge{Word: "Skipped", Tone: ui.Ended}
	}
	if p.State == store.BulkCancelled {
		return ui.Badge{Word: "Cancelled", Tone: ui.Ended}
	}
	return ui.Badge{Word: "To do", Tone: ui.Neutral}
}

func (p *BulkChange) nouns() string {
	_, many := p.Change.Kind.Noun()
	return many
}
