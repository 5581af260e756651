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
	searchLimit      = 8 // results of one kind found by name or phone
	searchWarehouses = 3 // warehouses of a manager whose staff is searched by name
)

// SearchResults are the results of a search, by kind.
type SearchResults struct {
	Orders     []Order
	Invoices   []Invoice
	Shipments  []Shipment
	Customers  []Customer
	Products   []Product
	Warehouses []Warehouse
	Employees  []Employee
	Stores     []RentalStore
	Kayaks     []Kayak
	People     []Person // renters who are neither customers nor employees
}

// Count returns the number of results.
func (r *SearchResults) Count() int {
	return len(r.Orders) + len(r.Invoices) + len(r.Shipments) + len(r.Customers) + len(r.Products) + len(r.Warehouses) + len(r.Employees) +
		len(r.Stores) + len(r.Kayaks) + len(r.People)
}

// Search finds the records that the user may see by ID, email address, phone
// number, SKU or beginning of a name. An ID can have its prefix (o#12345), and a
// phone number its country code. Search makes at most ten requests, in parallel.
func (a Access) Search(ctx context.Context, text string) (*SearchResults, error) {
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
		s.run(func() error {
			l, err := a.CustomersByEmail(ctx, text)
			s.results.Customers = l.Rows
			return err
		})
	default:
		for _, kind := range []string{"o", "i", "sh"} {
			s.byID(ctx, kind, text)
		}
		s.byKey(ctx, text, "c", "p", "w", "e", "k", "store", "person")
		s.run(func() error { return storeRows(&s.productsBySKU)(a.ProductsBySKU(ctx, text)) })
		if key.IsPhone(text) {
			s.byPhone(ctx, text) // a search by name as well would exceed ten requests
		} else {
			s.byName(ctx, text)
		}
	}
	err := s.group.Wait()
	s.merge()
	return &s.results, err
}

// search runs the queries of one search concurrently. Each query stores its rows in
// its own field.
type search struct {
	access  Access
	group   *errgroup.Group
	results SearchResults

	customer         []Customer // this field and the next ones: found by ID
	product          []Product
	warehouse        []Warehouse
	employee         []Employee
	productsBySKU    []Product
	customersByPhone [][]Customer // found by the first, second and third number
	employeesByPlace [][]Employee // of all warehouses, or one slice per warehouse of a manager
}

// merge adds records that several queries can find to the results, without
// duplicates.
func (s *search) merge() {
	productID := func(p Product) string { return p.ID }
	s.results.Customers = union(s.customer, slices.Concat(s.results.Customers, slices.Concat(s.customersByPhone...)), func(c Customer) string { return c.ID })
	s.results.Products = union(s.product, union(s.productsBySKU, s.results.Products, productID), productID)
	s.results.Warehouses = union(s.warehouse, s.results.Warehouses, func(w Warehouse) string { return w.ID })
	s.results.Employees = union(s.employee, slices.Concat(s.employeesByPlace...), func(e Employee) string { return e.ID })
}

// run starts a query. NotFound is not an error of a search.
func (s *search) run(query func() error) {
	s.group.Go(func() error {
		if err := query(); KindOf(err) != NotFound {
			return err
		}
		return nil
	})
}

// byID finds one record by the prefix of its key and its ID.
func (s *search) byID(ctx context.Context, kind, id string) {
	a := s.access
	switch kind {
	case "o":
		s.run(func() error {
			o, err := a.Order(ctx, id)
			if err == nil {
				s.results.Orders = []Order{o.Order}
			}
			return err
		})
	case "i":
		s.run(func() error { return storeOne(&s.results.Invoices)(a.Invoice(ctx, id)) })
	case "sh":
		s.run(func() error {
			p, err := a.Shipment(ctx, id)
			if err == nil {
				s.results.Shipments = []Shipment{p.Shipment}
			}
			return err
		})
	default:
		s.byKey(ctx, id, kind)
	}
}

// byPhone finds customers by phone number. The patterns match only its last digits,
// so byPhone compares the whole number.
func (s *search) byPhone(ctx context.Context, text string) {
	phone := key.Phone(text)
	values := key.Map{"phoneEnd": key.PhonePartition(phone), "phone": key.PhonePrefix(phone)}
	s.customersByPhone = make([][]Customer, len(getCustomersByPhone))
	for n, pattern := range getCustomersByPhone {
		s.run(func() error {
			found, err := list(ctx, s.access.store, table.Query{Pattern: pattern, Values: values}, Page{Limit: searchLimit}, decodeAs[Customer])
			s.customersByPhone[n] = slices.DeleteFunc(found.Rows, func(c Customer) bool { return !c.HasPhone(text) })
			return err
		})
	}
}

// byName finds records whose names begin with the text.
func (s *search) byName(ctx context.Context, text string) {
	if key.Fold(text) == "" {
		return // an empty text would match every name
	}
	a, page := s.access, Page{Limit: searchLimit}
	s.run(func() error {
		return storeRows(&s.results.Customers)(a.Customers(ctx, CustomerFilter{Name: text}, page))
	})
	s.run(func() error { return storeRows(&s.results.Products)(a.Products(ctx, ProductFilter{Name: text}, page)) })
	s.run(func() error { return storeRows(&s.results.Warehouses)(a.WarehousesByName(ctx, text, page)) })
	warehouses := []string{""}
	if a.user.Role == Manager {
		warehouses = a.user.Warehouses[:min(searchWarehouses, len(a.user.Warehouses))]
	}
	s.employeesByPlace = make([][]Employee, len(warehouses))
	for i, id := range warehouses {
		s.run(func() error {
			return storeRows(&s.employeesByPlace[i])(a.Employees(ctx, EmployeeFilter{Name: text, WarehouseID: id}, page))
		})
	}
}

// storeOne and storeRows return functions that store the result of a query and
// return its error.
func storeOne[T any](to *[]T) func(*T, error) error {
	return func(found *T, err error) error {
		if err == nil {
			*to = []T{*found}
		}
		return err
	}
}

func storeRows[T any](to *[]T) func(List[T], error) error {
	return func(found List[T], err error) error {
		*to = found.Rows
		return err
	}
}

// union returns the rows of first and then the rows of second, each ID once.
func union[T any](first, second []T, id func(T) string) []T {
	seen := map[string]bool{}
	var all []T
	for _, list := range [][]T{first, second} {
		for _, row := range list {
			if !seen[id(row)] {
				seen[id(row)] = true
				all = append(all, row)
			}
		}
	}
	return all
}
