package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// byKey finds records by ID with one batch read, for the kinds whose table key
// contains only the ID.
func (s *search) byKey(ctx context.Context, id string, kinds ...string) {
	a := s.access
	var customer *Customer
	var product *Product
	var warehouse *Warehouse
	var employee *Employee
	var rentalStore *RentalStore
	var person *Person
	var kayaks []*Kayak // one for each store of a manager
	var lookups []table.Lookup
	for _, kind := range kinds {
		switch kind {
		case "c":
			lookups = append(lookups, lookUp(getCustomer, key.Map{"customerID": id}, &customer))
		case "p":
			lookups = append(lookups, lookUp(getProduct, key.Map{"productID": id}, &product))
		case "w":
			if a.user.InCharge(id) {
				lookups = append(lookups, lookUp(getWarehouse, key.Map{"warehouseID": id}, &warehouse))
			}
		case "e":
			lookups = append(lookups, lookUp(getEmployee, key.Map{"employeeID": id}, &employee))
		case "store":
			if a.user.InChargeOfStore(id) {
				lookups = append(lookups, lookUp(getStore, key.Map{"storeULID": id}, &rentalStore))
			}
		case "k", "kayak":
			// The key of a kayak needs its store. A manager's stores are known;
			// for other users an index finds it.
			stores, isManager := a.ownStores()
			if !isManager {
				s.run(func() error { return storeOne(&s.results.Kayaks)(a.Kayak(ctx, id)) })
			}
			kayaks = make([]*Kayak, len(stores))
			for i, storeID := range stores {
				lookups = append(lookups, lookUp(getStoreInventoryItem, key.Map{"storeULID": storeID, "inventoryULID": id}, &kayaks[i]))
			}
		case "person":
			lookups = append(lookups, lookUp(getPerson, key.Map{"personULID": id}, &person))
		}
	}
	s.run(func() error {
		if err := a.store.table.LookUp(ctx, lookups, false); err != nil {
			return err
		}
		s.customer, s.product, s.warehouse = sliceOf(customer), sliceOf(product), sliceOf(warehouse)
		s.results.Stores, s.results.People = sliceOf(rentalStore), sliceOf(person)
		for _, kayak := range kayaks {
			s.results.Kayaks = append(s.results.Kayaks, sliceOf(kayak)...)
		}
		if employee != nil && a.user.InCharge(employee.WarehouseID) {
			s.employee = sliceOf(a.redact(*employee))
		}
		return nil
	})
}

// sliceOf returns the value, or nil for nil.
func sliceOf[T any](value *T) []T {
	if value == nil {
		return nil
	}
	return []T{*value}
}
