package exchange

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// orderKinds are the entities that an order consists of, in the sequence in which
// they are read and imported.
var orderKinds = []string{kindOrder, kindOrderItem, kindInvoice, kindShipment, kindShipmentItem}

// orderScan reads the CSV files of orders before they are imported, to find the
// orders that cannot be imported whole: one of their rows is rejected, refers to
// an unknown entity or repeats another, or their sums do not add up. It keeps
// some numbers of each order and line, not the rows.
type orderScan struct {
	tables   []csvTable
	prefixes idPrefixes

	importer *importer // nil before the scan
	orders   map[string]*scannedOrder
	lines    map[uint64]*scannedLine // by order and product
	parcels  map[uint64]struct{}     // by order and shipment
	reasons  map[rowRef]string       // of rejected rows, at most maxReasons
	merged   map[rowRef]bool         // lines that were added to an earlier one
}

// maxReasons limits the reasons that a scan keeps. The other rows of rejected
// orders get a general reason.
const maxReasons = 100_000

// scanRows is how many rows a scan checks at once.
const scanRows = 2000

// rowRef is a row of a file.
type rowRef struct{ file, row int }

// scannedOrder is what a scan keeps of an order.
type scannedOrder struct {
	row      rowRef // of the order; its row is 0 if the files do not have it
	first    rowRef // the first of its rows
	cause    rowRef // the first rejected row; its row is 0 if none is
	customer string
	missing  bool // neither in the files nor in the table

	total, sum, invoiced         store.Amount
	items, quantity, lines, used int
}

// scannedLine is what a scan keeps of a line.
type scannedLine struct {
	row       rowRef
	order     string
	price     store.Amount
	cancelled bool

	quantity, shipped, returned int // of all rows that were merged
	packed                      int // in shipments
	others                      []Row
}

// scannedRow is a row that is being scanned.
type scannedRow struct {
	Row
	ref    rowRef
	order  string
	entity store.Entity // nil if the row is rejected
}

// isDone reports whether there is a scan and it has run.
func (s *orderScan) isDone() bool { return s != nil && s.importer != nil }

func (s *orderScan) run(ctx context.Context, i *importer) error {
	if s.importer != nil {
		return nil
	}
	s.importer = i
	s.orders, s.lines, s.parcels = map[string]*scannedOrder{}, map[uint64]*scannedLine{}, map[uint64]struct{}{}
	s.reasons, s.merged = map[rowRef]string{}, map[rowRef]bool{}
	for _, t := range s.tables {
		if err := s.read(ctx, t); err != nil {
			return err
		}
	}
	if err := s.findOrders(ctx); err != nil {
		return err
	}
	if !i.Update { // a file of changes may lack columns and rows
		s.checkSums()
	}
	s.parcels = nil
	return nil
}

// read scans a file.
func (s *orderScan) read(ctx context.Context, t csvTable) error {
	t.csv.rewound = true
	if err := t.csv.rewind(); err != nil {
		return err
	}
	var rows []scannedRow
	owners := map[string]bool{}
	for {
		row, cells, reason, err := t.csv.next()
		if err != nil && err != io.EOF {
			return err
		}
		if len(rows) == scanRows || err == io.EOF {
			if err := s.addRows(ctx, rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
		if err == io.EOF {
			break
		}
		r := scannedRow{Row: row, ref: rowRef{t.file, row.Number}, order: t.csv.cell(cells, "OrderID")}
		if reason == "" {
			r.entity, _ = t.csv.entity(t.sheet, &r.Row, cells, t.lists)
		}
		if r.entity != nil && len(s.prefixes) > 0 {
			r.entity, _ = s.prefixes.entity(r.entity)
		}
		for _, l := range t.lists {
			owners[r.order+"\x00"+t.csv.cell(cells, "InvoiceID")+"\x00"] = l != nil
		}
		r.Entity, r.parts = t.sheet.entityType, nil
		rows = append(rows, r)
	}
	for _, l := range t.lists {
		for owner, rows := range l.owners {
			if !owners[owner] {
				order, _, _ := strings.Cut(owner, "\x00")
				s.reject(order, rowRef{rows.rows[0].file - 1, rows.rows[0].Number}, "")
			}
		}
	}
	return nil
}

// cell returns the value of a column that has an ID, or "".
func (f *csvFile) cell(cells []string, name string) string {
	i := slices.IndexFunc(f.columns, func(c *column) bool { return c.name == name })
	if i < 0 || i >= len(cells) {
		return ""
	}
	return strings.TrimSpace(csvfile.Unescape(f.compose(cells[i])))
}

// addRows checks the references of rows and adds them.
func (s *orderScan) addRows(ctx context.Context, rows []scannedRow) error {
	var entities []store.Entity
	var of []*scannedRow
	for n := range rows {
		r := &rows[n]
		o := s.order(r.order, r.ref)
		if o.used++; r.entity == nil {
			s.reject(r.order, r.ref, "") // the import finds the reason again
			continue
		}
		entities, of = append(entities, r.entity), append(of, r)
	}
	reasons, err := s.importer.Known.missingParents(ctx, s.importer.target, entities)
	if err != nil {
		return err
	}
	for n, r := range of {
		if reasons[n] != "" {
			s.object(r.order, r.ref, reasons[n])
		}
		s.add(r)
	}
	return s.findShipments(ctx, of)
}

// add adds a row to its order.
func (s *orderScan) add(r *scannedRow) {
	o := s.orders[r.order]
	switch e := r.entity.(type) {
	case *store.Order:
		if o.row.row > 0 {
			if e.CustomerID != o.customer || e.Total.Compare(o.total) != 0 {
				s.reject(r.order, r.ref, fmt.Sprintf("%s has the same order with other values. Remove one of the rows.", capitalize(s.describe(o.row))))
			}
			return
		}
		o.row, o.customer, o.total, o.items = r.ref, e.CustomerID, e.Total, e.ItemCount
	case *store.OrderItem:
		if o.lines++; o.lines > maxLines {
			s.reject(r.order, r.ref, fmt.Sprintf("An order can have at most %d lines.", maxLines))
		}
		o.sum, o.quantity = o.sum.Plus(e.Total()), o.quantity+e.Quantity
		s.checkCustomer(r, o, e.CustomerID)
		s.addLine(r, e)
	case *store.Invoice:
		o.invoiced = o.invoiced.Plus(e.Amount)
		s.checkCustomer(r, o, e.CustomerID)
	case *store.Shipment:
		s.parcels[s.hash(e.OrderID, e.ID)] = struct{}{}
	case *store.ShipmentItem:
		if line := s.lines[s.hash(e.OrderID, e.ProductID)]; line != nil {
			line.packed += e.Quantity
		}
	}
}

// checkCustomer rejects a row of another customer than its order's.
func (s *orderScan) checkCustomer(r *scannedRow, o *scannedOrder, customer string) {
	if o.customer == "" {
		o.customer = customer
	}
	if customer != "" && customer != o.customer {
		s.reject(r.order, r.ref, fmt.Sprintf("The row has customer %s, but its order has customer %s. Use the same customer in both.", customer, o.customer))
	}
}

// addLine adds a line, or finds that an earlier one has the same product.
func (s *orderScan) addLine(r *scannedRow, e *store.OrderItem) {
	place := s.hash(e.OrderID, e.ProductID)
	line := s.lines[place]
	if line == nil {
		s.lines[place] = &scannedLine{
			row: r.ref, order: r.order, price: e.Price, cancelled: e.Cancelled,
			quantity: e.Quantity, shipped: e.Shipped, returned: e.Returned,
		}
		return
	}
	earlier := capitalize(s.describe(line.row))
	switch {
	case !s.importer.MergeLines:
		s.reject(r.order, r.ref, fmt.Sprintf("%s has the same product %s of order %s. Remove one of the rows, or use -merge-lines to add their quantities.", earlier, e.ProductID, e.OrderID))
	case line.price.Compare(e.Price) != 0 || line.cancelled != e.Cancelled:
		s.reject(r.order, r.ref, fmt.Sprintf("%s has the same product %s at another Price, or only one of the rows is cancelled, so they can't be merged.", earlier, e.ProductID))
	case line.quantity+e.Quantity > store.MaxCount:
		s.reject(r.order, r.ref, fmt.Sprintf("Merged with %s, the quantity would be more than %d.", s.describe(line.row), store.MaxCount))
	default:
		line.quantity, line.shipped, line.returned = line.quantity+e.Quantity, line.shipped+e.Shipped, line.returned+e.Returned
		line.others = append(line.others, r.Row)
		s.merged[r.ref] = true
	}
}

func (s *orderScan) hash(order, id string) uint64 { return s.importer.Known.hash(order, id) }

// order returns what is known of an order.
func (s *orderScan) order(id string, first rowRef) *scannedOrder {
	o := s.orders[id]
	if o == nil {
		o = &scannedOrder{first: first}
		s.orders[id] = o
	}
	return o
}

// object rejects a row with an unknown reference or a sum that does not add up, or
// lists it as a warning.
func (s *orderScan) object(order string, ref rowRef, reason string) {
	if s.importer.Lenient {
		s.importer.warn(ref.file, ref.row, reason)
		return
	}
	s.reject(order, ref, reason)
}

// reject rejects a row and with it the order. Without a reason, the import finds
// it again.
func (s *orderScan) reject(order string, ref rowRef, reason string) {
	if o := s.order(order, ref); o.cause.row == 0 {
		o.cause = ref
	}
	if reason != "" && s.reasons[ref] == "" && len(s.reasons) < maxReasons {
		s.reasons[ref] = reason
	}
}

// describe names a row.
func (s *orderScan) describe(ref rowRef) string {
	for _, t := range s.tables {
		if t.file == ref.file {
			return fmt.Sprintf("row %d of %s", ref.row, filepath.Base(t.csv.name))
		}
		for _, l := range t.lists {
			if l.file == ref.file {
				return fmt.Sprintf("row %d of %s.csv", ref.row, l.list.file)
			}
		}
	}
	return fmt.Sprintf("row %d", ref.row)
}
