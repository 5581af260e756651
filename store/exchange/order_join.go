package exchange

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/csvfile"
	"stockroom/store/spill"
)

// orderKinds lists the entities of an order, in the order in which they are
// imported.
var orderKinds = []string{kindOrder, kindOrderItem, kindInvoice, kindShipment, kindShipmentItem, kindCreditNote}

// orderJoin joins the CSV files of orders. It sorts their rows by order in a
// temporary file, so that each order can be checked, completed and imported as a
// whole. Memory contains only a few orders at a time.
type orderJoin struct {
	tables   []csvTable // tables in the order of orderKinds, with lists at the end
	exported bool       // Stockroom exported the files, so the orders are consistent
	update   bool       // the import updates, so columns and rows may be missing
	merges   bool       // merge lines of an order with the same product and price
}

// source returns one source for the orders of all files.
func (j *orderJoin) source() Source {
	s := Source{File: j.tables[0].file, prepare: j.prepare, Batches: j.batches()}
	for _, t := range j.tables[1:] {
		if !s.has(t.file) {
			s.others = append(s.others, t.file)
		}
	}
	return s
}

// joinMemory is the maximum size of the rows that are sorted in memory, in bytes.
const joinMemory = 16 << 20

// prepare applies the options of the import.
func (j *orderJoin) prepare(_ context.Context, i *importer) error {
	j.update, j.merges = i.Update, i.MergeLines
	return nil
}

// batches returns the orders of all files, sorted by ID.
func (j *orderJoin) batches() Batches {
	return func(yield func(*Batch, error) bool) {
		out := batcher{yield: yield, exported: j.exported, consistent: j.exported}
		if err := j.join(&out); err != nil && !out.stopped {
			yield(nil, err)
		}
	}
}

func (j *orderJoin) join(out *batcher) error {
	sorted, err := spill.OpenTemp(j.tables[0].csv.folder, joinMemory)
	if err != nil {
		return err
	}
	defer func() { _ = sorted.Close() }() // an error does not matter, because the sorted rows are no longer needed
	for n := range j.tables {
		if err := j.read(n, sorted); err != nil {
			return err
		}
	}
	group := joinedOrder{orderJoin: j}
	err = sorted.Sorted(func(fields []string) error {
		if fields[0] != group.id || fields[0] == "" {
			group.flush(out)
			group = joinedOrder{orderJoin: j, id: fields[0]}
		} else if group.isFull() {
			group.reject(group.all[0], tooManyRows)
			group.flush(out)
			group = joinedOrder{orderJoin: j, id: fields[0], full: true}
		}
		if group.full {
			_, row, _, _ := j.row(fields)
			out.reject(row, tooManyRows)
			return nil
		}
		group.add(fields)
		if out.stopped {
			return errStopped
		}
		return nil
	})
	if err != nil {
		return err
	}
	group.flush(out)
	out.flush()
	return nil
}

func (j *orderJoin) read(table int, sorted *spill.Sorter) error {
	f := j.tables[table].csv
	if f.rewound = true; f.mapper != nil {
		f.mapper.paused = true
		defer func() { f.mapper.paused = false }()
	}
	if err := f.rewind(); err != nil {
		return err
	}
	var fields []string
	for {
		row, cells, reason, err := f.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		number := binary.BigEndian.AppendUint64(nil, uint64(row.Number))
		fields = append(fields[:0], f.cell(cells, "OrderID"), string(rune(table)), string(number), reason)
		if err := sorted.Add(append(fields, row.cells...)...); err != nil {
			return err
		}
	}
}

// cell returns the ID in a column, or "".
func (f *csvFile) cell(cells []string, name string) string {
	i := f.index(name)
	if i < 0 || i >= len(cells) {
		return ""
	}
	return strings.TrimSpace(csvfile.Unescape(f.compose(cells[i])))
}

// row converts a record of the sorter back to a row and its table. The result cells
// contains the cells for the table's columns. The result reason says why the row is
// rejected, or is "".
func (j *orderJoin) row(fields []string) (t *csvTable, row Row, cells []string, reason string) {
	t = &j.tables[fields[1][0]]
	row = Row{
		Number: int(binary.BigEndian.Uint64([]byte(fields[2]))), file: t.file + 1, order: fields[0], Entity: t.sheet.entityType,
		source: &t.csv.source, csv: t.csv, cells: slices.Clone(fields[4:]),
	}
	if t.list != nil {
		row.Entity, row.Table = t.list.file, t.list.file
	}
	cells, reason = row.cells, fields[3]
	if m := t.csv.mapper; m != nil && reason == "" {
		var err error
		if cells, err = m.cells(row.cells); err != nil {
			reason = err.Error()
		}
	}
	return t, row, cells, reason
}

// joinedOrder contains the rows of one order, or a row that belongs to no order.
type joinedOrder struct {
	*orderJoin
	id string
	orderRows
	elements []*joinedElement
	rejected *RejectedRow // the first rejected row; nil if the order is valid
	full     bool         // the order has too many rows, so further rows are rejected
}

// joinedElement is a row of a list, such as a payment of an invoice.
type joinedElement struct {
	*parsedRow
	list  *list
	owned bool // the row of the entity that contains the list was found
}

// maxGroupRows is the maximum number of rows of an order or billing account that are
// in memory together. A valid order has far fewer.
const maxGroupRows = 2000

// tooManyRows is the reason for rejecting an order with more than maxGroupRows rows.
var tooManyRows = fmt.Sprintf("The order has more than %d rows.", maxGroupRows)

// isFull reports whether the order has the maximum number of rows. With another row, the
// order is invalid.
func (o *joinedOrder) isFull() bool { return len(o.all) >= maxGroupRows && o.id != "" }

// add adds a row of the order. It also adds rows of lists, such as payments, to o.elements.
// The method attach later adds them to their entity.
func (o *joinedOrder) add(fields []string) {
	t, row, cells, reason := o.row(fields)
	r := &parsedRow{row: row, kind: itemKind{name: t.sheet.entityType, pk: orderPrefix}}
	o.all = append(o.all, r)
	var values rowValues
	if reason == "" {
		values, reason = t.csv.parse(cells)
	}
	if reason != "" {
		o.reject(r, reason)
		return
	}
	if r.values = values; t.list != nil {
		o.elements = append(o.elements, &joinedElement{parsedRow: r, list: t.list})
	}
}

// reject rejects the order because one of its rows is invalid.
func (o *joinedOrder) reject(r *parsedRow, reason string) {
	if o.rejected == nil {
		o.rejected = &RejectedRow{r.row, reason}
	}
	r.reason = first(r.reason, reason)
}

// flush adds the order, or its rejected rows, to the batches.
func (o *joinedOrder) flush(out *batcher) {
	if len(o.all) == 0 {
		return
	}
	o.decode()
	if o.rejected == nil {
		o.check()
	}
	batch := &Batch{}
	var others []RejectedRow // rows that are rejected because of another row
	for _, r := range o.all {
		if o.rejected != nil {
			r.row.parts = nil // each part is rejected as a separate row
		}
		switch {
		case r.reason != "":
			batch.Rejected = append(batch.Rejected, RejectedRow{r.row, r.reason})
		case o.rejected != nil:
			others = append(others, RejectedRow{r.row, partOfRejected(&o.rejected.Row, o.id)})
		case r.entity != nil:
			r.row.computed, r.row.Item = r.computed(), nil
			batch.Entities, batch.Rows = append(batch.Entities, r.entity), append(batch.Rows, r.row)
		}
	}
	batch.Rejected = append(batch.Rejected, others...)
	out.addAll(batch)
}

// partOfRejected returns the reason to reject the other rows of an order with a rejected
// row.
func partOfRejected(cause *Row, order string) string {
	return fmt.Sprintf("%s, part of the same order %s, was rejected. Correct it and import the order again.", capitalize(cause.String()), order)
}

// String describes a row for messages.
func (r *Row) String() string {
	switch {
	case r.csv != nil && r.Table != "":
		return fmt.Sprintf("row %d of %s.csv", r.Number, r.Table)
	case r.csv != nil:
		return fmt.Sprintf("row %d of %s", r.Number, filepath.Base(r.csv.name))
	}
	return fmt.Sprintf("row %d%s", r.Number, ofTable(r.Table))
}

func (o *joinedOrder) decode() {
	for _, r := range o.all {
		if r.reason != "" || r.row.Table != "" {
			continue
		}
		s, _ := sheetOf(r.kind.name)
		o.attach(s, r)
		s.setKeys(r.values)
		r.row.Item = r.values.item
		var reason string
		if r.entity, reason = r.row.csv.decode(s, r.values); reason != "" {
			o.reject(r, reason)
			continue
		}
		o.addPart(r)
	}
	for _, e := range o.elements {
		if s, _ := sheetOf(e.kind.name); !e.owned {
			o.reject(e.parsedRow, fmt.Sprintf("This row belongs to a row of %s.csv that is missing or was rejected.", s.file))
		}
	}
}

// attach adds the rows of lists to the entity to which they belong.
func (o *joinedOrder) attach(s *sheet, r *parsedRow) {
	for i := range s.lists {
		var elements []types.AttributeValue
		for _, e := range o.elements {
			if e.list == &s.lists[i] && e.list.owner(e.values.keys) == e.list.owner(r.values.keys) {
				e.owned = true
				r.row.parts = append(r.row.parts, part{row: e.row})
				elements = append(elements, &types.AttributeValueMemberM{Value: e.values.item})
			}
		}
		if len(elements) > 0 {
			setPath(r.values.item, s.lists[i].path, &types.AttributeValueMemberL{Value: elements})
		}
	}
}
