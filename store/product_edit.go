package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ProductFields are the editable fields of a product.
var ProductFields = Fields[Product]{
	textField("name", "Name", func(p *Product) *string { return &p.Name }).required().column("Detail.Name"),
	longTextField("description", "Description", func(p *Product) *string { return &p.Description }).column("Detail.Description"),
	moneyField("price", "Price", func(p *Product) *Amount { return &p.Price }).required().column("Price"),
	idField("sku", "SKU", func(p *Product) *string { return &p.SKU }).column("SKU"),
	categoryField("category", "Category", func(p *Product) *string { return &p.Category }).column("Category"),
	wholeField("weight", "Weight", 0, maxQuantity, func(p *Product) *int { return &p.Weight }).hint("In grams.").column("Weight"),
}

func (p *Product) version() *int { return &p.Version }

func productEdit(ctx context.Context, a Access, id, token string) edit[Product] {
	return edit[Product]{
		fields:    ProductFields,
		added:     EventProductAdded,
		edited:    EventProductEdited,
		partition: productPartition(id),
		token:     token,
		unique:    func(p *Product) error { return a.requireUniqueSKU(ctx, p) },
		correct:   func(before, after *Product) (func(*change), error) { return a.useCategory(ctx, before, after) },
		also: func(c *change, before, after *Product) error {
			if before == nil || before.Name == after.Name {
				return nil
			}
			return a.renameStock(ctx, c, after)
		},
	}
}

// AddProduct adds a product and returns its ID. The ID comes from the form token.
// AddProduct returns Invalid if a field is invalid.
func (a Access) AddProduct(ctx context.Context, product Product, token string) (id string, err error) {
	if err := a.require(SetUp); err != nil {
		return "", err
	}
	if product.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return product.ID, createFromForm(ctx, a, &product, productEdit(ctx, a, product.ID, token))
}

// SaveProduct changes a product, and copies a new name to its stock items. Existing order
// lines keep their copies of name and price. SaveProduct returns NotFound, Invalid, or
// Conflict if the form showed another version.
//
// If there are too many stock items for one transaction, more transactions rename them. If
// one of these fails, the product is saved nevertheless. SaveProduct then returns an error
// of the kind Unfinished, and the flag Unfinished of the product stays set.
func (a Access) SaveProduct(ctx context.Context, product Product, token string) error {
	steps := false
	err := retryOnConflict(ctx, func() error {
		before, err := a.ProductForChange(ctx, product.ID)
		if err != nil {
			return err
		}
		steps = before.Unfinished
		e := productEdit(ctx, a, product.ID, token)
		rename := e.also
		e.also = func(c *change, before, after *Product) error {
			err := rename(c, before, after)
			steps = after.Unfinished
			return err
		}
		return saveFromForm(ctx, a, before, &product, e)
	})
	if err != nil || !steps {
		return err
	}
	return a.FinishRename(ctx, product.ID) // if this fails, the page of the product shows the button Finish rename
}

// ProductForChange makes a consistent read of a product. It returns NotFound if there is
// no such product.
func (a Access) ProductForChange(ctx context.Context, id string) (*Product, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*Product](ctx, a.store, getProduct, key.Map{"productID": id})
}

// renameStock copies a product's new name to its stock items. If the items do not fit into
// the transaction, it sets the flag Unfinished of the product instead.
func (a Access) renameStock(ctx context.Context, c *change, product *Product) error {
	stock, err := a.stockToRename(ctx, product)
	if err != nil {
		return err
	}
	product.Unfinished = c.Len()+len(stock)+1 > table.MaxActions // one action for the product
	if !product.Unfinished {
		c.renameStock(product, stock)
	}
	return nil
}

// stockToRename makes a consistent read of the stock items whose name differs from
// the name of the product.
func (a Access) stockToRename(ctx context.Context, product *Product) ([]WarehouseItem, error) {
	items, err := a.store.table.Partition(ctx, getProductInventory, key.Map{"productID": product.ID}, true)
	stock, err := decodeAll(items, err, decodeAs[WarehouseItem])
	return slices.DeleteFunc(stock, func(item WarehouseItem) bool { return item.Name == product.Name }), err
}

func (c *change) renameStock(product *Product, stock []WarehouseItem) {
	for i := range stock {
		stock[i].Name = product.Name
		c.replaceNext(&stock[i], &stock[i].Version)
	}
}

// FinishRename copies the name of a product to the stock items that still have an earlier
// name, if the product's flag Unfinished is set. It changes up to stepItems items per
// transaction. The last transaction also clears the flag. A transaction fails if the
// product has changed. If the product was renamed again, FinishRename starts again with the
// latest name. If it fails, it returns an error of the kind Unfinished, and the next call
// continues.
func (a Access) FinishRename(ctx context.Context, id string) error {
	if err := a.require(SetUp); err != nil {
		return err
	}
	err := a.finishRename(ctx, id)
	return unfinished(err, "Product saved, but not all stock has the new name yet. Choose Finish rename to complete the change.")
}

func (a Access) finishRename(ctx context.Context, id string) error {
	return retryOnConflict(ctx, func() error {
		product, err := a.ProductForChange(ctx, id)
		if err != nil || !product.Unfinished {
			return err
		}
		stock, err := a.stockToRename(ctx, product)
		if err != nil {
			return err
		}
		for last := false; !last; {
			c, err := a.change(ctx, "")
			if err != nil {
				return err
			}
			n := min(len(stock), stepItems)
			c.renameStock(product, stock[:n])
			stock = stock[n:]
			if last = len(stock) == 0; last {
				product.Unfinished = false
				c.replaceNext(product, &product.Version)
			} else {
				c.Check(product, product.Version)
			}
			if err := c.Commit(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// requireUniqueSKU returns Invalid if another product has the same SKU. It can miss a
// product that was added a moment ago, because the index is updated with a delay.
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
