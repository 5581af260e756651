package store

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

const (
	searchLimit  = 8 // names of a kind that a search shows
	searchPlaces = 3 // warehouses of a manager whose staff a search looks through
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
	People     []Person // whom only the rental knows
}

// Count is how many things were found.
func (f *Found) Count() int {
	return len(f.Orders) + len(f.Invoices) + len(f.Shipments) + len(f.Customers) + len(f.Products) + len(f.Warehouses) + len(f.Employees) +
		len(f.Stores) + len(f.Kayaks) + len(f.People)
}

// Search looks for what a person typed: an ID, with its prefix (o#12345) or
// without, an e-mail address, a telephone number with its country or without, an
// SKU, or the beginning of a name. It asks all at once and makes ten requests of the table at most.
func (a Access) Search(ctx context.Context, text string) (*Found, error) {
	if err := a.require(Browse); err != nil {
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
		for _, kind := range []string{"o", "i", "sh"} {
			s.byID(ctx, kind, text)
		}
		s.byKey(ctx, text, "c", "p", "w", "e", "k", "store", "person")
		s.try(func() error { return rows(&s.skus)(a.ProductsBySKU(ctx, text)) })
		if key.IsPhone(text) {
			s.byPhone(ctx, text) // instead of names, for the sake of ten requests
		} else {
			s.byName(ctx, text)
		}
	}
	err := s.group.Wait()
	s.found.Customers = joined(s.customer, slices.Concat(s.found.Customers, slices.Concat(s.called...)), func(c Customer) string { return c.ID })
	s.found.Products = joined(s.product, joined(s.skus, s.found.Products, productID), productID)
	s.found.Warehouses = joined(s.warehouse, s.found.Warehouses, func(w Warehouse) string { return w.ID })
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
	called    [][]Customer // by their first, second and third telephone number
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
	default:
		s.byKey(ctx, id, kind)
	}
}

// byPhone looks through the customers a number of whose ends alike.
func (s *search) byPhone(ctx context.Context, text string) {
	phone := key.Phone(text)
	values := key.Map{"phoneEnd": key.PhonePartition(phone), "phone": key.PhonePrefix(phone)}
	s.called = make([][]Customer, len(getCustomersByPhone))
	for n, pattern := range getCustomersByPhone {
		s.try(func() error {
			found, err := list(ctx, s.access.store, table.Query{Pattern: pattern, Values: values}, Page{Limit: searchLimit}, decodeAs[Customer])
			s.called[n] = slices.DeleteFunc(found.Rows, func(c Customer) bool { return !c.HasPhone(text) })
			return err
		})
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
	var shop *RentalStore
	var person *Person
	var kayaks []*Kayak // in each store of a manager
	var wanted []table.Lookup
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
		case "store":
			if a.user.InChargeOfStore(id) {
				wanted = append(wanted, lookUp(getStore, key.Map{"storeULID": id}, &shop))
			}
		case "k", "kayak":
			// An index knows in which store a kayak is; in their own stores a
			// manager's are found by their keys.
			stores, held := a.ownStores()
			if !held {
				s.try(func() error { return one(&s.found.Kayaks)(a.Kayak(ctx, id)) })
			}
			kayaks = make([]*Kayak, len(stores))
			for i, storeID := range stores {
				wanted = append(wanted, lookUp(getStoreInventoryItem, key.Map{"storeULID": storeID, "inventoryULID": id}, &kayaks[i]))
			}
		case "person":
			wanted = append(wanted, lookUp(getPerson, key.Map{"personULID": id}, &person))
		}
	}
	s.try(func() error {
		if err := a.store.table.LookUp(ctx, wanted, false); err != nil {
			return err
		}
		s.customer, s.product, s.warehouse = some(customer), some(product), some(warehouse)
		s.found.Stores, s.found.People = some(shop), some(person)
		for _, kayak := range kayaks {
			s.found.Kayaks = append(s.found.Kayaks, some(kayak)...)
		}
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
