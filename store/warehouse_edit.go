package store

import (
	"context"
	"slices"

	"stockroom/store/key"
)

// WarehouseFields are the editable fields of a warehouse.
var WarehouseFields = Fields[Warehouse](slices.Concat(
	Fields[Warehouse]{
		textField("name", "Name", func(w *Warehouse) *string { return &w.Name }).required().column("Name"),
	},
	AddressFields(func(w *Warehouse) *Address { return &w.Address }),
))

func (w *Warehouse) version() *int { return &w.Version }

// AddWarehouse adds a warehouse and returns its ID, which comes from the form token.
// It returns Invalid if a field is invalid.
func (a Access) AddWarehouse(ctx context.Context, w Warehouse, token string) (id string, err error) {
	if err := a.require(SetUp); err != nil {
		return "", err
	}
	if w.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return w.ID, createFromForm(ctx, a, &w, warehouseEdit(w.ID, token))
}

// SaveWarehouse changes a warehouse. It returns NotFound, Invalid, or Conflict if
// the form showed another version.
func (a Access) SaveWarehouse(ctx context.Context, w Warehouse, token string) error {
	before, err := a.WarehouseForChange(ctx, w.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &w, warehouseEdit(w.ID, token))
}

func warehouseEdit(id, token string) edit[Warehouse] {
	return edit[Warehouse]{
		fields:    WarehouseFields,
		added:     EventWarehouseAdded,
		edited:    EventWarehouseEdited,
		partition: partitionOf(getWarehouse, "warehouseID", id),
		token:     token,
	}
}

// WarehouseForChange makes a consistent read of a warehouse. It returns NotFound if there
// is no such warehouse.
func (a Access) WarehouseForChange(ctx context.Context, id string) (*Warehouse, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": id})
}
