package store

import (
	"context"
	"strings"

	"stockroom/store/key"
)

// SaveWarehouse changes a warehouse's name and address from the version that
// the form showed.
func (a Access) SaveWarehouse(ctx context.Context, w Warehouse, once string) error {
	was, err := a.WarehouseForChange(ctx, w.ID)
	if err != nil {
		return err
	}
	about := partitionOf(getWarehouse, "warehouseID", w.ID)
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	if w.Version != was.Version {
		return c.behind(ctx, about)
	}
	if err := shortLines(append(w.Address.lines(), line{"name", &w.Name})); err != nil {
		return err
	}
	if w.Name == "" {
		return InvalidField("name", "Write a name.")
	}
	var e edits
	e.field("name", was.Name, w.Name)
	e.field("address", strings.Join(was.Address.Lines(), " / "), strings.Join(w.Address.Lines(), " / "))
	told, edited := e.event(about, "warehouse edited")
	if !edited {
		return nil
	}
	c.tell(told)
	c.replaceNext(&w, &w.Version)
	return c.commit(ctx)
}

// WarehouseForChange reads a warehouse as it is in the table just now, for a
// form that leads to a change.
func (a Access) WarehouseForChange(ctx context.Context, id string) (*Warehouse, error) {
	if err := a.may(Administer); err != nil {
		return nil, err
	}
	return readConsistently[*Warehouse](ctx, a.Store, getWarehouse, key.Map{"warehouseID": id})
}
