package exchange

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// builder makes entities of rows.
type builder struct {
	found   []*found
	byKey   map[string]*found
	refused []Refused
}

// found is a row on its way to an entity.
type found struct {
	row    Row
	shape  shape
	entity store.Entity
	fold   *store.Payment // of a payment that was an item of its own
}

// keyNames are what a table calls its keys.
type keyNames struct{ pk, sk string }

// rows takes the rows of a table or of a facet. What stands in both is one
// item; a facet may say more of it, though nothing else.
func (b *builder) rows(table string, keys keyNames, raws []json.RawMessage) {
	if b.byKey == nil {
		b.byKey = map[string]*found{}
	}
	for i, raw := range raws {
		row := Row{Table: table, Number: i + 1, raw: raw}
		item, err := item(raw)
		if err != nil {
			b.refuse(row, "The row cannot be read: "+err.Error()+".")
			continue
		}
		if row.Item = item; keys != (keyNames{"PK", "SK"}) {
			item["PK"], item["SK"] = item[keys.pk], item[keys.sk]
			delete(item, keys.pk)
			delete(item, keys.sk)
		}
		shape, known := recognise(item)
		if !known {
			b.refuse(row, fmt.Sprintf("No kind of item that is known here has the type %q and the keys %q and %q.", text(item, "EntityType"), text(item, "PK"), text(item, "SK")))
			continue
		}
		shape.normalise(item)
		place := text(item, "PK") + "\x00" + text(item, "SK")
		if first := b.byKey[place]; first != nil {
			b.merge(first, row)
			continue
		}
		b.byKey[place] = &found{row: row, shape: shape}
		b.found = append(b.found, b.byKey[place])
	}
}

// merge adds what a second row says of an item that stands there already.
func (b *builder) merge(first *found, second Row) {
	for name, value := range second.Item {
		if there, both := first.row.Item[name]; both && !reflect.DeepEqual(there, value) {
			b.refuse(second, fmt.Sprintf("The same item stands in row %d of %s, with another %s.", first.row.Number, first.row.Table, name))
			return
		}
	}
	for name, value := range second.Item {
		first.row.Item[name] = value
	}
}

func (b *builder) refuse(row Row, reason string) {
	b.refused = append(b.refused, Refused{row, reason})
}

// build makes the entities, completes each by what the others say, and puts
// those of one order together.
func (b *builder) build() *Import {
	b.nameCustomers()
	shop := newShop()
	for _, f := range b.found {
		if reason := f.decode(); reason != "" {
			b.refuse(f.row, reason)
			continue
		}
		shop.take(f)
	}
	for _, f := range shop.foldPayments() {
		b.refuse(f.row, "The payment does not say which invoice it is for, and its order has not exactly one.")
	}
	shop.complete()
	result := &Import{Refused: b.refused}
	for _, f := range shop.inOrder() {
		result.Entities = append(result.Entities, f.entity)
		result.Rows = append(result.Rows, f.row)
	}
	return result
}

// nameCustomers tells lines and invoices whose order they belong to: only the
// order knows its customer.
func (b *builder) nameCustomers() {
	customers := map[string]string{}
	for _, f := range b.found {
		if f.shape.kind == "order" {
			customers[text(f.row.Item, "PK")] = text(f.row.Item, "SK")
		}
	}
	for _, f := range b.found {
		customer := customers[text(f.row.Item, "PK")]
		if (f.shape.kind == "orderItem" || f.shape.kind == "invoice") && text(f.row.Item, "GSI2-PK") == "" && customer != "" {
			setText(f.row.Item, "GSI2-PK", customer)
		}
	}
}

// decode makes the entity, or says why it cannot.
func (f *found) decode() (reason string) {
	item := f.row.Item
	for _, name := range []string{"PK", "SK"} {
		id := text(item, name)
		id = id[strings.IndexByte(id, '#')+1:]
		if err := key.CheckID(id); err != nil {
			return fmt.Sprintf("The key %s is %q: %v.", name, text(item, name), err)
		}
	}
	if f.shape.kind == payment {
		return f.decodePayment()
	}
	entity, err := store.Decode(item)
	if err != nil {
		return err.Error()
	}
	f.entity = entity
	return lacks(entity)
}

// decodePayment reads a payment as an invoice would hold it.
func (f *found) decodePayment() (reason string) {
	item := f.row.Item
	amount, err := store.ParseAmount(text(item, "Amount"))
	if err != nil {
		return fmt.Sprintf("The payment's Amount is %q, not an amount of money.", text(item, "Amount"))
	}
	f.fold = &store.Payment{
		ID: strings.TrimPrefix(text(item, "SK"), "pmn#"), Type: text(item, "Type"),
		Amount: amount, Data: store.LastFour(text(item, "Data")),
	}
	if date := text(item, "Date"); date != "" {
		if f.fold.Date, err = store.ParseTime(date); err != nil {
			return fmt.Sprintf("The payment's Date is %q, not a time.", date)
		}
	}
	return ""
}

// lacks says what an entity needs and has not: without it, it could not be
// found again.
func lacks(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Order:
		if e.Date.IsZero() {
			return "The order has no date."
		}
	case *store.OrderItem:
		if e.CustomerID == "" {
			return fmt.Sprintf("The line does not say its customer, and its order %s is not in the file.", e.OrderID)
		}
	case *store.Invoice:
		if e.CustomerID == "" {
			return fmt.Sprintf("The invoice does not say its customer, and its order %s is not in the file.", e.OrderID)
		}
	case *store.ShipmentItem:
		if e.ShipmentID == "" || e.ProductID == "" {
			return "The item of a shipment does not say its shipment and its product."
		}
	}
	return ""
}
