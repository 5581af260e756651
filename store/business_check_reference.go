package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
)

// reference is a requirement of an item: another record must exist, and sometimes
// must have a certain value.
type reference struct {
	rule    CheckRule
	to      factGroup
	label   string              // name of the other record, such as "customer 5"
	want    string              // the required value of the other record; "" accepts any value
	differs func(Entity) string // describes the difference in words; nil if want is ""
}

// statement is what an item states about a subject (factGroup). CheckBusiness compares the
// value with the values that references to the subject require.
type statement struct {
	group factGroup
	value string
}

// itemGroup returns the subject for the item that a GetItem pattern reads.
func itemGroup(p *Pattern, values key.Map) factGroup {
	c, err := p.Condition(values)
	if err != nil {
		return factGroup{}
	}
	return factGroup{factItems, c.PK, c.SK}
}

// to returns a reference to the item with this ID, or none if the ID is "".
func to(rule CheckRule, label string, p *Pattern, name, id string) []reference {
	if id == "" {
		return nil
	}
	return []reference{{rule: rule, to: itemGroup(p, key.Map{name: id}), label: label + " " + id}}
}

// toShared is like the function to, for a record whose partition key is unknown. The
// subject of the reference contains only the ID of the record. toShared returns nil if
// the ID is "".
func toShared(rule CheckRule, label, table, id string) []reference {
	if id == "" {
		return nil
	}
	return []reference{{rule: rule, to: factGroup{table: table, key1: id}, label: label + " " + id}}
}

func toCustomer(rule CheckRule, id string) []reference {
	return to(rule, "customer", getCustomer, "customerID", id)
}

func toEmployee(rule CheckRule, id string) []reference {
	return to(rule, "employee", getEmployee, "employeeID", id)
}

func toWarehouse(rule CheckRule, id string) []reference {
	return to(rule, "warehouse", getWarehouse, "warehouseID", id)
}

func toStore(rule CheckRule, id string) []reference {
	return to(rule, "store", getStore, "storeULID", id)
}

func toReference(rule CheckRule, kind ReferenceKind, id string) []reference {
	if id == "" || kind == "" {
		return nil
	}
	return []reference{{rule: rule, to: itemGroup(getReference, referenceValues(kind, id)), label: string(kind) + " " + id}}
}

// referencesOf returns the references of an item to records in other partitions.
func referencesOf(e Entity) []reference {
	switch e := e.(type) {
	case *Order:
		return slices.Concat(toCustomer(CheckOrderCustomer, e.CustomerID), toEmployee(CheckOrderRep, e.AccountRepID))
	case *OrderItem:
		return to(CheckLineProduct, "product", getProduct, "productID", e.ProductID)
	case *Shipment:
		return toWarehouse(CheckShipmentPlace, e.WarehouseID)
	case *WarehouseItem:
		return toWarehouse(CheckStockPlace, e.WarehouseID)
	case *ExpectedDelivery:
		return toWarehouse(CheckDeliveryPlace, e.WarehouseID)
	case *Transfer:
		return slices.Concat(toWarehouse(CheckTransferPlace, e.SourceID), toWarehouse(CheckTransferPlace, e.TargetID))
	case *ShipmentItem:
		return e.stockReference()
	case *StockMove:
		return toShared(CheckLedgerOrder, "order", factOrders, e.OrderID)
	case *Customer:
		return toEmployee(CheckCustomerRep, e.AccountRepID)
	case *Subscription:
		return toCustomer(CheckSubscriber, e.AccountID)
	case *Employee:
		return slices.Concat(e.titleReference(),
			toReference(CheckEmployeeRefs, Job, e.JobID),
			toReference(CheckEmployeeRefs, Department, e.DepartmentID),
			toReference(CheckEmployeeRefs, Location, e.LocationID),
			toWarehouse(CheckEmployeeRefs, e.WarehouseID),
			toEmployee(CheckEmployeeRefs, e.ManagerID))
	case *SamePerson:
		return e.references()
	case *Reference:
		return toReference(CheckParent, e.Kind.Within(), e.ParentID)
	case *Rental:
		return append(e.activeReference(), placeReferences(CheckRentalStore, e.StoreID, CheckRentalPerson, e.PersonID, e.KayakID)...)
	case *ActiveRental:
		return append(e.rentalReference(), placeReferences(CheckRentalStore, "", CheckRentalPerson, e.PersonID, "")...)
	case *RentalPayment:
		return e.references()
	case *Booking:
		return e.references()
	case *BookingDay:
		return e.references()
	case *Employment:
		return append(e.staffReference(), placeReferences(CheckEmployedStore, e.StoreID, CheckEmployedPerson, e.PersonID, "")...)
	case *StoreEmployee:
		return append(e.employmentReference(), placeReferences(CheckEmployedStore, "", CheckEmployedPerson, e.PersonID, "")...)
	case *User:
		return e.scopeReferences()
	}
	return nil
}

// placeReferences returns references to a store, a person and a kayak, without those whose
// ID is "".
func placeReferences(storeRule CheckRule, storeID string, personRule CheckRule, personID, kayakID string) []reference {
	return slices.Concat(
		toStore(storeRule, storeID),
		toShared(personRule, "person", factPeople, personID),
		toShared(CheckRentalKayak, "kayak", factKayaks, kayakID))
}

func (u *User) scopeReferences() (all []reference) {
	for _, id := range u.Warehouses {
		all = append(all, toWarehouse(CheckUserScope, id)...)
	}
	for _, id := range u.Stores {
		all = append(all, toStore(CheckUserScope, id)...)
	}
	return all
}

// titleReference returns the reference of an employee to their job, which must have the
// employee's job title. It returns none if the employee has only a job or only a job title,
// as after an import. CheckEmployeeRefs reports a missing job.
func (e *Employee) titleReference() []reference {
	if e.JobID == "" || e.JobTitle == "" {
		return nil
	}
	all := toReference(CheckEmployeeTitle, Job, e.JobID)
	all[0].want = digest(e.JobTitle)
	all[0].differs = func(other Entity) string {
		if job, ok := other.(*Reference); ok && job.Name != e.JobTitle {
			return fmt.Sprintf("has the job title %s, but the %s has %s", Quoted(e.JobTitle), labelOf(job), Quoted(job.Name))
		}
		return ""
	}
	return all
}

// recordsOf returns the partition keys of the records whose pages show an item. It returns
// nil if the record in the item's own partition has a page.
func recordsOf(e Entity) []string {
	switch e := e.(type) {
	case *Rental:
		return []string{kayakPartition(e.KayakID), storePartition(e.StoreID)}
	case *ActiveRental:
		return []string{kayakPartition(e.KayakID)}
	case *RentalPayment:
		return []string{storePartition(e.StoreID)}
	case *BookingDay:
		return []string{bookingPartition(e.BookingID)}
	case *Employment:
		return []string{storePartition(e.StoreID)}
	}
	return nil
}

// statementsOf returns the statements of an entity: values that references of other items
// require, and values that must be unique. zone is the time zone of the business.
func statementsOf(e Entity, pk, sk string, zone *time.Location) []statement {
	itself := statement{group: factGroup{factItems, pk, sk}}
	switch e := e.(type) {
	case *Customer:
		return append(personStatements(e.ID, e.Email), itself)
	case *Employee:
		return append(personStatements(e.ID, e.Email), itself)
	case *Person:
		return personStatements(e.ID, e.Email)
	case *SamePerson:
		return e.statements()
	case *Product:
		return append(shared(factSKUs, e.SKU, e.ID), itself)
	case *Order:
		return shared(factOrders, e.ID, e.ID)
	case *Invoice:
		return append(shared(factInvoices, e.ID, e.OrderID), numberStatement(e, pk, sk)...)
	case *CreditNote:
		return numberStatement(e, pk, sk)
	case *Shipment:
		return shared(factShipments, e.ID, e.OrderID)
	case *Kayak:
		itself.value = e.bookable()
		return append(shared(factKayaks, e.ID, e.StoreID), itself)
	case *Reference:
		itself.value = digest(e.Name)
		return []statement{itself}
	case *Warehouse, *WarehouseItem, *RentalStore:
		return []statement{itself}
	case *Rental:
		itself.value = e.state()
		if e.Returned.IsZero() {
			return append(shared(factOut, e.KayakID, e.ID), itself)
		}
		return []statement{itself}
	case *ActiveRental:
		itself.value = digest(e.RentalID)
		return append(e.days(zone), itself)
	case *Booking:
		itself.value = e.state()
		return []statement{itself}
	case *BookingDay:
		itself.value = digest(e.BookingID)
		return append(usedOn(e.KayakID, e.Day, e.BookingID), itself)
	case *Employment:
		itself.value = e.state()
		return []statement{itself}
	case *StoreEmployee:
		itself.value = digest(e.EmploymentID)
		return []statement{itself}
	}
	return nil
}

// shared returns the statement that a value belongs to an owner, or none if the value
// is "". A value may have only one owner.
func shared(table, value, owner string) []statement {
	if value == "" {
		return nil
	}
	return []statement{{factGroup{table: table, key1: value}, owner}}
}

func personStatements(id, email string) []statement {
	email = digest(strings.ToLower(strings.TrimSpace(email)))
	return append(shared(factEmails, email, id), statement{factGroup{table: factPeople, key1: id}, email})
}

// references returns references to the person and the joined people, who must exist. It
// also returns a reference to the SamePerson of each joined person, which must name this
// person.
func (s *SamePerson) references() []reference {
	all := toShared(CheckSamePerson, "person", factPeople, s.ID)
	for _, other := range s.Others {
		all = append(all, toShared(CheckSamePerson, "person", factPeople, other)...)
		all = append(all, reference{rule: CheckSamePerson, to: factGroup{factSame, other, s.ID}, label: fmt.Sprintf("join of person %s with person %s", other, s.ID)})
	}
	return all
}

func (s *SamePerson) statements() (all []statement) {
	for _, other := range s.Others {
		all = append(all, statement{group: factGroup{factSame, s.ID, other}})
	}
	return all
}
