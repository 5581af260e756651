package views

import (
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

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
		return "Pack orders"
	case store.BulkInvoiceReminder:
		return "Send payment reminders"
	case store.BulkRentalReminder:
		return "Send reminders"
	}
	return "Archive products"
}

// BulkForm is the form of a bulk change.
type BulkForm struct {
	Page
	Form
	Kind      store.BulkKind
	Selection BulkSelection

	Percent, Rounding, Category, Warehouse, Reorder, Due, Supplier, Why ui.Input

	CategoryPick *ui.Pick          // field for the category of a BulkCategory
	Warehouses   []store.Warehouse // options for the warehouse of a BulkReorderPoint, BulkTransfer or BulkShip
}

func (p *BulkForm) target() ui.Change {
	return ui.Change{Action: BulkFormPath(p.Kind), Token: p.Token, Submit: "Preview", Back: p.Selection.ListPath()}
}

// explain describes the effect of the change on each row.
func (p *BulkForm) explain() string {
	switch p.Kind {
	case store.BulkDelivery:
		return "The preview suggests a quantity for each product: enough to raise the stock above the reorder point and to fill open orders. You can edit the quantities before anything changes."
	case store.BulkTransfer:
		return "The preview suggests a quantity for each product, and a warehouse that can send it without its own stock becoming low. You can edit the quantities before anything is sent."
	case store.BulkShip:
		return "Each order gets one packed shipment of all its open items. Mark the shipments as shipped when they leave. The preview shows the warehouse of each shipment, and which orders can't be packed completely."
	case store.BulkInvoiceReminder:
		return "Each invoice gets at most one reminder per day, with the invoice as a PDF. The preview shows who gets an email, and who doesn't."
	case store.BulkRentalReminder:
		return "Each renter gets at most one email per day, with all of their overdue kayaks. The preview shows who gets an email, and who doesn't."
	}
	return "The preview shows each product before anything changes."
}

func (p *BulkForm) fields() []ui.Field {
	var fields []ui.Field
	switch p.Kind {
	case store.BulkPrice:
		fields = []ui.Field{
			{Name: "percent", Label: "Change in percent", Hint: "For example, 5 or -2.5.", Decimal: true, Required: true, Input: p.Percent},
			{Name: "rounding", Label: "Rounding", Input: p.Rounding, Options: optionsOf(store.PriceRoundings(p.Currency))},
		}
	case store.BulkCategory:
		fields = []ui.Field{{Name: "category", Label: "Category", Hint: "The start of the name. Leave empty to remove the category.", Input: p.Category, Pick: p.CategoryPick}}
	case store.BulkReorderPoint:
		fields = []ui.Field{
			{Name: "warehouse", Label: "Warehouse", Required: true, Input: p.Warehouse, Options: p.warehouseOptions()},
			{Name: "reorder", Label: "Reorder point", Hint: "Stock at or below this quantity is low.", Numeric: true, Required: true, Input: p.Reorder},
		}
	case store.BulkDelivery:
		return []ui.Field{
			{Name: "due", Label: "Expected date", Hint: "For example, " + p.Now.In(p.zone()).AddDate(0, 0, 7).Format(time.DateOnly) + ".", Required: true, Input: p.Due},
			{Name: "supplier", Label: "Supplier (optional)", Hint: "Who sends the goods.", Input: p.Supplier},
		}
	case store.BulkShip:
		return []ui.Field{{Name: "source", Label: "Ship from", Input: p.Warehouse, Options: p.warehouseOptions()}}
	case store.BulkTransfer:
		fields = []ui.Field{{Name: "source", Label: "Send from", Input: p.Warehouse, Options: p.warehouseOptions()}}
	case store.BulkInvoiceReminder, store.BulkRentalReminder:
		return nil
	}
	return append(fields, ui.Field{Name: "why", Label: "Reason (optional)", Hint: "Shown in the history of each product.", Input: p.Why})
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

// listName returns the title of the list with the selected rows.
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
