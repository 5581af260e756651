package exchange

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"stockroom/store"
)

// builder converts rows to entities and completes them from each other. For example,
// an order line gets its price from the product, and an order gets its total from its
// lines.
type builder struct {
	data       *dataset
	rowCount   int
	rows       []*parsedRow
	byKey      map[string]*parsedRow
	rejectedIn map[string]Row // the first rejected row of each order
	rejected   []RejectedRow
}

type parsedRow struct {
	row       Row
	kind      itemKind
	entity    store.Entity
	payment   *store.Payment // set only for kindPayment, which is not an entity
	values    rowValues      // parsed cells; set only for rows of CSV files
	reason    string         // why the row is rejected; "" if it is valid
	cancelled bool           // the import has cancelled the open line, because its order is cancelled
}

func (r *parsedRow) partition() string { return text(r.row.Item, "PK") }

// has reports whether the row in the file has a value for the attribute.
func (r *parsedRow) has(name string) bool { return !isEmpty(r.row.Item[name]) }

// keyNames contains the names of the table's key attributes.
type keyNames struct{ pk, sk string }

// rename renames the keys of an item to PK and SK.
func (k keyNames) rename(item store.Item) {
	if k == (keyNames{"PK", "SK"}) {
		return
	}
	item["PK"], item["SK"] = item[k.pk], item[k.sk]
	delete(item, k.pk)
	delete(item, k.sk)
}

func newBuilder(d *dataset) *builder {
	return &builder{data: d, byKey: map[string]*parsedRow{}, rejectedIn: map[string]Row{}}
}

func (b *builder) addTable(table string, keys keyNames, raws []json.RawMessage) {
	for i, raw := range raws {
		row := Row{Table: table, Number: i + 1, raw: raw, keys: keys}
		item, err := parseItem(raw)
		if err != nil {
			b.reject(b.positioned(row), "Can't read the row: "+err.Error()+".")
			continue
		}
		keys.rename(item)
		row.Item = item
		b.add(row)
	}
}

func (b *builder) positioned(row Row) Row {
	b.rowCount++
	row.position = b.rowCount
	return row
}

// add adds a row with its item. A model can list an item twice: in the table and in a
// facet. The second row may add attributes to the item, but not change any.
func (b *builder) add(row Row) {
	row = b.positioned(row)
	composeTexts(row.Item)
	kind, known := findKind(row.Item)
	if !known {
		b.reject(row, unknownKind(row.Item))
		return
	}
	if kind.normalise(row.Item); kind.isOrderPart() {
		row.order = strings.TrimPrefix(text(row.Item, "PK"), orderPrefix)
	}
	keys := text(row.Item, "PK") + "\x00" + text(row.Item, "SK")
	if earlier := b.byKey[keys]; earlier != nil {
		b.merge(earlier, row)
		return
	}
	b.byKey[keys] = &parsedRow{row: row, kind: kind}
	b.rows = append(b.rows, b.byKey[keys])
}

func (b *builder) merge(earlier *parsedRow, row Row) {
	for name, value := range row.Item {
		if other, both := earlier.row.Item[name]; both && !reflect.DeepEqual(other, value) {
			b.rejectOrder(&parsedRow{row: row, kind: earlier.kind}, fmt.Sprintf("%s has the same PK and SK, but a different %s. Remove one of the two rows.", capitalize(earlier.row.String()), name))
			return
		}
	}
	for name, value := range row.Item {
		earlier.row.Item[name] = value
	}
	earlier.row.parts = append(earlier.row.parts, part{row, partRepeated})
}

func (b *builder) reject(row Row, reason string) {
	b.rejected = append(b.rejected, RejectedRow{row, reason})
}

// rejectOrder rejects a row and the whole order of which it is part.
func (b *builder) rejectOrder(r *parsedRow, reason string) {
	if _, rejected := b.rejectedIn[r.partition()]; r.kind.isOrderPart() && !rejected {
		b.rejectedIn[r.partition()] = r.row
	}
	b.reject(r.row, reason)
}

// build completes the entities and returns them. The entities of an order are next to each
// other.
func (b *builder) build() *Batch {
	for _, r := range b.rows {
		if reason := r.decode(); reason != "" {
			b.rejectOrder(r, reason)
			continue
		}
		b.data.add(r)
	}
	batch := &Batch{}
	add := func(r *parsedRow) {
		if !r.row.made {
			r.row.correction = r.correction()
			r.row.computed = r.computed()
		}
		batch.Entities = append(batch.Entities, r.entity)
		batch.Rows = append(batch.Rows, r.row)
	}
	for _, r := range b.data.completeOthers() {
		if reason := r.checkEncoded(); reason != "" {
			b.reject(r.row, reason)
			continue
		}
		add(r)
	}
	for _, o := range b.data.sequence {
		for _, r := range b.buildOrder(o) {
			add(r)
		}
	}
	slices.SortStableFunc(b.rejected, func(a, b RejectedRow) int { return a.position - b.position })
	batch.Rejected = b.rejected
	return batch
}

// buildOrder completes an order and returns its rows. If one row is rejected, all are
// rejected.
func (b *builder) buildOrder(o *orderRows) []*parsedRow {
	cause, rejected := b.rejectedIn[o.partition]
	if !rejected {
		rows, err := b.data.completeOrder(o)
		if err == nil {
			return rows
		}
		o.removePayments()
		b.reject(err.row, err.reason)
		cause = err.row
	}
	for _, r := range o.all {
		if r.row.position != cause.position {
			b.reject(r.row, partOfRejected(&cause, o.id()))
		}
	}
	return nil
}

// decode decodes the entity of the row. It returns a reason to reject the row, or "".
func (r *parsedRow) decode() (reason string) {
	if reason := first(r.kind.checkKeys(r.row.Item), checkAttributes(r.kind.name, r.row.Item)); reason != "" {
		return reason
	}
	if r.kind.name == kindPayment {
		return r.decodePayment()
	}
	if r.entity, reason = decodeItem(r.kind.name, r.row.Item); reason != "" {
		return reason
	}
	return checkEntity(r.entity)
}

// decodeItem decodes the item of a row. It returns a reason to reject the row, or "".
func decodeItem(entityType string, item store.Item) (entity store.Entity, reason string) {
	normaliseStates(entityType, item)
	if reason := checkPaymentDay(entityType, item); reason != "" {
		return nil, reason
	}
	entity, err := store.Decode(item)
	if err != nil {
		return nil, err.Error()
	}
	return entity, ""
}

func (r *parsedRow) decodePayment() (reason string) {
	item := r.row.Item
	amount, err := store.ParseAmount(text(item, "Amount"))
	if err != nil {
		return fmt.Sprintf("Amount %s is not an amount of money.", store.Quoted(text(item, "Amount")))
	}
	r.payment = &store.Payment{
		ID:     strings.TrimPrefix(text(item, "SK"), "pmn#"),
		Type:   text(item, "Type"),
		Amount: amount,
		Data:   text(item, "Data"),

		RefundOf:   text(item, "RefundOf"),
		ReversalOf: text(item, "ReversalOf"),
		By:         text(item, "By"),
		Why:        store.MaskCardNumbers(text(item, "Why")),
	}
	r.payment.Data = r.payment.Reference()
	if date := text(item, "Date"); date != "" {
		if r.payment.Date, err = store.ParseTime(date); err != nil {
			return fmt.Sprintf("Date %s is not a time.", store.Quoted(date))
		}
	}
	if day := text(item, "Received"); day != "" {
		if r.payment.Received, err = store.ParseDate(day); err != nil {
			return fmt.Sprintf("Received %s is not a date.", store.Quoted(day))
		}
	}
	return ""
}

// checkEncoded returns a reason to reject an entity that is complete but cannot be stored,
// or "".
func (r *parsedRow) checkEncoded() (reason string) {
	item, reason := encode(r.entity)
	if reason == "" && r.kind.hasComposedKeys() && keysOf(item) != keysOf(r.row.Item) {
		return fmt.Sprintf("The keys are %s. With these attributes they must be %s.", keysOf(r.row.Item), keysOf(item))
	}
	return reason
}
