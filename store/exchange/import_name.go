package exchange

import (
	"context"
	"slices"

	"stockroom/store"
)

// copiedName is a name that an entity copies from another entity, so that lists can show it
// without reading the other entity.
type copiedName struct {
	column string // such as PersonName
	to     *string
	from   []store.Entity // entities with only an ID; the name is that of the first one in the table
	sku    bool           // copy the SKU of a product instead of its name
}

// copiedNames returns the names that an entity copies.
func copiedNames(entity store.Entity) []copiedName {
	product := func(column string, to *string, id string) copiedName {
		return copiedName{column: column, to: to, from: stubs(products, id)}
	}
	storeName := func(to *string, id string) copiedName {
		return copiedName{column: "StoreName", to: to, from: stubs(stores, id)}
	}
	person := func(column string, to *string, id string) copiedName {
		return copiedName{column: column, to: to, from: stubs(people, id)}
	}
	kayak := func(to *string, storeID, id string) copiedName {
		return copiedName{column: "ItemName", to: to, from: []store.Entity{&store.Kayak{StoreID: storeID, ID: id}}}
	}
	switch e := entity.(type) {
	case *store.Order:
		return []copiedName{{column: "CustomerName", to: &e.CustomerName, from: stubs(customers, e.CustomerID)}}
	case *store.OrderItem:
		sku := product("SKU", &e.SKU, e.ProductID)
		sku.sku = true
		return []copiedName{product("Name", &e.Name, e.ProductID), sku}
	case *store.ShipmentItem:
		return []copiedName{product("Name", &e.Name, e.ProductID)}
	case *store.WarehouseItem:
		return []copiedName{product("Name", &e.Name, e.ProductID)}
	case *store.StockMove:
		return []copiedName{product("Name", &e.Name, e.ProductID)}
	case *store.ExpectedDelivery:
		return []copiedName{product("Name", &e.Name, e.ProductID)}
	case *store.Transfer:
		return []copiedName{product("Name", &e.Name, e.ProductID)}
	case *store.Employee:
		return []copiedName{{column: "JobTitle", to: &e.JobTitle, from: stubs([]string{string(store.Job)}, e.JobID)}}
	case *store.StoreEmployee:
		return []copiedName{person("Name", &e.Name, e.PersonID)}
	case *store.Employment:
		return []copiedName{storeName(&e.StoreName, e.StoreID), person("PersonName", &e.PersonName, e.PersonID)}
	case *store.ActiveRental:
		return []copiedName{storeName(&e.StoreName, e.StoreID), person("PersonName", &e.PersonName, e.PersonID), kayak(&e.KayakName, e.StoreID, e.KayakID)}
	case *store.Rental:
		return []copiedName{storeName(&e.StoreName, e.StoreID), person("PersonName", &e.PersonName, e.PersonID), kayak(&e.KayakName, e.StoreID, e.KayakID)}
	case *store.RentalPayment:
		return []copiedName{storeName(&e.StoreName, e.StoreID), person("PersonName", &e.PersonName, e.PersonID)}
	case *store.Booking:
		return []copiedName{storeName(&e.StoreName, e.StoreID), person("PersonName", &e.PersonName, e.PersonID), kayak(&e.KayakName, e.StoreID, e.KayakID)}
	case *store.BookingDay:
		return []copiedName{person("PersonName", &e.PersonName, e.PersonID), kayak(&e.KayakName, e.StoreID, e.KayakID)}
	}
	return nil
}

// stubs returns an entity of each type, with only its ID.
func stubs(kinds []string, id string) (all []store.Entity) {
	if id == "" {
		return nil
	}
	for _, kind := range kinds {
		all = append(all, stub(kind, id))
	}
	return all
}

// nameOf returns the name or SKU of an entity that other entities copy, or "" for an
// entity without a name.
func (n *copiedName) nameOf(entity store.Entity) string {
	switch e := entity.(type) {
	case *store.Customer:
		return e.Name
	case *store.Product:
		if n.sku {
			return e.SKU
		}
		return e.Name
	case *store.Employee:
		return e.Name
	case *store.Person:
		return e.Name
	case *store.RentalStore:
		return e.Name
	case *store.Kayak:
		return e.Name
	case *store.Reference:
		return e.Name
	}
	return ""
}

// omits reports whether the row lacks a value for an attribute, because the file has no
// column for it, or because a lookup in another file provides the column. An empty cell is
// a value. For formats other than CSV, omits always returns true, so check the value first.
func (r *Row) omits(name string) bool {
	if r.csv == nil {
		return true
	}
	if m := r.csv.mapper; m != nil && slices.ContainsFunc(m.fills, func(f fill) bool { return f.column == name }) {
		return true
	}
	return r.csv.index(name) < 0
}

// copyNames fills in names that the rows of a batch omit. It takes them from the
// entities in the table. The result copied is false if it has filled in none.
func (i *importer) copyNames(ctx context.Context, b *Batch) (copied bool, err error) {
	if b.Exported || b.consistent {
		return false, nil // exported rows have all names
	}
	type missingName struct {
		copiedName
		row *Row
	}
	var names []missingName
	var unread []store.Entity
	asked := map[string]bool{}
	for n, entity := range b.Entities {
		for _, name := range copiedNames(entity) {
			if *name.to != "" || len(name.from) == 0 || !b.Rows[n].omits(name.column) {
				continue
			}
			names = append(names, missingName{name, &b.Rows[n]})
			for _, from := range name.from {
				if of := identify(from); !asked[of] {
					asked[of], unread = true, append(unread, from)
				}
			}
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	stored, err := i.target.Stored(ctx, unread)
	if err != nil {
		return false, err
	}
	known := make(map[string]store.Entity, len(unread))
	for n, entity := range stored {
		known[identify(unread[n])] = entity
	}
	for _, name := range names {
		for _, from := range name.from {
			if entity := known[identify(from)]; entity != nil && *name.to == "" {
				*name.to = name.nameOf(entity)
			}
		}
		if *name.to != "" {
			copied = true
			name.row.computed = append(slices.Clip(name.row.computed), name.column)
		}
	}
	return copied, nil
}
