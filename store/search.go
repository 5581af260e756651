package store

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// searchLimit is the maximum number of results of one kind in a search.
const searchLimit = 8

// SearchResults contains the results of a search for each kind of record, best first.
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
	People        []Person // people who are neither customers nor employees
	Subscriptions []Subscription

	Text   string // the text of the search without the kind before it, such as "order" or o#
	Number string // see searchText.number

	Related Related // customers and warehouses of invoices, shipments and subscriptions

	More MoreResults
}

// MoreResults says for each kind whether more records match than the results contain.
type MoreResults struct {
	Orders, Invoices, Shipments, Customers, Products, Warehouses, Employees, Stores, Kayaks, People, Subscriptions More
}

// More says for one kind of record whether more records match than the results contain.
type More struct {
	Match bool
	Named bool // more records match by name; a list with a filter for the name shows all of these
}

// Count returns the number of results.
func (r *SearchResults) Count() int {
	return len(r.Orders) + len(r.Invoices) + len(r.Shipments) + len(r.Customers) + len(r.Products) + len(r.Warehouses) + len(r.Employees) +
		len(r.Stores) + len(r.Kayaks) + len(r.People) + len(r.Subscriptions)
}

// Search finds records that the user may see: by the start of words of a name, in any
// order, or by ID, email address, phone number, SKU, tracking number, serial number of a
// kayak, or number of an invoice or credit note. It also finds warehouses and stores by
// city. For the start of an email address, it finds customers only if their name has the
// words before the @, and compares the addresses of at most emailCandidates of them. It
// returns up to searchLimit records of each type, best matches first. An ID can have a
// prefix, as in o#12345 and "order no. 12345". Case, accents and punctuation do not matter,
// and in the number of a new order or shipment, neither do spaces, nor O for 0, nor I or L
// for 1. Search makes at most twelve requests, and another one for a manager of stores. If
// more than readWordsFiltered names begin with a word of the text, it makes up to eleven
// more.
func (a Access) Search(ctx context.Context, text string) (*SearchResults, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	s := search{access: a, text: readSearch(text)}
	return s.run(ctx)
}

// search is one call of Search. It first queries indexes and search words in parallel. A
// batch read then reads the records of the search words, and the records whose ID is the
// text.
type search struct {
	access  Access
	text    searchText
	only    []string // the entity types to find; nil means all
	results SearchResults

	words   [][]*SearchWord // search words found by each query
	more    []bool          // whether each query has more search words
	groups  []WordGroup     // group of the search words of each query
	phones  [][]Customer    // customers found by their first, second and third phone number
	exact   SearchResults   // records found by ID
	spelled SearchResults   // records found by searchText.number

	ownStaff map[string]*bool // whether a manager's own staff include employees of other warehouses, by employee ID

	numbered []Invoice // invoices found by number; see byNumber
	tracked  bool      // a shipment has the text as its tracking number
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
	if err := s.findOwnStaff(ctx); err != nil {
		return nil, err
	}
	s.results.Text, s.results.Number = s.text.id, s.text.number
	return &s.results, s.read(ctx)
}

// query makes the requests of one part of a search. A nil query means that the search does
// not need it.
type query func(context.Context) error

// queries returns the necessary queries, which make at most eleven requests, or fewer if only
// some types are searched. Queries with further prefixes can make eleven more; see prefixes.
func (s *search) queries() []query {
	t := s.text
	switch {
	case t.id == "":
		return nil
	case t.kind != "":
		return s.ofKind()
	case t.isEmail:
		return s.ofEmail()
	}
	var queries []query
	if t.isNumbered && s.only == nil {
		queries = append(queries, s.order(), s.invoice(), s.codeOrID(), s.byNumber())
	} else {
		queries = append(queries, s.code())
	}
	if s.only == nil {
		queries = append(queries, s.respelled())
		if !t.isNumbered {
			queries = append(queries, s.byNumber())
		}
	}
	if t.isPhone {
		return append(append(queries, s.phoneNumbers()...), s.phoneWords())
	}
	queries = append(queries, s.named(wordsOfProducts), s.named(wordsOfKayaks))
	if !t.isNumbered || t.hasLetters {
		queries = append(queries, s.named(wordsOfPeople))
	}
	if !t.isNumbered || !t.hasLetters {
		queries = append(queries, s.named(wordsOfStaff), s.named(wordsOfPlaces))
	}
	return queries
}

// wants reports whether the search should find records of one of these types.
func (s *search) wants(types ...string) bool {
	return s.only == nil || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(s.only, t) })
}

// ofEmail returns the queries for an email address or its start. The index of customers
// contains only whole addresses, so the search also reads the customers whose names have the
// words before the @, and keeps those whose addresses start with the text.
func (s *search) ofEmail() []query {
	queries := []query{s.email()}
	if s.wants(typeCustomer) {
		queries = append(queries, s.emails, s.named(wordsOfPeople))
	}
	return queries
}

// ofKind returns the queries for an ID with a prefix, such as o#12345.
func (s *search) ofKind() []query {
	if !s.wants(s.text.kind) {
		return nil
	}
	switch s.text.kind {
	case typeOrder:
		return []query{s.order(), s.code(), s.respelled()}
	case typeInvoice:
		return []query{s.invoice(), s.code(), s.byNumber()}
	case typeShipment:
		return []query{s.shipment(), s.code(), s.respelled()}
	case typeKayak, typeSubscription:
		return []query{s.code()}
	}
	return nil // the batch read finds the record
}

// order returns a query that finds an order by its ID in capital letters. The query that
// the method code returns finds IDs with lowercase letters.
func (s *search) order() query {
	return func(ctx context.Context) error {
		o, err := s.access.Order(ctx, strings.ToUpper(s.text.id))
		if err == nil {
			s.exact.Orders = []Order{o.Order}
		}
		return err
	}
}

// respelled returns a query that finds an order or a shipment by searchText.number. It
// returns nil if the text has no such number.
func (s *search) respelled() query {
	number := s.text.number
	if number == "" {
		return nil
	}
	return func(ctx context.Context) error {
		if strings.Contains(number, "-") {
			p, err := s.access.Shipment(ctx, number)
			if err == nil {
				s.spelled.Shipments = []Shipment{p.Shipment}
			}
			return err
		}
		o, err := s.access.Order(ctx, number)
		if err == nil {
			s.spelled.Orders = []Order{o.Order}
		}
		return err
	}
}

// invoice returns a query that finds an invoice by its ID in capital letters, by its
// number, such as INV-12, inv12 or "inv 12", or by the number of a credit note that
// corrects it.
func (s *search) invoice() query {
	return func(ctx context.Context) error {
		if number, ok := SeriesInvoices.parse(s.text.id); ok {
			found, err := s.access.invoicesWithNumber(ctx, number)
			s.numbered = found.Rows
			return err
		}
		if number, ok := SeriesCreditNotes.parse(s.text.id); ok {
			return s.corrected(ctx, number)
		}
		return s.invoiceID(ctx)
	}
}

// byNumber returns a query that finds invoices by their number without its prefix, such
// as 5000 or 5 000. It returns nil if the text is not a number.
func (s *search) byNumber() query {
	number, ok := SeriesInvoices.parse(string(SeriesInvoices) + "-" + withoutSpaces(s.text.id))
	if !ok || s.text.hasLetters {
		return nil
	}
	return func(ctx context.Context) error {
		found, err := s.access.invoicesWithNumber(ctx, number)
		s.numbered = found.Rows
		return err
	}
}

func (s *search) invoiceID(ctx context.Context) error {
	i, err := s.access.Invoice(ctx, strings.ToUpper(s.text.id))
	if err == nil {
		s.exact.Invoices = []Invoice{*i}
	}
	return err
}

// corrected finds the invoice that the credit note with this number corrects.
func (s *search) corrected(ctx context.Context, number int) error {
	found, err := s.access.creditNotesWithNumber(ctx, number)
	if err != nil || len(found.Rows) == 0 {
		return err
	}
	i, err := s.access.Invoice(ctx, found.Rows[0].InvoiceID)
	if err == nil {
		s.exact.Invoices = []Invoice{*i}
	}
	return err
}

// shipment returns a query that finds a shipment by its ID in capital letters.
func (s *search) shipment() query {
	return func(ctx context.Context) error {
		p, err := s.access.Shipment(ctx, strings.ToUpper(s.text.id))
		if err == nil {
			s.exact.Shipments = []Shipment{p.Shipment}
		}
		return err
	}
}

// codeOrID returns a query that finds records by a code. If the text is not the tracking
// number of a shipment, the query also finds a record by its ID: an invoice if the text looks
// like an invoice number, such as inv12, and otherwise a shipment.
func (s *search) codeOrID() query {
	code, byID := s.code(), s.shipment()
	if _, isNumber := SeriesInvoices.parse(s.text.id); isNumber {
		byID = s.invoiceID
	}
	n := len(s.words) - 1
	return func(ctx context.Context) error {
		if code != nil {
			if err := code(ctx); err != nil {
				return err
			}
			s.tracked = slices.ContainsFunc(s.words[n], func(w *SearchWord) bool { return w.Words == s.text.code && w.Type == typeShipment })
		}
		if s.tracked {
			return nil
		}
		return byID(ctx)
	}
}

// emails finds customers by email address.
func (s *search) emails(ctx context.Context) error {
	found, err := s.access.CustomersByEmail(ctx, s.text.id)
	s.exact.Customers = found.Rows
	return err
}
