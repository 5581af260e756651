package store

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"
)

// searchLimit is how many names of a kind a search shows.
const searchLimit = 8

// Found is what a search found, by kind.
type Found struct {
	Orders     []Order
	Invoices   []Invoice
	Shipments  []Shipment
	Customers  []Customer
	Products   []Product
	Warehouses []Warehouse
}

// Count is how many things were found.
func (f *Found) Count() int {
	return len(f.Orders) + len(f.Invoices) + len(f.Shipments) + len(f.Customers) + len(f.Products) + len(f.Warehouses)
}

// Search looks for what a person typed: an ID, with its prefix (o#12345) or
// without, an e-mail address, an SKU, or the beginning of a name. It asks all
// at once and makes ten requests of the table at most.
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
		for _, kind := range []string{"o", "i", "sh", "c", "p", "w"} {
			s.byID(ctx, kind, text)
		}
		s.byName(ctx, text)
	}
	err := s.group.Wait()
	s.found.Customers = joined(s.customer, s.found.Customers, func(c Customer) string { return c.ID })
	s.found.Products = joined(s.product, joined(s.skus, s.found.Products, productID), productID)
	s.found.Warehouses = joined(s.warehouse, s.found.Warehouses, func(w Warehouse) string { return w.ID })
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
	case "c":
		s.try(func() error { return one(&s.customer)(a.Customer(ctx, id)) })
	case "p":
		s.try(func() error { return one(&s.product)(a.Product(ctx, id)) })
	case "w":
		s.try(func() error { return one(&s.warehouse)(a.Warehouse(ctx, id)) })
	}
}

func (s *search) byName(ctx context.Context, text string) {
	a, page := s.access, Page{Limit: searchLimit}
	s.try(func() error { return rows(&s.skus)(a.ProductsBySKU(ctx, text)) })
	s.try(func() error { return rows(&s.found.Customers)(a.Customers(ctx, CustomerFilter{Name: text}, page)) })
	s.try(func() error { return rows(&s.found.Products)(a.Products(ctx, ProductFilter{Name: text}, page)) })
	s.try(func() error { return rows(&s.found.Warehouses)(a.WarehousesByName(ctx, text, page)) })
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
