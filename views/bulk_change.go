package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// BulkPath returns the path of a bulk change.
func BulkPath(id string) string { return "/bulk/" + ui.Segment(id) }

// BulkFormPath returns the path of the form for a kind of bulk change.
func BulkFormPath(kind store.BulkKind) string {
	return "/products/bulk/" + strings.ToLower(strings.ReplaceAll(string(kind), "_", "-"))
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
	}
	return "Archive products"
}

// BulkSelection is what the list of products passes to the form: the selected
// products, or the filters if all matching products change.
type BulkSelection struct {
	Products []string // product IDs
	All      bool
	Filter   store.ProductFilter
}

// BulkForm is the form of a bulk change.
type BulkForm struct {
	Page
	Form
	Kind      store.BulkKind
	Selection BulkSelection

	Percent, Rounding, Category, Warehouse, Reorder, Why ui.Input

	CategoryPick *ui.Pick          // for BulkCategory
	Warehouses   []store.Warehouse // for BulkReorderPoint
}

// BulkChange is the page of a bulk change: its preview, progress or result.
type BulkChange struct {
	Page
	List
	Change   store.BulkChange
	State    store.BulkState
	Failures bool   // show only failures
	Problem  string // why the change did not start; "" if there is no problem
	CanStart bool
	Token    string
	Rows     []store.BulkRow
}

// BulkChanges is the list of the user's bulk changes.
type BulkChanges struct {
	Page
	List
	Rows []store.BulkChange
}

// isEmpty reports whether no product is selected.
func (s *BulkSelection) isEmpty() bool { return !s.All && len(s.Products) == 0 }

// describe returns a text that says which products change.
func (s *BulkSelection) describe() string {
	if !s.All {
		return count(len(s.Products), "product", "products") + " selected."
	}
	var filters []string
	for _, f := range [][2]string{{"letter", bucketName(s.Filter.Bucket)}, {"name", s.Filter.Name}, {"category", s.Filter.Category}} {
		if f[1] != "" {
			filters = append(filters, f[0]+" “"+f[1]+"”")
		}
	}
	if len(filters) == 0 {
		return "All products."
	}
	return "All products with " + strings.Join(filters, " and ") + "."
}

func (p *BulkForm) target() ui.Change {
	return ui.Change{Action: BulkFormPath(p.Kind), Token: p.Token, Submit: "Preview", Back: "/products"}
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
	c := &p.Change
	switch p.State {
	case store.BulkListing:
		return "The preview is being made. So far, it has " + count(c.Rows, "product", "products") + "."
	case store.BulkReady:
		return "Nothing is changed yet. " + count(c.ToDo(), "product", "products") + " of " + number(c.Rows) + " will change."
	case store.BulkRunning:
		return "You can close this page. The change continues."
	case store.BulkStopped:
		if !c.Listed {
			return "The preview was stopped. Nothing was changed."
		}
		return count(c.ToDo(), "product is", "products are") + " not changed yet."
	}
	return ""
}

// form returns the form that starts or continues the change. It has no button if the
// user cannot do that.
func (p *BulkChange) form() ui.Change {
	f := ui.Change{Action: BulkPath(p.Change.ID) + "/run", Token: p.Token, Version: p.Change.Version}
	switch {
	case !p.CanStart || p.Change.Listed && p.Change.ToDo() == 0:
	case p.State == store.BulkReady:
		f.Submit, f.Back = "Change "+count(p.Change.ToDo(), "product", "products"), "/products"
		if p.Change.Kind == store.BulkArchive {
			f.Submit = "Archive " + count(p.Change.ToDo(), "product", "products")
		}
	case p.State == store.BulkStopped && p.Change.Listed:
		f.Submit = "Continue"
	case p.State == store.BulkStopped:
		f.Submit = "Continue preview"
	}
	return f
}

// value returns the value of a product before or after the change.
func (p *BulkChange) value(text string) string {
	if p.Change.Kind == store.BulkPrice {
		if price, err := store.ParseAmount(text); err == nil {
			return p.money(price)
		}
	}
	return nameOr(text, "–")
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
	}
	return ui.Badge{Word: sentence(string(s)), Tone: ui.Wrong}
}

// bulkOutcomeBadge returns the state of a row. Before the change starts, rows that
// will change have none.
func (p *BulkChange) bulkOutcomeBadge(o store.BulkOutcome) ui.Badge {
	switch o {
	case store.BulkChanged:
		return ui.Badge{Word: "Changed", Tone: ui.Good}
	case store.BulkFailed:
		return ui.Badge{Word: "Failed", Tone: ui.Wrong}
	case store.BulkSkipped:
		return ui.Badge{Word: "Skipped", Tone: ui.Ended}
	}
	return ui.Badge{Word: "To do", Tone: ui.Neutral}
}
