package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// RelatedIDs contains the IDs of records to which the rows of a page refer.
type RelatedIDs struct {
	Customers, Warehouses, Employees, Stores []string

	TransferEnds []string // the warehouses between which transfers move products

	Locations, Departments []string

	Changes []StockMove // the ledger entries of the page; Related.Changes contains their events
}

func (ids *RelatedIDs) isEmpty() bool {
	return len(ids.Customers)+len(ids.Warehouses)+len(ids.TransferEnds)+len(ids.Employees)+len(ids.Stores)+
		len(ids.Locations)+len(ids.Departments)+len(ids.Changes) == 0
}

// Related contains, by ID, records to which the rows of a page refer. Records that do
// not exist or that the user may not see are missing.
type Related struct {
	Customers  map[string]*Customer
	Warehouses map[string]*Warehouse
	Employees  map[string]*Employee
	Stores     map[string]*RentalStore
	References map[ReferenceKind]map[string]*Reference
	Changes    map[string]*Event // events of ledger entries, by ID, for users who may undo them
}

// Related reads the records with these IDs, with batch reads. Managers get only their own
// warehouses and stores, and the names of other warehouses in transfers. For employees of
// other warehouses, they also get only the names.
func (a Access) Related(ctx context.Context, ids RelatedIDs) (Related, error) {
	found := Related{}
	if err := a.require(Browse); err != nil || ids.isEmpty() {
		return found, err
	}
	var lookups []table.Lookup
	found = a.lookUpAll(&lookups, ids)
	if len(lookups) == 0 {
		return found, nil
	}
	if err := a.store.table.LookUpKept(ctx, lookups); err != nil {
		return Related{}, err
	}
	for _, e := range found.Employees {
		switch {
		case e == nil:
		case a.user.InCharge(e.WarehouseID):
			*e = *a.redact(*e)
		default:
			*e = Employee{ID: e.ID, Name: e.Name}
		}
	}
	for _, w := range found.Warehouses {
		if w != nil && !a.user.InCharge(w.ID) {
			*w = Warehouse{ID: w.ID, Name: w.Name}
		}
	}
	return found, nil
}

// lookUpAll adds lookups of the records that the user may see, and returns the maps that
// receive the records.
func (a Access) lookUpAll(lookups *[]table.Lookup, ids RelatedIDs) Related {
	ids.Warehouses = slices.DeleteFunc(slices.Clone(ids.Warehouses), func(id string) bool { return !a.user.InCharge(id) })
	ids.Stores = slices.DeleteFunc(slices.Clone(ids.Stores), func(id string) bool { return !a.user.InChargeOfStore(id) })
	found := Related{
		Customers:  lookUpRelated[Customer](lookups, getCustomer, "customerID", ids.Customers),
		Warehouses: lookUpRelated[Warehouse](lookups, getWarehouse, "warehouseID", slices.Concat(ids.Warehouses, ids.TransferEnds)),
		Employees:  lookUpRelated[Employee](lookups, getEmployee, "employeeID", ids.Employees),
		Stores:     lookUpRelated[RentalStore](lookups, getStore, "storeULID", ids.Stores),
		References: map[ReferenceKind]map[string]*Reference{},
		Changes:    map[string]*Event{},
	}
	for kind, ids := range map[ReferenceKind][]string{Location: ids.Locations, Department: ids.Departments} {
		found.References[kind] = lookUpValues[Reference](lookups, getReference, func(id string) key.Map { return referenceValues(kind, id) }, ids)
	}
	if a.user.May(ChangeStock) {
		for i := range ids.Changes {
			lookUpEvent(lookups, &ids.Changes[i], found.Changes)
		}
	}
	return found
}

// lookUpEvent adds a lookup of the event of a ledger entry.
func lookUpEvent(lookups *[]table.Lookup, m *StockMove, found map[string]*Event) {
	if _, asked := found[m.EventID]; asked || m.EventID == "" {
		return
	}
	found[m.EventID] = nil
	*lookups = append(*lookups, table.Lookup{Pattern: getEvent, Values: key.Map{"partition": m.EventPartition(), "eventID": m.EventID}, Found: func(row Row) error {
		e, err := table.DecodeAs[*Event](schema, row, nil)
		if KindOf(err) != Damaged {
			found[m.EventID] = e
			return err
		}
		return nil // without the event, the page does not offer an undo
	}})
}

// lookUpRelated adds a lookup for each ID and returns the map to which the lookups
// add the records. name is the placeholder of the ID in the pattern.
func lookUpRelated[T any, E interface {
	*T
	Entity
}](lookups *[]table.Lookup, p *Pattern, name string, ids []string,
) map[string]*T {
	return lookUpValues[T, E](lookups, p, func(id string) key.Map { return key.Map{name: id} }, ids)
}

// lookUpValues is like lookUpRelated, for a pattern with several placeholders.
func lookUpValues[T any, E interface {
	*T
	Entity
}](lookups *[]table.Lookup, p *Pattern, values func(id string) key.Map, ids []string,
) map[string]*T {
	found := make(map[string]*T, len(ids))
	for _, id := range ids {
		if _, asked := found[id]; asked || id == "" {
			continue
		}
		found[id] = nil
		*lookups = append(*lookups, table.Lookup{Pattern: p, Values: values(id), Found: func(row Row) error {
			e, err := table.DecodeAs[E](schema, row, nil)
			if KindOf(err) == Damaged {
				return nil // without the record, the page shows the ID
			}
			found[id] = e
			return err
		}})
	}
	return found
}

// RelatedTo returns the IDs of the records to which the rows of a list refer. A row that
// contains a copy of a record's name does not need the record.
func RelatedTo[T any](rows []T) RelatedIDs {
	var ids RelatedIDs
	for i := range rows {
		ids.add(&rows[i])
	}
	return ids
}

// CustomerName returns the name of a customer, or "" if it is unknown.
func (r Related) CustomerName(id string) string {
	if c := r.Customers[id]; c != nil {
		return c.Name
	}
	return ""
}

// WarehouseName returns the name of a warehouse, or "" if it is unknown.
func (r Related) WarehouseName(id string) string {
	if w := r.Warehouses[id]; w != nil {
		return w.Name
	}
	return ""
}

// EmployeeName returns the name of an employee, or "" if it is unknown.
func (r Related) EmployeeName(id string) string {
	if e := r.Employees[id]; e != nil {
		return e.Name
	}
	return ""
}

// StoreName returns the name of a store, or "" if it is unknown.
func (r Related) StoreName(id string) string {
	if s := r.Stores[id]; s != nil {
		return s.Name
	}
	return ""
}

// ReferenceName returns the name of a reference, or "" if it is unknown.
func (r Related) ReferenceName(kind ReferenceKind, id string) string {
	if found := r.References[kind][id]; found != nil {
		return found.Name
	}
	return ""
}

func (ids *RelatedIDs) add(row any) {
	switch row := row.(type) {
	case *Invoice:
		ids.Customers = append(ids.Customers, row.CustomerID)
	case *Subscription:
		ids.Customers = append(ids.Customers, row.AccountID)
	case *PlannedStep:
		ids.Customers = append(ids.Customers, row.AccountID)
	case *JobResult:
		if row.Job != NoticesJob {
			ids.Customers = append(ids.Customers, row.AccountID)
		}
	case *StockMove:
		ids.Changes = append(ids.Changes, *row)
	case *Shipment:
		ids.Customers = append(ids.Customers, row.CustomerID)
		ids.Warehouses = append(ids.Warehouses, row.WarehouseID)
	case *Transfer:
		ids.TransferEnds = append(ids.TransferEnds, row.SourceID, row.TargetID)
	case *BulkChange:
		if warehouses := row.Warehouses(); len(warehouses) == 1 && row.WarehouseName == "" {
			ids.Warehouses = append(ids.Warehouses, warehouses...)
		}
	case *BulkRow:
		ids.Warehouses = append(ids.Warehouses, row.WarehouseID, row.SourceID)
		if row.InvoiceID == "" && row.OrderID != "" {
			ids.Customers = append(ids.Customers, row.PersonID)
		}
	}
}
