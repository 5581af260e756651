package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Warehouse is a place that holds stock.
type Warehouse struct {
	ID      string
	Name    string
	Address Address

	Archived bool `json:",omitempty"`
	Version  int
}

func (*Warehouse) EntityType() string { return "warehouse" }

func (w *Warehouse) KeyValue(name string) string {
	switch name {
	case "id":
		return w.ID
	case "name":
		return nameKey(w.Name, w.ID)
	}
	return ""
}

func (w *Warehouse) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "w#", &w.ID)
	a.Text("Name", &w.Name)
	a.Nested("Address", w.Address.attributes)
	a.Flag("Archived", &w.Archived)
	a.Version(&w.Version)
}

// requireWarehouse returns NotFound if the user is a manager, but not of this warehouse. The
// error is the same for a warehouse that does not exist, so that managers do not learn which
// other warehouses exist. requireWarehouse can also return Forbidden.
func (a Access) requireWarehouse(warehouseID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if !a.user.InCharge(warehouseID) {
		return fail(NotFound, "Warehouse %s not found, or not one of yours.", warehouseID)
	}
	return nil
}

func (a Access) requireWarehouses(ids []string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	for _, id := range ids {
		if err := a.requireWarehouse(id); err != nil {
			return err
		}
	}
	return nil
}

// Warehouse returns a warehouse. It returns NotFound if the warehouse does not exist
// or the user may not see it.
func (a Access) Warehouse(ctx context.Context, id string) (*Warehouse, error) {
	if err := a.requireWarehouse(id); err != nil {
		return nil, err
	}
	return readOne[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": id})
}

// Warehouses lists warehouses, sorted by name: those not archived, only the archived ones,
// or all; see Archived. Managers get only their own warehouses, on one page, in the order of
// their scope.
func (a Access) Warehouses(ctx context.Context, which Archived, page Page) (List[Warehouse], error) {
	if err := a.require(Browse); err != nil {
		return List[Warehouse]{}, err
	}
	if a.user.Role != Manager {
		q := table.Query{Pattern: getWarehouses, Values: key.Map{}}
		if which == AlsoArchived {
			return list(ctx, a.store, q, page, decodeAs[Warehouse])
		}
		return listWhere(ctx, a.store, q, page, decodeAs[Warehouse], func(w *Warehouse) bool { return which.includes(w.Archived) })
	}
	values := make([]key.Map, len(a.user.Warehouses))
	for i, id := range a.user.Warehouses {
		values[i] = key.Map{"warehouseID": id}
	}
	items, err := a.store.table.GetExisting(ctx, getWarehouse, values, false)
	own, err := decodeAll(items, err, decodeAs[Warehouse])
	own = slices.DeleteFunc(own, func(w Warehouse) bool { return !which.includes(w.Archived) })
	return List[Warehouse]{Rows: own}, err
}
