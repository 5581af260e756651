package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Archived selects records of a list: archived records, records that are not
// archived, or both.
//
// An archived record keeps its page and its history. Forms do not offer it, searches
// by name do not find it, and new orders, rentals and deliveries reject it.
type Archived int

// The values of Archived.
const (
	NotArchived Archived = iota
	OnlyArchived
	AlsoArchived
)

func (a Archived) includes(archived bool) bool {
	return a == AlsoArchived || archived == (a == OnlyArchived)
}

// Archiving is a request to archive or restore a record.
type Archiving struct {
	ID      string
	Restore bool
	Version int    // the version that the form showed
	Why     string // reason; may be empty
	Token   string
}

// archive describes how to archive a kind of record.
type archive[T any] struct {
	noun               string
	flag               func(*T) *bool
	archived, restored EventCode
	partition          string
	check              func(*T) error    // returns an error if the record cannot be archived; may be nil
	also               func(*change)     // adds other writes to the transaction; may be nil
	restore            func(*change, *T) // changes a restored record and adds other writes; may be nil
}

// setArchived archives or restores a record. before is the stored record. setArchived
// returns Invalid if the reason is not valid, and Conflict if the form showed another
// version or the record is already archived or restored. It also returns the error of
// r.check.
func setArchived[T any, E editable[T]](ctx context.Context, a Access, before E, r archive[T], how Archiving) error {
	c, err := a.change(ctx, how.Token)
	if err != nil {
		return err
	}
	if how.Version != *before.version() {
		return c.rejectOutdated(ctx, r.partition)
	}
	event := Event{Partition: r.partition, What: r.archived, Why: strings.TrimSpace(how.Why)}
	if how.Restore {
		event.What = r.restored
	}
	after := *before
	switch {
	case *r.flag(&after) != how.Restore:
		return fail(Conflict, "The %s is already %s.", r.noun, map[bool]string{false: "archived", true: "restored"}[how.Restore])
	case !how.Restore && r.check != nil:
		if err := r.check(before); err != nil {
			return err
		}
	}
	if err := checkLine("why", &event.Why); err != nil {
		return err
	}
	event.Values = archivedValue(how.Restore, !how.Restore)
	*r.flag(&after) = !how.Restore
	c.recordEvent(event)
	if how.Restore && r.restore != nil {
		r.restore(c, &after)
	}
	c.updateWords(before, E(&after))
	c.replaceNext(E(&after), E(&after).version())
	if r.also != nil {
		r.also(c)
	}
	return c.Commit(ctx)
}

// ArchiveProduct archives or restores a product. Open orders with the product can
// still be shipped and returned. Restoring a product also corrects its category; see
// restoreCategory. ArchiveProduct returns NotFound, or Invalid or Conflict; see
// setArchived.
func (a Access) ArchiveProduct(ctx context.Context, how Archiving) error {
	return a.archiveProduct(ctx, how, nil)
}

// archiveProduct is like ArchiveProduct. Other writes of the same change come from also,
// which may be nil.
func (a Access) archiveProduct(ctx context.Context, how Archiving, also func(*change)) error {
	p, err := a.ProductForChange(ctx, how.ID)
	if err != nil {
		return err
	}
	restore, err := a.restoreCategory(ctx, p, how)
	if err != nil {
		return err
	}
	return setArchived(ctx, a, p, archive[Product]{
		noun: "product", flag: func(p *Product) *bool { return &p.Archived }, partition: productPartition(p.ID),
		archived: EventProductArchived, restored: EventProductRestored, also: also, restore: restore,
	}, how)
}

// ArchiveWarehouse archives or restores a warehouse. The stock of an archived warehouse can
// still be shipped, counted and transferred to other warehouses. ArchiveWarehouse returns
// NotFound, or Invalid or Conflict; see setArchived.
func (a Access) ArchiveWarehouse(ctx context.Context, how Archiving) error {
	w, err := a.WarehouseForChange(ctx, how.ID)
	if err != nil {
		return err
	}
	return setArchived(ctx, a, w, archive[Warehouse]{
		noun: "warehouse", flag: func(w *Warehouse) *bool { return &w.Archived }, partition: partitionOf(getWarehouse, "warehouseID", w.ID),
		archived: EventWarehouseArchived, restored: EventWarehouseRestored,
	}, how)
}

// ArchiveCategory archives or restores a category. Its products keep the category.
// ArchiveCategory returns NotFound, or Invalid or Conflict; see setArchived.
func (a Access) ArchiveCategory(ctx context.Context, how Archiving) error {
	r, err := a.CategoryForChange(ctx, how.ID)
	if err != nil {
		return err
	}
	return setArchived(ctx, a, r, archive[Reference]{
		noun: "category", flag: func(r *Reference) *bool { return &r.Archived }, partition: referencePartition(Category, r.ID),
		archived: EventCategoryArchived, restored: EventCategoryRestored,
	}, how)
}

// ArchiveRentalStore archives or restores a rental store. It returns NotFound, or Invalid
// or Conflict; see setArchived. It also returns Invalid if a store to archive still has
// kayaks.
func (a Access) ArchiveRentalStore(ctx context.Context, how Archiving) error {
	s, err := a.RentalStoreForChange(ctx, how.ID)
	if err != nil {
		return err
	}
	return setArchived(ctx, a, s, archive[RentalStore]{
		noun: "store", flag: func(s *RentalStore) *bool { return &s.Archived }, partition: storePartition(s.ID),
		archived: EventStoreArchived, restored: EventStoreRestored,
		check: func(s *RentalStore) error {
			if s.Kayaks() > 0 {
				return InvalidField("", "Move or retire the kayaks of this store first. It still has %d.", s.Kayaks())
			}
			return nil
		},
	}, how)
}

// requireDelivery returns Invalid for the field if the product or the warehouse of a
// delivery is archived.
func (a Access) requireDelivery(ctx context.Context, productID, warehouseID, field string) error {
	product, warehouse, err := a.deliveryPlace(ctx, productID, warehouseID)
	switch {
	case err != nil:
		return err
	case product != nil && product.Archived:
		return InvalidField(field, "This product is archived. Restore it first.")
	case warehouse != nil && warehouse.Archived:
		return InvalidField(field, "Warehouse %s is archived. Choose another one.", nameOrID(warehouse.Name, warehouseID))
	}
	return nil
}

// deliveryPlace reads a product and a warehouse consistently, with one request. It
// returns nil for a missing record.
func (a Access) deliveryPlace(ctx context.Context, productID, warehouseID string) (product *Product, warehouse *Warehouse, err error) {
	err = a.store.table.LookUp(ctx, []table.Lookup{
		lookUp(getProduct, key.Map{"productID": productID}, &product),
		lookUp(getWarehouse, key.Map{"warehouseID": warehouseID}, &warehouse),
	}, true)
	return product, warehouse, err
}

func (s *RentalStore) requireOpen() error {
	if s.Archived {
		return InvalidField("", "%s is archived. Restore it first.", nameOrID(s.Name, s.ID))
	}
	return nil
}

// withoutArchived removes archived products, warehouses and stores from search results that
// a form offers.
func (r *SearchResults) withoutArchived() *SearchResults {
	r.Products = slices.DeleteFunc(r.Products, func(p Product) bool { return p.Archived })
	r.Warehouses = slices.DeleteFunc(r.Warehouses, func(w Warehouse) bool { return w.Archived })
	r.Stores = slices.DeleteFunc(r.Stores, func(s RentalStore) bool { return s.Archived })
	return r
}
