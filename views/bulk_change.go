package views

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// BulkPath returns the path of a bulk change.
func BulkPath(id string) string { return "/bulk/" + ui.Segment(id) }

// BulkList is a list whose rows can be selected for bulk changes.
type BulkList struct {
	Path    string   // of the list
	Row     string   // URL parameter with the ID of a selected row
	Filters []string // URL parameters that filter the list
	Kinds   []store.BulkKind
	Print   map[string]string // paths of the pages that print the selected rows, by button
}

// The values of ButtonParam tell which button was pressed.
const (
	ButtonSlips  = "slips"
	ButtonPick   = "pick"
	ButtonPrint  = "print"
	ButtonPDF    = "pdf"
	ButtonRun    = "run"    // start a bulk change
	ButtonNext   = "next"   // save the quantities and show the next page
	ButtonBefore = "before" // save the quantities and show the page before
)

// The lists with bulk changes.
var (
	BulkProducts = BulkList{Path: "/products", Row: "product", Filters: []string{"bucket", "name", "category"}, Kinds: []store.BulkKind{store.BulkPrice, store.BulkCategory, store.BulkReorderPoint, store.BulkArchive}}
	BulkLowStock = BulkList{Path: lowStockPath, Row: "stock", Filters: []string{"warehouse", "show"}, Kinds: []store.BulkKind{store.BulkDelivery, store.BulkTransfer}}
	BulkOrders   = BulkList{Path: "/orders", Row: "order", Filters: []string{"status", "from", "to", "stock"}, Kinds: []store.BulkKind{store.BulkShip}, Print: map[string]string{ButtonSlips: "/orders/slips", ButtonPick: "/orders/pick"}}
	BulkInvoices = BulkList{Path: "/invoices", Row: "invoice", Filters: []string{"status", "from", "to"}, Kinds: []store.BulkKind{store.BulkInvoiceReminder}, Print: map[string]string{ButtonPrint: "/invoices/print", ButtonPDF: "/invoices/print/pdf"}}
	BulkOverdue  = BulkList{Path: overduePath, Row: "rental", Filters: []string{"show"}, Kinds: []store.BulkKind{store.BulkRentalReminder}, Print: map[string]string{ButtonPrint: overduePath + "/print"}}
)

// filtersOf returns the parameters that filter the list.
func (l *BulkList) filtersOf(params []ui.Param) []ui.Param {
	return slices.DeleteFunc(slices.Clone(params), func(p ui.Param) bool { return !slices.Contains(l.Filters, p.Name) })
}

// BulkListOf returns the list of a kind of bulk change.
func BulkListOf(kind store.BulkKind) *BulkList {
	for _, l := range []*BulkList{&BulkOrders, &BulkLowStock, &BulkInvoices, &BulkOverdue} {
		if slices.Contains(l.Kinds, kind) {
			return l
		}
	}
	return &BulkProducts
}

// BulkFormPath returns the path of the form for a kind of bulk change.
func BulkFormPath(kind store.BulkKind) string {
	name := strings.ToLower(strings.ReplaceAll(string(kind), "_", "-"))
	if kind.SendsEmails() {
		name = "reminder"
	}
	return BulkListOf(kind).Path + "/bulk/" + name
}

// BulkTitle returns the title of the form for a kind of bulk change.
func BulkTitle(kind store.BulkKind) string {
	switch kind {
	case store.BulkPrice:
		return "Change prices"
	case store.BulkCategory:
		return "Set category"
	case store.BulkReorderPoint:
		return "Set reorder point"
	case store.BulkDelivery:
		return "Add expected deliveries"
	case store.BulkTransfer:
		return "Send transfers"
	case store.BulkShip:
		return "Ship orders"
	case store.BulkInvoiceReminder:
		return "Send payment reminders"
	case store.BulkRentalReminder:
		return "Send reminders"
	}
	return "Archive products"
}

// bulkWords contains the words for a kind of bulk change.
type bulkWords struct {
	do        string // what the button does
	one, many string // what the change makes or changes
	done      string // outcome of a row
	doneVerb  string // in a sentence
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
		return bulkWords{"Ship", "order", "orders", "Shipped", "shipped"}
	case store.BulkInvoiceReminder, store.BulkRentalReminder:
		return bulkWords{"Send", "reminder", "reminders", "Email queued", "sent"}
	}
	return bulkWords{"Change", "product", "products", "Changed", "changed"}
}

// BulkSelection is what a list passes to the form: the selected rows, or the filters if
// all matching rows change.
type BulkSelection struct {
	*BulkList
	Kind    store.BulkKind
	Rows    []string // IDs
	All     bool
	Filters []ui.Param // the filters that are set
}

// Filter returns the value of a filter, or "".
func (s *BulkSelection) Filter(name string) string {
	for _, f := range s.Filters {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// bulkAction is a button for the selected rows of a list.
type bulkAction struct{ value, text string }

// BulkForm is the form of a bulk change.
type BulkForm struct {
	Page
	Form
	Kind      store.BulkKind
	Selection BulkSelection

	Percent, Rounding, Category, Warehouse, Reorder, Due, Supplier, Why ui.Input

	CategoryPick *ui.Pick          // for BulkCategory
	Warehouses   []store.Warehouse // for BulkReorderPoint and BulkTransfer
}

// BulkChange is the page of a bulk change: its preview, progress or result.
type BulkChange struct {
	Page
	List
	Change   store.BulkChange
	State    store.BulkState
	Only     store.BulkOutcome // of the rows that are shown; "" for all rows
	Problem  string            // why the change did not start; "" if there is no problem
	CanStart bool
	Token    string
	Rows     []store.BulkRow

	Recipients map[string]*store.Renter // customers and renters who get an email, by ID
	Quantities []ui.Input               // of the rows, as entered; nil for the saved ones
	Query      string                   // query string of this page, to which the form returns
}

// Values of the parameter "show" that select a part of the rows of a bulk change.
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

// whyEmpty explains why the change has no rows to show.
func (p *BulkChange) whyEmpty() string {
	switch p.Only {
	case store.BulkFailed:
		return "No row failed."
	case store.BulkSkipped:
		return "No row was skipped."
	}
	return "No rows match."
}

// BulkChanges is the list of the user's bulk changes.
type BulkChanges struct {
	Page
	List
	Rows []store.BulkChange
}

// Query returns the filters as a query string.
func (s *BulkSelection) Query() string {
	values := url.Values{}
	for _, f := range s.Filters {
		values.Set(f.Name, f.Value)
	}
	return values.Encode()
}

// path returns the address of the list with its filters.
func (s *BulkSelection) path() string { return strings.TrimSuffix(s.BulkList.Path+"?"+s.Query(), "?") }

// isEmpty reports whether no row is selected.
func (s *BulkSelection) isEmpty() bool { return !s.All && len(s.Rows) == 0 }

// describe returns a text that says which rows change.
func (s *BulkSelection) describe() string {
	if !s.All {
		return countOf(s.Kind, len(s.Rows)) + " selected."
	}
	_, all := s.Kind.Noun()
	if s.Kind == store.BulkRentalReminder {
		return "All renters with overdue kayaks."
	}
	var filters []string
	for _, f := range s.Filters {
		switch name := strings.ToLower(filterName(f.Name)); {
		case f.Name == "bucket":
			filters = append(filters, "letter “"+bucketName(f.Value)+"”")
		case f.Name == "show":
			filters = append(filters, "none in stock")
		case name != "" && f.Value != "":
			filters = append(filters, name+" “"+f.Value+"”")
		}
	}
	if s.Kind.HasQuantities() {
		all += " with low stock"
	}
	if len(filters) == 0 {
		return "All " + all + "."
	}
	return "All " + all + " with " + strings.Join(filters, " and ") + "."
}

// countOf returns a number of rows of a bulk change in words, such as 3 products.
func countOf(kind store.BulkKind, n int) string {
	if kind == store.BulkRentalReminder {
		return count(n, "kayak", "kayaks") // the rows of the list; the preview groups them by renter
	}
	one, many := kind.Noun()
	return count(n, one, many)
}

func (p *BulkForm) target() ui.Change {
	return ui.Change{Action: BulkFormPath(p.Kind), Token: p.Token, Submit: "Preview", Back: p.Selection.path()}
}

// explain says what the change does with each row.
func (p *BulkForm) explain() string {
	switch p.Kind {
	case store.BulkDelivery:
		return "The preview suggests a quantity for each product: enough to be above the reorder point and to fill open orders. You can edit the quantities before anything changes."
	case store.BulkTransfer:
		return "The preview suggests a quantity for each product, and a warehouse that can send it without becoming low itself. You can edit the quantities before anything is sent."
	case store.BulkShip:
		return "Each order gets one shipment of all its open items. The preview shows which warehouse ships each order, and which orders can't ship completely."
	case store.BulkInvoiceReminder:
		return "Each invoice gets at most one reminder per day, with the invoice as a PDF. The preview shows who gets an email, and who doesn't."
	case store.BulkRentalReminder:
		return "Each renter gets at most one email per day, with all of their overdue kayaks. The preview shows who gets an email, and who doesn't."
	}
	return "The preview shows each product before anything changes."
}

// fields returns the fields of the form. The select fields have options.
func (p *BulkForm) fields() []ui.Field {
	var fields []ui.Field
	switch p.Kind {
	case store.BulkPrice:
		fields = []ui.Field{
			{Name: "percent", Label: "Change in percent", Hint: "For example 5 or -2.5", Decimal: true, Required: true, Input: p.Percent},
			{Name: "rounding", Label: "Rounding", Input: p.Rounding, Options: optionsOf(store.PriceRoundings)},
		}
	case store.BulkCategory:
		fields = []ui.Field{{Name: "category", Label: "Category", Hint: "Start of the name. Leave empty to remove the category", Input: p.Category, Pick: p.CategoryPick}}
	case store.BulkReorderPoint:
		fields = []ui.Field{
			{Name: "warehouse", Label: "Warehouse", Required: true, Input: p.Warehouse, Options: p.warehouseOptions()},
			{Name: "reorder", Label: "Reorder point", Hint: "At or below this quantity, the stock is low", Numeric: true, Required: true, Input: p.Reorder},
		}
	case store.BulkDelivery:
		return []ui.Field{
			{Name: "due", Label: "Expected on", Hint: "For example " + p.Now.In(p.zone()).AddDate(0, 0, 7).Format(time.DateOnly), Required: true, Input: p.Due},
			{Name: "supplier", Label: "Supplier", Hint: "Optional. Who sends the goods", Input: p.Supplier},
		}
	case store.BulkShip:
		return []ui.Field{{Name: "source", Label: "Ship from", Input: p.Warehouse, Options: p.warehouseOptions()}}
	case store.BulkTransfer:
		fields = []ui.Field{{Name: "source", Label: "Send from", Input: p.Warehouse, Options: p.warehouseOptions()}}
	case store.BulkInvoiceReminder, store.BulkRentalReminder:
		return nil
	}
	return append(fields, ui.Field{Name: "why", Label: "Reason", Hint: "Optional. The history of each product shows it", Input: p.Why})
}

func optionsOf(all []store.FieldOption) []ui.Option {
	options := make([]ui.Option, len(all))
	for i, o := range all {
		options[i] = ui.Option{Value: o.Value, Text: o.Label}
	}
	return options
}

func (p *BulkForm) warehouseOptions() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a warehouse"}}
	switch p.Kind {
	case store.BulkTransfer:
		options[0].Text = "The warehouse that can spare the most"
	case store.BulkShip:
		options[0].Text = "A warehouse that has all open items"
	}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}

// isActive reports whether a runner works on the change.
func (p *BulkChange) isActive() bool {
	return p.State == store.BulkListing || p.State == store.BulkRunning
}

// status returns a sentence about the state of the change.
func (p *BulkChange) status() string {
	c, w := &p.Change, bulkWordsOf(p.Change.Kind)
	one, many := c.Kind.Noun()
	switch p.State {
	case store.BulkListing:
		return "The preview is being prepared. So far, it has " + count(c.Rows, one, many) + "."
	case store.BulkReady:
		if w.one == one {
			return "Nothing is " + w.doneVerb + " yet. " + count(c.ToDo(), one, many) + " of " + number(c.Rows) + " will be " + w.doneVerb + "."
		}
		return "Nothing is " + w.doneVerb + " yet. " + count(c.ToDo(), w.one, w.many) + " for " + count(c.Rows, one, many) + "."
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

// button returns the label of the button that starts the change.
func (p *BulkChange) button() string {
	w := bulkWordsOf(p.Change.Kind)
	if p.Change.ToDo() == 0 {
		return w.do + " " + w.many
	}
	return w.do + " " + count(p.Change.ToDo(), w.one, w.many)
}

// start returns the label of the button that starts or continues the change, or "" if the
// user can't do that.
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

// canCancel reports whether the user can cancel the change.
func (p *BulkChange) canCancel() bool {
	return p.CanStart && p.Change.CanCancel() && p.State != store.BulkCancelled
}

// BulkListPath returns the address of the list from which the rows of a change come, with
// its filters.
func BulkListPath(b *store.BulkChange) string {
	return strings.TrimSuffix(BulkListOf(b.Kind).Path+"?"+b.List, "?")
}

// BulkResult returns what a change has done, such as "3 shipped, 1 failed", or "" if it has
// not ended.
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

// BulkDone returns what a change of this kind does, in a sentence such as "Nothing was
// shipped."
func BulkDone(kind store.BulkKind) string { return bulkWordsOf(kind).doneVerb }

// countShown returns the number of rows on this page.
func (p *BulkChange) countShown() string {
	text := count(len(p.Rows), "row", "rows")
	if p.NextURL != "" {
		text += ", more follow"
	}
	return text
}

// queryOf returns the query string of an address.
func queryOf(address string) string {
	_, query, _ := strings.Cut(address, "?")
	return query
}

// hasForm reports whether the user can edit the quantities of the rows.
func (p *BulkChange) hasForm() bool {
	return p.CanStart && p.State == store.BulkReady && p.Change.Kind.HasQuantities() && p.Change.Undoes == "" && p.Only == "" && len(p.Rows) > 0
}

// quantity returns the field of the quantity of a row.
func (p *BulkChange) quantity(i int) ui.Field {
	r := &p.Rows[i]
	f := ui.Field{Name: store.SheetField("quantity", i+1), Label: "Quantity of " + nameOr(r.Name, r.ProductID), Numeric: true, Bare: true, Input: ui.Input{Value: r.After}}
	if p.Quantities != nil {
		f.Input = p.Quantities[i]
	}
	return f
}

// quantityFields returns the fields of the quantities that can be edited.
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

// due returns the due day of the invoice of a row.
func (p *BulkChange) due(r *store.BulkRow) string {
	day, err := time.Parse(time.DateOnly, r.After)
	if err != nil || day.Year() <= 1 {
		return "–"
	}
	return p.calendar(day)
}

// value returns the value of a product before or after the change.
func (p *BulkChange) value(text string) string {
	if p.Change.Kind == store.BulkPrice || p.Change.Kind == store.BulkInvoiceReminder {
		if price, err := store.ParseAmount(text); err == nil {
			return p.money(price)
		}
	}
	return nameOr(text, "–")
}

// shipped returns what the row of an order ships, such as "3 pieces of 2 products from North".
func (p *BulkChange) shipped(r *store.BulkRow) string {
	if r.SourceID == "" {
		return r.Before
	}
	return r.Before + " from " + p.warehouseName(r.SourceID)
}

// numeric returns the CSS class of the cells with values.
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

// bulkOutcomeBadge returns the state of a row. Before the change starts, rows that
// will change have none.
func (p *BulkChange) bulkOutcomeBadge(o store.BulkOutcome) ui.Badge {
	switch o {
	case store.BulkChanged:
		return ui.Badge{Word: bulkWordsOf(p.Change.Kind).done, Tone: ui.Good}
	case store.BulkFailed:
		return ui.Badge{Word: "Failed", Tone: ui.Wrong}
	case store.BulkSkipped:
		return ui.Badge{Word: "Skipped", Tone: ui.Ended}
	}
	return ui.Badge{Word: "To do", Tone: ui.Neutral}
}

// nouns returns what the rows are.
func (p *BulkChange) nouns() string {
	_, many := p.Change.Kind.Noun()
	return many
}

// listName returns the title of the list from which the rows come.
func (p *BulkForm) listName() string {
	switch BulkListOf(p.Kind) {
	case &BulkOrders:
		return "Orders"
	case &BulkLowStock:
		return "Low stock"
	case &BulkInvoices:
		return "Invoices"
	case &BulkOverdue:
		return "Overdue"
	}
	return "Products"
}
