package store

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
)

const (
	searchLimit  = 8 // names of a kind that a search shows
	searchPlaces = 3 // warehouses of a manager whose staff a search looks through
)

// Of stores and kayaks, whose keys have longer words, what people write before
// an ID.
const (
	storeKind = "store"
	kayakKind = "kayak"
)

// Found is what a search found, by kind.
type Found struct {
	Orders     []Order
	Invoices   []Invoice
	Shipments  []Shipment
	Customers  []Customer
	Products   []Product
	Warehouses []Warehouse
	Employees  []Employee
	Stores     []RentalStore
	Kayaks     []Kayak
}

// Count is how many things were found.
func (f *Found) Count() int {
	return len(f.Orders) + len(f.Invoices) + len(f.Shipments) + len(f.Customers) + len(f.Products) + len(f.Warehouses) + len(f.Employees) + len(f.Stores) + len(f.Kayaks)
}

// Search looks for what a person typed: an ID, with its prefix (o#12345) or
// without, an e-mail address, an SKU, or the beginning of a name. It asks all
// at once and makes twelve requests of the table at most.
func (a Access) Search(ctx context.Context, text string) (*Found, error) {
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	s := search{access: a}
	s.group, ctx = errgroup.WithContext(ctx)
	text = strings.TrimSpace(text)
	kind, id, prefixed := strings.Cut(text, "#")
	switch {
	case text == "":
	case prefixed:
		s.byID(ctx, kind, id)
	case strings.Contains(text, "@"):
		s.try(func() error {
			l, err := a.CustomersByEmail(ctx, text)
			s.found.Customers = l.Rows
			return err
		})
	default:
		for _, kind := range []string{"o", "i", "sh", kayakKind} {
			s.byID(ctx, kind, text)
		}
		s.byKey(ctx, text, "c", "p", "w", "e", storeKind)
		s.byName(ctx, text)
	}
	err := s.group.Wait()
	s.found.Customers = joined(s.customer, s.found.Customers, func(c Customer) string { return c.ID })
	s.found.Products = joined(s.product, joined(s.skus, s.found.Products, productID), productID)
	s.found.Warehouses = joined(s.warehouse, s.found.Warehouses, func(w Warehouse) string { return w.ID })
	s.found.Stores = s.store
	s.found.Employees = joined(s.employee, slices.Concat(s.staff...), func(e Employee) string { return e.ID })
	return &s.found, err
}

// search collects answers that arrive in any order: each question has its own
// place to put them.
type search struct {
	access    Access
	group     *errgroup.Group
	found     Found
	customer  []Customer
	product   []Product
	skus      []Product
	warehouse []Warehouse
	employee  []Employee
	store     []RentalStore
	staff     [][]Employee // of everywhere, or of each warehouse of a manager
}

// try runs one question. What is not there was just not found.
func (s *search) try(ask func() error) {
	s.group.Go(func() error {
		if err := ask(); KindOf(err) != NotFound {
			return err
		}
		return nil
	})
}

func (s *search) byID(ctx context.Context, kind, id string) {
	a := s.access
	switch kind {
	case "o":
		s.try(func() error {
			o, err := a.Order(ctx, id)
			if err == nil {
				s.found.Orders = []Order{o.Order}
			}
			return err
		})
	case "i":
		s.try(func() error { return one(&s.found.Invoices)(a.Invoice(ctx, id)) })
	case "sh":
		s.try(func() error {
			p, err := a.Shipment(ctx, id)
			if err == nil {
				s.found.Shipments = []Shipment{p.Shipment}
			}
			return err
		})
	case kayakKind:
		s.try(func() error { return one(&s.found.Kayaks)(a.Kayak(ctx, id)) })
	default:
		s.byKey(ctx, id, kind)
	}
}

// byKey looks for things that lie under their own ID, of whatever kinds, with
// one request.
func (s *search) byKey(ctx context.Context, id string, kinds ...string) {
	a := s.access
	var customer *Customer
	var product *Product
	var warehouse *Warehouse
	var employee *Employee
	var store *RentalStore
	var wanted []lookup
	for _, kind := range kinds {
		switch kind {
		case "c":
			wanted = append(wanted, lookUp(getCustomer, key.Map{"customerID": id}, &customer))
		case "p":
			wanted = append(wanted, lookUp(getProduct, key.Map{"productID": id}, &product))
		case "w":
			if a.user.InCharge(id) {
				wanted = append(wanted, lookUp(getWarehouse, key.Map{"warehouseID": id}, &warehouse))
			}
		case "e":
			wanted = append(wanted, lookUp(getEmployee, key.Map{"employeeID": id}, &employee))
		case storeKind:
			if a.user.InChargeOfStore(id) {
				wanted = append(wanted, lookUp(getStore, key.Map{"storeULID": id}, &store))
			}
		}
	}
	s.try(func() error {
		if err := a.readAll(ctx, wanted, false); err != nil {
			return err
		}
		s.customer, s.product, s.warehouse = some(customer), some(product), some(warehouse)
		s.store = some(store)
		if employee != nil && a.user.InCharge(employee.WarehouseID) {
			s.employee = some(a.openTo(*employee))
		}
		return nil
	})
}

func (s *search) byName(ctx context.Context, text string) {
	if key.Fold(text) == "" {
		return // every name begins with nothing
	}
	a, page := s.access, Page{Limit: searchLimit}
	s.try(func() error { return rows(&s.skus)(a.ProductsBySKU(ctx, text)) })
	s.try(func() error { return rows(&s.found.Customers)(a.Customers(ctx, CustomerFilter{Name: text}, page)) })
	s.try(func() error { return rows(&s.found.Products)(a.Products(ctx, ProductFilter{Name: text}, page)) })
	s.try(func() error { return rows(&s.found.Warehouses)(a.WarehousesByName(ctx, text, page)) })
	places := []string{""}
	if a.user.Role == Manager {
		places = a.user.Warehouses[:min(searchPlaces, len(a.user.Warehouses))]
	}
	s.staff = make([][]Employee, len(places))
	for i, place := range places {
		s.try(func() error {
			return rows(&s.staff[i])(a.Employees(ctx, EmployeeFilter{Name: text, WarehouseID: place}, page))
		})
	}
}

// one and rows put an answer where it belongs and pass its error on.
func one[T any](to *[]T) func(*T, error) error {
	return func(found *T, err error) error {
		if err == nil {
			*to = []T{*found}
		}
		return err
	}
}

func rows[T any](to *[]T) func(List[T], error) error {
	return func(found List[T], err error) error {
		*to = found.Rows
		return err
	}
}

// some is what there is of one thing: it, or nothing.
func some[T any](found *T) []T {
	if found == nil {
		return nil
	}
	return []T{*found}
}

// joined puts what was found by ID before what was found otherwise, each
// thing once.
func joined[T any](first, then []T, id func(T) string) []T {
	seen := map[string]bool{}
	var all []T
	for _, list := range [][]T{first, then} {
		for _, row := range list {
			if !seen[id(row)] {
				seen[id(row)] = true
				all = append(all, row)
			}
		}
	}
	return all
}

func productID(p Product) string { return p.ID }
