package store

// Warehouse is a place where stock lies.
type Warehouse struct {
	ID      string
	Name    string
	Address Address
	Version int
}

// EntityType implements Entity.
func (*Warehouse) EntityType() string { return "warehouse" }

// KeyValue implements Entity.
func (w *Warehouse) KeyValue(name string) string {
	switch name {
	case "id":
		return w.ID
	case "name":
		return nameKey(w.Name, w.ID)
	}
	return ""
}

func (w *Warehouse) write(a *attributes) {
	a.text("Name", w.Name)
	a.nested("Address", w.Address.write)
	a.number(attrVersion, w.Version)
}

func decodeWarehouse(item Item) (Entity, error) {
	f := fields{item: item}
	w := &Warehouse{
		ID:      f.after(attrPK, "w#"),
		Name:    f.text("Name"),
		Address: f.address("Address"),
		Version: f.number(attrVersion),
	}
	return w, f.err
}

// WarehouseItem is how much of a product lies in a warehouse.
type WarehouseItem struct {
	ProductID    string
	WarehouseID  string
	Name         string `json:",omitempty"` // the product's, copied for lists
	Quantity     int
	ReorderPoint int    // at or below it the stock is low
	Bin          string `json:",omitempty"` // the shelf
	Version      int
}

// EntityType implements Entity.
func (*WarehouseItem) EntityType() string { return "warehouseItem" }

// Low says whether it is time to order more.
func (w *WarehouseItem) Low() bool { return w.Quantity <= w.ReorderPoint }

// KeyValue implements Entity.
func (w *WarehouseItem) KeyValue(name string) string {
	switch name {
	case "productID":
		return w.ProductID
	case "warehouseID":
		return w.WarehouseID
	case "lowQuantity":
		// Only what is low stands in the low-stock index, the least first.
		if w.Low() {
			return padded(w.Quantity)
		}
	}
	return ""
}

func (w *WarehouseItem) write(a *attributes) {
	a.text("Name", w.Name)
	a.number("Quantity", w.Quantity)
	a.number("ReorderPoint", w.ReorderPoint)
	a.text("Bin", w.Bin)
	a.number(attrVersion, w.Version)
}

func decodeWarehouseItem(item Item) (Entity, error) {
	f := fields{item: item}
	w := &WarehouseItem{
		ProductID:    f.after(attrPK, "p#"),
		WarehouseID:  f.after(attrSK, "w#"),
		Name:         f.text("Name"),
		Quantity:     f.number("Quantity"),
		ReorderPoint: f.number("ReorderPoint"),
		Bin:          f.text("Bin"),
		Version:      f.number(attrVersion),
	}
	return w, f.err
}
