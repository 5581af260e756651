package exchange

import (
	"cmp"
	"strings"

	"stockroom/store"
)

// dataset contains the rows of one or more files. It completes rows with values from other
// rows.
type dataset struct {
	customers map[string]string // names of customers by ID
	products  map[string]*store.Product
	titles    map[string]string     // job titles by ID
	employees map[string]string     // names of employees by ID
	orders    map[string]*orderRows // rows of orders, by partition key
	sequence  []*orderRows          // the same orders, sorted by their first rows
	others    []*parsedRow          // rows that are not part of an order
}

type orderRows struct {
	partition string
	all       []*parsedRow
	orders    []rowOf[*store.Order] // rows for the order itself; more than one is an error
	lines     []rowOf[*store.OrderItem]
	invoices  []rowOf[*store.Invoice]
	shipments []rowOf[*store.Shipment]
	packed    []rowOf[*store.ShipmentItem]
	notes     []rowOf[*store.CreditNote]
	payments  []*parsedRow
}

// rowOf is a row with its entity, which has type E.
type rowOf[E store.Entity] struct {
	*parsedRow
	value E
}

func (o *orderRows) id() string { return strings.TrimPrefix(o.partition, "o#") }

func newDataset() *dataset {
	return &dataset{
		customers: map[string]string{}, products: map[string]*store.Product{}, titles: map[string]string{}, employees: map[string]string{},
		orders: map[string]*orderRows{},
	}
}

// withoutRows returns a dataset with the names of customers, products, jobs and employees,
// but without rows. The names complete later rows.
func (d *dataset) withoutRows() *dataset {
	next := *d
	next.orders, next.sequence, next.others = map[string]*orderRows{}, nil, nil
	return &next
}

func (d *dataset) add(r *parsedRow) {
	switch e := r.entity.(type) {
	case *store.Customer:
		d.customers[e.ID] = e.Name
	case *store.Product:
		d.products[e.ID] = e
	case *store.Employee:
		d.employees[e.ID] = e.Name
	case *store.Reference:
		if e.Kind == store.Job {
			d.titles[e.ID] = e.Name
		}
	}
	if r.kind.isOrderPart() {
		d.addToOrder(r)
	} else {
		d.others = append(d.others, r)
	}
}

func (d *dataset) addToOrder(r *parsedRow) {
	o := d.orders[r.partition()]
	if o == nil {
		o = &orderRows{partition: r.partition()}
		d.orders[o.partition] = o
		d.sequence = append(d.sequence, o)
	}
	o.all = append(o.all, r)
	o.addPart(r)
}

func (o *orderRows) addPart(r *parsedRow) {
	switch e := r.entity.(type) {
	case *store.Order:
		o.orders = append(o.orders, rowOf[*store.Order]{r, e})
	case *store.OrderItem:
		o.lines = append(o.lines, rowOf[*store.OrderItem]{r, e})
	case *store.Invoice:
		o.invoices = append(o.invoices, rowOf[*store.Invoice]{r, e})
	case *store.Shipment:
		o.shipments = append(o.shipments, rowOf[*store.Shipment]{r, e})
	case *store.ShipmentItem:
		o.packed = append(o.packed, rowOf[*store.ShipmentItem]{r, e})
	case *store.CreditNote:
		o.notes = append(o.notes, rowOf[*store.CreditNote]{r, e})
	default:
		o.payments = append(o.payments, r)
	}
}

// completeOthers completes the rows that are not part of an order, and returns them.
func (d *dataset) completeOthers() []*parsedRow {
	for _, r := range d.others {
		switch e := r.entity.(type) {
		case *store.WarehouseItem:
			e.Name = cmp.Or(e.Name, d.productName(e.ProductID))
		case *store.ExpectedDelivery:
			e.Name = cmp.Or(e.Name, d.productName(e.ProductID))
		case *store.Transfer:
			e.Name = cmp.Or(e.Name, d.productName(e.ProductID))
		}
	}
	completeReceipts(d.others)
	d.completeStaff()
	return d.others
}

func (d *dataset) productName(id string) string {
	if p := d.products[id]; p != nil {
		return p.Name
	}
	return ""
}
