package store

import (
	"context"

	"stockroom/store/key"
)

// ProductFields are what can be edited of a product.
var ProductFields = Fields[Product]{
	textField("name", "Name", func(p *Product) *string { return &p.Name }).required().column("Detail.Name"),
	longTextField("description", "Description", func(p *Product) *string { return &p.Description }).column("Detail.Description"),
	moneyField("price", "Price", func(p *Product) *Amount { return &p.Price }).required().column("Price"),
	idField("sku", "SKU", func(p *Product) *string { return &p.SKU }).column("SKU"),
	textField("category", "Category", func(p *Product) *string { return &p.Category }).column("Category"),
	wholeField("weight", "Weight", 0, maxQuantity, func(p *Product) *int { return &p.Weight }).hint("In grams.").column("Weight"),
}

func (p *Product) version() *int { return &p.Version }

func (a Access) productEdit(ctx context.Context, id, once string) edit[Product] {
	return edit[Product]{
		fields:    ProductFields,
		added:     EventProductAdded,
		edited:    EventProductEdited,
		partition: productPartition(id),
		once:      once,
		validate:  func(p *Product) error { return a.requireUniqueSKU(ctx, p) },
		also: func(c *change, before, after *Product) error {
			if before.Name == after.Name {
				return nil
			}
			return a.renameStock(ctx, c, after)
		},
	}
}

// AddProduct adds a product and returns its ID, which is the token of the
// form. It returns Invalid if a field breaks a rule.
func (a Access) AddProduct(ctx context.Context, product Product, once string) (id string, err error) {
	if err := a.require(Sell); err != nil {
		return "", err
	}
	if product.ID, err = a.store.newID(once); err != nil {
		return "", err
	}
	return product.ID, createFromForm(ctx, a, &product, a.productEdit(ctx, product.ID, once))
}

// SaveProduct changes a product. The names in stock lists follow; order lines
// keep the name and price of the order. It returns NotFound, Invalid, or
// Conflict if the product's Version is no longer current.
func (a Access) SaveProduct(ctx context.Context, product Product, once string) error {
	return retryOnConflict(ctx, func() error {
		before, err := a.ProductForChange(ctx, product.ID)
		if err != nil {
			return err
		}
		return saveFromForm(ctx, a, before, &product, a.productEdit(ctx, product.ID, once))
	})
}

// ProductForChange returns a product for its edit form, read consistently.
func (a Access) ProductForChange(ctx context.Context, id string) (*Product, error) {
	if err := a.require(Sell); err != nil {
		return nil, err
	}
	return readConsistently[*Product](ctx, a.store, getProduct, key.Map{"productID": id})
}

// renameStock copies a product's new name to its stock in every warehouse.
func (a Access) renameStock(ctx context.Context, c *change, product *Product) error {
	items, err := a.store.table.Partition(ctx, getProductInventory, key.Map{"productID": product.ID}, true)
	stock, err := decodeAll(items, err, decodeAs[WarehouseItem])
	for i := range stock {
		stock[i].Name = product.Name
		c.replaceNext(&stock[i], &stock[i].Version)
	}
	return err
}

// requireUniqueSKU returns Invalid if another product has the SKU. The index
// it reads is eventually consistent: this is a convenience, not a guarantee.
func (a Access) requireUniqueSKU(ctx context.Context, p *Product) error {
	if p.SKU == "" {
		return nil
	}
	found, err := a.ProductsBySKU(ctx, p.SKU)
	if err != nil {
		return err
	}
	for _, other := range found.Rows {
		if other.ID != p.ID {
			return InvalidField("sku", "Product %s already has this SKU.", other.ID)
		}
	}
	return nil
}
