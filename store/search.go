package store

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// searchLimit is the largest number of results of one kind that names, codes and
// phone numbers find.
const searchLimit = 8

// SearchResults are the results of a search, by kind, the best matches first.
type SearchResults struct {
	Orders        []Order
	Invoices      []Invoice
	Shipments     []Shipment
	Customers     []Customer
	Products      []Product
	Warehouses    []Warehouse
	Employees     []Employee
	Stores        []RentalStore
	Kayaks        []Kayak
	People        []Person // renters who are neither customers nor employees
	Subscriptions []Subscription

	// More customers, products or employees match than the results contain. Their
	// lists show all of them.
	MoreCustomers, MoreProducts, MoreEmployees bool
}

// Count returns the number of results.
func (r *SearchResults) Count() int {
	return len(r.Orders) + len(r.Invoices) + len(r.Shipments) + len(r.Customers) + len(r.Products) + len(r.Warehouses) + len(r.Employees) +
		len(r.Stores) + len(r.Kayaks) + len(r.People) + len(r.Subscriptions)
}

// Search finds the records that the user may see: by the beginnings of words of a
// name or city, in any order, or by an ID, email address, phone number, SKU or
// tracking number. An ID can have its prefix (o#12345). Case, accents and
// punctuation do not matter. Search makes at most ten requests.
func (a Access) Search(ctx context.Context, text string) (*SearchResults, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	s := search{access: a, text: readSearch(text)}
	return s.run(ctx)
}

// search is one search. It first queries indexes and search words in parallel. A
// batch read then reads the records that the words found, and the records with the
// ID.
type search struct {
	access  Access
	text    searchText
	only    []string // the types of records to find; nil for all
	results SearchResults

	words  [][]*SearchWord // found by each query for words
	more   []bool          // a query did not read all words
	phones [][]Customer    // found by the first, second and third number
	exact  SearchResults   // found by ID
}

func (s *search) run(ctx context.Context) (*SearchResults, error) {
	group, groupCtx := errgroup.WithContext(ctx)
	for _, query := range s.queries() {
		if query != nil {
			group.Go(func() error { return ignoreNotFound(query(groupCtx)) })
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return &s.results, s.read(ctx)
}

// query makes one request, or one per shard. A nil query is not needed.
type query func(context.Context) error

// queries returns the queries of a search, at most nine requests.
func (s *search) queries() []query {
	t := s.text
	switch {
	case t.id == "":
		return nil
	case t.kind != "":
		return s.ofKind()
	case strings.Contains(t.id, "@"):
		return s.ofEmail()
	}
	var queries []query
	if t.isNumbered && s.only == nil {
		queries = append(queries, s.order(), s.invoice(), s.shipment())
	}
	if t.isPhone {
		return append(append(queries, s.phoneNumbers()...), s.code(), s.phoneWords())
	}
	queries = append(queries, s.code(), s.named(wordsOfProducts), s.named(wordsOfKayaks))
	if !t.isNumbered || t.hasLetters {
		queries = append(queries, s.named(wordsOfPeople))
	}
	if !t.isNumbered || !t.hasLetters {
		queries = append(queries, s.named(wordsOfStaff), s.named(wordsOfPlaces))
	}
	return queries
}

// wants reports whether the search finds records of one of these types.
func (s *search) wants(types ...string) bool {
	return s.only == nil || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(s.only, t) })
}

// ofEmail returns the queries for an email address.
func (s *search) ofEmail() []query {
	if s.wants(typeCustomer) {
		return []query{s.emails, s.email()}
	}
	return []query{s.email()}
}

// ofKind returns the queries for an ID with its prefix.
func (s *search) ofKind() []query {
	if !s.wants(s.text.kind) {
		return nil
	}
	switch s.text.kind {
	case typeOrder:
		return []query{s.order(), s.code()}
	case typeInvoice:
		return []query{s.invoice(), s.code()}
	case typeShipment:
		return []query{s.shipment(), s.code()}
	case typeKayak, typeSubscription:
		return []query{s.code()}
	}
	return nil // the batch read finds it
}

// order, invoice and shipment find a record by its ID in capitals. Other IDs are
// codes.
func (s *search) order() query {
	return func(ctx context.Context) error {
		o, err := s.access.Order(ctx, strings.ToUpper(s.text.id))
		if err == nil {
			s.exact.Orders = []Order{o.Order}
		}
		return err
	}
}

func (s *search) invoice() query {
	return func(ctx context.Context) error {
		i, err := s.access.Invoice(ctx, strings.ToUpper(s.text.id))
		if err == nil {
			s.exact.Invoices = []Invoice{*i}
		}
		return err
	}
}

func (s *search) shipment() query {
	return func(ctx context.Context) error {
		p, err := s.access.Shipment(ctx, strings.ToUpper(s.text.id))
		if err == nil {
			s.exact.Shipments = []Shipment{p.Shipment}
		}
		return err
	}
}

// emails finds customers by email address.
func (s *search) emails(ctx context.Context) error {
	found, err := s.access.CustomersByEmail(ctx, s.text.id)
	s.exact.Customers = found.Rows
	return err
}
