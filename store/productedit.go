package store

import (
	"context"
	"strings"
	"unicode/utf8"

	"stockroom/store/key"
)

// maxDescription is how long the description of a product may be, in
// characters.
const maxDescription = 4000

// AddProduct adds a product, whose ID is the token of the form, and returns
// the ID.
func (a Access) AddProduct(ctx context.Context, product Product, once string) (id string, err error) {
	if err := a.may(Sell); err != nil {
		return "", err
	}
	if product.ID, err = a.ofForm(once); err != nil {
		return "", err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return "", err
	}
	if err := a.checkProduct(ctx, &product); err != nil {
		return product.ID, a.unlessDone(ctx, "p#"+product.ID, once, err)
	}
	product.Version = 1
	c.tell(Event{Partition: "p#" + product.ID, What: "product added"})
	c.create(&product)
	return product.ID, c.commit(ctx)
}

// SaveProduct changes a product from the version that the form showed. Stock
// lists carry its name along; lines of orders keep name and price as they were
// when they were ordered.
func (a Access) SaveProduct(ctx context.Context, product Product, once string) error {
	if err := a.may(Sell); err != nil {
		return err
	}
	if err := a.checkProduct(ctx, &product); err != nil {
		return err
	}
	about := "p#" + product.ID
	return again(ctx, func() error {
		was, err := a.ProductForChange(ctx, product.ID)
		if err != nil {
			return err
		}
		c, err := a.change(ctx, once)
		if err != nil {
			return err
		}
		if product.Version != was.Version {
			return c.behind(ctx, about)
		}
		told, edited := productEdits(was, &product).event(about, "product edited")
		if !edited {
			return nil
		}
		c.tell(told)
		now := product
		c.replaceNext(&now, &now.Version)
		if product.Name != was.Name {
			if err := a.renameStock(ctx, c, &product); err != nil {
				return err
			}
		}
		return c.commit(ctx)
	})
}

// ProductForChange reads a product as it is in the table just now, for a form
// that leads to a change.
func (a Access) ProductForChange(ctx context.Context, id string) (*Product, error) {
	if err := a.may(Sell); err != nil {
		return nil, err
	}
	return readConsistently[*Product](ctx, a.Store, getProduct, key.Map{"productID": id})
}

// renameStock carries a product's new name to the warehouses that it lies in.
func (a Access) renameStock(ctx context.Context, c *change, product *Product) error {
	items, err := a.wholePartition(ctx, getProductInventory, key.Map{"productID": product.ID}, true)
	stock, err := decodeAll(items, err, decoded[WarehouseItem])
	for i := range stock {
		stock[i].Name = product.Name
		c.replaceNext(&stock[i], &stock[i].Version)
	}
	return err
}

func productEdits(was, now *Product) *edits {
	var e edits
	e.field("name", was.Name, now.Name)
	e.field("price", was.Price.String(), now.Price.String())
	e.field("SKU", was.SKU, now.SKU)
	e.field("category", was.Category, now.Category)
	if was.Description != now.Description {
		e.field("description", firstWords(was.Description), firstWords(now.Description)+" (new)")
	}
	return &e
}

// firstWords is the beginning of a long text, for an event.
func firstWords(text string) string {
	const length = 60
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "…"
	}
	return text
}

// checkProduct looks at what was typed. That no other product has the SKU is
// asked of an index, which lags a moment behind: it spares people mistakes, it
// is no lock.
func (a Access) checkProduct(ctx context.Context, p *Product) error {
	for _, field := range []struct {
		name  string
		value *string
	}{{"name", &p.Name}, {"sku", &p.SKU}, {"category", &p.Category}} {
		if err := short(field.name, field.value); err != nil {
			return err
		}
	}
	p.Description = strings.TrimSpace(p.Description)
	switch {
	case p.Name == "":
		return InvalidField("name", "Write a name.")
	case p.Price.Sign() < 0:
		return InvalidField("price", "A price is not below zero.")
	case p.SKU != "" && key.CheckID(p.SKU) != nil:
		return InvalidField("sku", "An SKU may not hold #.")
	case utf8.RuneCountInString(p.Description) > maxDescription || !utf8.ValidString(p.Description):
		return InvalidField("description", "This is too long: %d characters are enough.", maxDescription)
	case p.SKU == "":
		return nil
	}
	found, err := a.ProductsBySKU(ctx, p.SKU)
	if err != nil {
		return err
	}
	for _, other := range found.Rows {
		if other.ID != p.ID {
			return InvalidField("sku", "The product %s has this SKU already.", other.ID)
		}
	}
	return nil
}
