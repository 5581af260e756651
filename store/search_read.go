package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxOwnPlaces is the maximum number of a manager's warehouses or stores whose names a
// search compares. The batch read of the search has room for this many.
const maxOwnPlaces = 16

// reading collects the lookups of the batch read of a search. Each lookup stores its
// record in its own variable, called a slot, so that the results keep their order.
type reading struct{ lookups []table.Lookup }

// slot adds a lookup, and returns a pointer to where its record will be stored.
func slot[E Entity](r *reading, p *Pattern, values key.Map) *E {
	to := new(E)
	r.lookups = append(r.lookups, lookUp(p, values, to))
	return to
}

// read reads the records that were found by search words or by ID. It adds the
// records that the user may see to the results.
func (s *search) read(ctx context.Context) error {
	a, r := s.access, &reading{}
	customers, moreCustomers := slots[*Customer](s, r, typeCustomer)
	people, morePeople := slots[*Person](s, r, typePerson)
	employees, moreEmployees := slots[*Employee](s, r, typeEmployee)
	s.lookUpOwnStaff(ctx, r)
	products, moreProducts := slots[*Product](s, r, typeProduct)
	warehouses, moreWarehouses := slots[*Warehouse](s, r, typeWarehouse)
	stores, moreStores := slots[*RentalStore](s, r, typeStore)
	kayaks, moreKayaks := slots[*Kayak](s, r, typeKayak)
	subscriptions, moreSubscriptions := slots[*Subscription](s, r, typeSubscription)
	orders, moreOrders := slots[*Order](s, r, typeOrder)
	invoices, moreInvoices := slots[*Invoice](s, r, typeInvoice)
	shipments, moreShipments := slots[*Shipment](s, r, typeShipment)
	s.results.Related = a.lookUpAll(&r.lookups, s.related())
	if err := a.store.table.LookUp(ctx, r.lookups, false); err != nil {
		return err
	}
	s.results.Customers = uniquely(slices.Concat(valuesOf(customers), s.exact.Customers, slices.Concat(s.phones...)), func(c Customer) string { return c.ID })
	if s.text.isEmail {
		moreCustomers = s.keepEmail(moreCustomers)
	}
	s.results.Orders = uniquely(slices.Concat(s.exact.Orders, s.spelled.Orders, valuesOf(orders)), func(o Order) string { return o.ID })
	s.results.Invoices = uniquely(slices.Concat(s.numbered, s.exact.Invoices, valuesOf(invoices)), func(i Invoice) string { return i.ID })
	s.results.Shipments = uniquely(slices.Concat(s.exact.Shipments, s.spelled.Shipments, valuesOf(shipments)), func(p Shipment) string { return p.ID })
	s.results.Shipments = slices.DeleteFunc(s.results.Shipments, func(p Shipment) bool { return !a.user.InCharge(p.WarehouseID) })
	s.results.People = uniquely(valuesOf(people), func(p Person) string { return p.ID })
	s.results.Products = uniquely(valuesOf(products), func(p Product) string { return p.ID })
	s.results.Kayaks = uniquely(valuesOf(kayaks), func(k Kayak) string { return k.ID })
	s.results.Subscriptions = uniquely(valuesOf(subscriptions), func(u Subscription) string { return u.AccountID + "#" + u.ID + "#" + u.SKU })
	s.results.Kayaks = slices.DeleteFunc(s.results.Kayaks, func(k Kayak) bool {
		isHidden := k.Status == KayakRetired && key.Code(k.ID) != s.text.code && key.Code(k.Serial) != s.text.code // a retired kayak can be found only by its whole ID or serial number
		return isHidden || !a.user.InChargeOfStore(k.StoreID)
	})
	for _, e := range uniquely(valuesOf(employees), func(e Employee) string { return e.ID }) {
		if a.maySeeEmployee(&e, s.isOwnStaff(e.ID)) {
			s.results.Employees = append(s.results.Employees, *a.redact(e))
		}
	}
	for _, w := range uniquely(valuesOf(warehouses), func(w Warehouse) string { return w.ID }) {
		if a.user.InCharge(w.ID) && s.isPlace(w.ID, w.Name, w.Address) {
			s.results.Warehouses = append(s.results.Warehouses, w)
		}
	}
	for _, p := range uniquely(valuesOf(stores), func(p RentalStore) string { return p.ID }) {
		if a.user.InChargeOfStore(p.ID) && s.isPlace(p.ID, p.Name, p.Address) {
			s.results.Stores = append(s.results.Stores, p)
		}
	}
	s.results.More = MoreResults{
		moreOrders, moreInvoices, moreShipments, moreCustomers, moreProducts, moreWarehouses, moreEmployees, moreStores, moreKayaks, morePeople, moreSubscriptions,
	}
	return s.relateOthers(ctx)
}

// relateOthers reads the customers and warehouses of invoices and shipments that were
// found by a code, such as a tracking number. The batch read of the search could not
// include them, because their IDs were not known yet.
func (s *search) relateOthers(ctx context.Context) error {
	if s.only != nil {
		return nil
	}
	ids, known := RelatedTo(s.results.Shipments), &s.results.Related
	ids.Customers = append(ids.Customers, RelatedTo(s.results.Invoices).Customers...)
	ids.Customers = slices.DeleteFunc(ids.Customers, func(id string) bool { _, read := known.Customers[id]; return read })
	ids.Warehouses = slices.DeleteFunc(ids.Warehouses, func(id string) bool { _, read := known.Warehouses[id]; return read })
	found, err := s.access.Related(ctx, ids)
	maps.Copy(known.Customers, found.Customers)
	maps.Copy(known.Warehouses, found.Warehouses)
	return err
}

// related returns the IDs of the customers and warehouses to which the results refer.
// It uses the search words and the records that the queries returned, because the
// batch read comes later. It returns none for suggestions in forms, which do not show
// these records.
func (s *search) related() RelatedIDs {
	if s.only != nil {
		return RelatedIDs{}
	}
	ids := RelatedTo(slices.Concat(s.numbered, s.exact.Invoices))
	subscriptions, _ := s.best(typeSubscription)
	for _, w := range subscriptions {
		account, _, _ := strings.Cut(w.Place, "#") // the account has the ID of the customer
		ids.Customers = append(ids.Customers, account)
	}
	shipments := RelatedTo(slices.Concat(s.exact.Shipments, s.spelled.Shipments))
	ids.Customers, ids.Warehouses = append(ids.Customers, shipments.Customers...), shipments.Warehouses
	return ids
}

// slots adds lookups for the records of one type, and returns the slots of the records.
// The records whose ID is the text come first, and then those of search words. The result
// more is that of the function best.
func slots[E Entity](s *search, r *reading, recordType string) (found []*E, more More) {
	for _, w := range s.withID(recordType) {
		if p, values := w.record(); p != nil {
			found = append(found, slot[E](r, p, values))
		}
	}
	words, more := s.best(recordType)
	for _, w := range words {
		p, values := w.record()
		found = append(found, slot[E](r, p, values))
	}
	return found, more
}

// lookUpOwnStaff adds lookups that find out whether the employees whose ID may be the text
// are the user's own staff.
func (s *search) lookUpOwnStaff(ctx context.Context, r *reading) {
	if s.ownStaff == nil {
		s.ownStaff = map[string]*bool{}
	}
	for _, w := range s.withID(typeEmployee) {
		if s.ownStaff[w.ID] == nil {
			s.ownStaff[w.ID] = new(bool)
			r.lookups = append(r.lookups, s.access.lookUpOwnStaff(ctx, w.ID, s.ownStaff[w.ID])...)
		}
	}
}

// withID returns a SearchWord for each record of a type whose ID may be the text. It
// returns nil for types whose keys contain more than the ID. For a manager, it also
// returns their own warehouses or stores, so that the search can compare the names.
func (s *search) withID(recordType string) (words []*SearchWord) {
	t, user := s.text, s.access.user
	if t.id == "" || !s.wants(recordType) || t.kind != "" && t.kind != recordType {
		return nil
	}
	switch recordType {
	case typeKayak, typeSubscription, typeOrder, typeInvoice, typeShipment:
		return nil // the ID alone does not make a key
	}
	if user.Role == Manager && t.kind == "" {
		for _, id := range s.ownPlaces(recordType) {
			words = append(words, &SearchWord{Type: recordType, ID: id})
		}
	}
	for _, id := range spellings(t.id) {
		words = append(words, &SearchWord{Type: recordType, ID: id})
	}
	return words
}

func spellings(id string) []string {
	all := []string{id}
	for _, other := range []string{strings.ToUpper(id), strings.ToLower(id)} {
		if !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	return all
}

// ownPlaces returns the IDs of a manager's warehouses or stores, at most
// maxOwnPlaces.
func (s *search) ownPlaces(recordType string) []string {
	var own []string
	switch user := s.access.user; recordType {
	case typeWarehouse:
		own = user.Warehouses
	case typeStore:
		own = user.Stores
	}
	return own[:min(maxOwnPlaces, len(own))]
}

// keepEmail keeps only the customers whose email address starts with the text, or whose ID is
// the text, up to searchLimit. The argument candidates says whether there are candidates that
// the function best did not return. The result more says whether further customers match. If
// the text is a whole address, other candidates do not matter.
func (s *search) keepEmail(candidates More) (more More) {
	address := strings.ToLower(s.text.id)
	found := slices.DeleteFunc(s.results.Customers, func(c Customer) bool {
		return !strings.EqualFold(c.ID, s.text.id) && !strings.HasPrefix(strings.ToLower(c.Email), address)
	})
	s.results.Customers = found[:min(searchLimit, len(found))]
	return More{Match: len(found) > searchLimit || candidates.Match && len(s.exact.Customers) == 0}
}

// isPlace reports whether a warehouse or store matches the text by ID, name or city.
func (s *search) isPlace(id, name string, address Address) bool {
	if strings.EqualFold(id, s.text.id) {
		return true
	}
	words := key.JoinWords(key.Words(name + " " + address.City))
	return s.text.kind == "" && !s.text.isEmail && len(s.text.words) > 0 && key.HasWords(words, s.text.words)
}

// valuesOf returns the records that are not nil.
func valuesOf[T any](found []**T) []T {
	var all []T
	for _, record := range found {
		if *record != nil {
			all = append(all, **record)
		}
	}
	return all
}

// uniquely removes rows that have the same ID as an earlier row.
func uniquely[T any](rows []T, id func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(row T) bool {
		repeated := seen[id(row)]
		seen[id(row)] = true
		return repeated
	})
}
