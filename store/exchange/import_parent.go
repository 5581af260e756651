package exchange

import (
	"context"
	"fmt"
	"strings"

	"stockroom/store"
)

// parent is an entity to which another entity refers.
type parent struct {
	kinds []string // possible entity types
	id    string
}

const (
	kindStore  = "storeMetadata"
	kindPerson = "personMetadata"
	kindKayak  = "storeInventoryItem"
)

// kindNames contains the names of entity types that messages call differently.
var kindNames = map[string]string{
	kindStore: "store", kindPerson: "person", kindKayak: "kayak",
	"storeActiveRental": "active rental", "employmentRelationship": "employment", "rentalRelationship": "rental",
}

// kindName returns the name of an entity type in messages, such as "order item".
func kindName(entityType string) string {
	if name := kindNames[entityType]; name != "" {
		return name
	}
	return strings.ReplaceAll(kebabCase(entityType), "-", " ")
}

func (p parent) String() string {
	return kindName(p.kinds[0]) + " " + p.id
}

func (p parent) rejected() (reason string) {
	return fmt.Sprintf("The row of %s was rejected. Correct that row too%s", p, orLenient)
}

func (p parent) unknown() (reason string) {
	return fmt.Sprintf("Unknown %s: it is neither in the table nor in the files of this import.%s", p, lenientHint)
}

// orLenient is the end of reasons that a lenient import turns into warnings. lenientHint is
// a hint with this end.
const (
	orLenient   = ", or use -lenient."
	lenientHint = " Add it" + orLenient
)

var (
	customers  = []string{kindCustomer}
	products   = []string{kindProduct}
	warehouses = []string{kindWarehouse}
	employees  = []string{kindEmployee}
	stores     = []string{kindStore}
	people     = []string{kindPerson, kindCustomer, kindEmployee} // entities that can rent a kayak
)

// parentsOf returns the entities to which an entity refers. It omits the orders of lines,
// invoices and shipments, which checkOrders checks, and the kayaks of rentals, which the
// methods of fleet check.
func parentsOf(entity store.Entity) []parent {
	switch e := entity.(type) {
	case *store.Customer:
		return withID(parent{employees, e.AccountRepID})
	case *store.WarehouseItem:
		return withID(parent{products, e.ProductID}, parent{warehouses, e.WarehouseID})
	case *store.StockMove:
		return withID(parent{products, e.ProductID}, parent{warehouses, e.WarehouseID})
	case *store.ExpectedDelivery:
		return withID(parent{products, e.ProductID}, parent{warehouses, e.WarehouseID})
	case *store.Transfer:
		return withID(parent{products, e.ProductID}, parent{warehouses, e.SourceID}, parent{warehouses, e.TargetID})
	case *store.Order:
		return withID(parent{customers, e.CustomerID}, parent{employees, e.AccountRepID})
	case *store.OrderItem:
		return withID(parent{products, e.ProductID})
	case *store.Invoice:
		return withID(parent{customers, e.CustomerID})
	case *store.CreditNote:
		return withID(parent{customers, e.CustomerID})
	case *store.Shipment:
		return withID(parent{warehouses, e.WarehouseID})
	case *store.ShipmentItem:
		return withID(parent{products, e.ProductID}, parent{warehouses, e.WarehouseID})
	case *store.StoreEmployee:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.Kayak:
		return withID(parent{stores, e.StoreID})
	case *store.RentalPayment:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.Booking:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.BookingDay:
		return withID(parent{stores, e.StoreID})
	case *store.ActiveRental:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.Employment:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.Rental:
		return withID(parent{stores, e.StoreID}, parent{people, e.PersonID})
	case *store.Employee:
		return withID(
			parent{[]string{string(store.Job)}, e.JobID}, parent{[]string{string(store.Department)}, e.DepartmentID},
			parent{[]string{string(store.Location)}, e.LocationID}, parent{warehouses, e.WarehouseID}, parent{employees, e.ManagerID},
		)
	case *store.Quota:
		return withID(parent{employees, e.EmployeeID})
	case *store.SamePerson:
		all := []parent{{people, e.ID}}
		for _, id := range e.Others {
			all = append(all, parent{people, id})
		}
		return withID(all...)
	case *store.Reference:
		return withID(parent{[]string{string(e.Kind.Within())}, e.ParentID})
	}
	return nil
}

func withID(parents ...parent) []parent {
	n := 0
	for _, p := range parents {
		if p.id != "" {
			parents[n] = p
			n++
		}
	}
	return parents[:n]
}

// stub returns an entity with only its ID.
func stub(kind, id string) store.Entity {
	switch kind {
	case kindCustomer:
		return &store.Customer{ID: id}
	case kindProduct:
		return &store.Product{ID: id}
	case kindWarehouse:
		return &store.Warehouse{ID: id}
	case kindEmployee:
		return &store.Employee{ID: id}
	case kindStore:
		return &store.RentalStore{ID: id}
	case kindPerson:
		return &store.Person{ID: id}
	}
	return &store.Reference{Kind: store.ReferenceKind(kind), ID: id}
}

// missingParents returns, for each entity, a reason to reject it because an entity to which
// it refers is unknown, or "". Known entities are in the files read so far or in the table.
// Once found in the table, an entity is not read again.
func (k *Known) missingParents(ctx context.Context, target Target, entities []store.Entity) ([]string, error) {
	parents := make([][]parent, len(entities))
	var unknown []store.Entity
	type named struct{ kind, id string }
	var names []named
	asked := map[named]bool{}
	for i, e := range entities {
		parents[i] = parentsOf(e)
		for _, p := range parents[i] {
			if known, err := k.hasAny(p); err != nil {
				return nil, err
			} else if known {
				continue
			}
			for _, kind := range p.kinds {
				if name := (named{kind, p.id}); !asked[name] {
					asked[name] = true
					names, unknown = append(names, name), append(unknown, stub(kind, p.id))
				}
			}
		}
	}
	reasons := make([]string, len(entities))
	if len(unknown) == 0 {
		return reasons, nil
	}
	existing, err := target.Existing(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for i, exists := range existing {
		if exists {
			if err := k.add(names[i].kind, names[i].id); err != nil {
				return nil, err
			}
		}
	}
	for i := range entities {
		for _, p := range parents[i] {
			if reasons[i] != "" {
				continue
			}
			if known, err := k.hasAny(p); err != nil {
				return nil, err
			} else if known {
				continue
			}
			rejected, err := k.isRejectedParent(p)
			if err != nil {
				return nil, err
			}
			if reasons[i] = p.unknown(); rejected {
				reasons[i] = p.rejected()
			}
		}
	}
	return reasons, nil
}

func (k *Known) hasAny(p parent) (known bool, err error) {
	for _, kind := range p.kinds {
		if known, err = k.has(kind, p.id); known || err != nil {
			return known, err
		}
	}
	return false, nil
}
