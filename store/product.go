package store

import (
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Product is an article for sale.
type Product struct {
	ID          string
	Name        string
	Description string `json:",omitempty"`
	Price       Amount
	SKU         string `json:",omitempty"`
	Category    string `json:",omitempty"`
	Weight      int    `json:",omitzero"` // weight in grams; 0 if unknown
	Archived    bool   `json:",omitempty"`
	Unfinished  bool   `json:",omitempty"` // some stock items still have the earlier name; see FinishRename
	Version     int
}

func (*Product) EntityType() string { return "product" }

func (p *Product) KeyValue(name string) string {
	switch name {
	case "id":
		return p.ID
	case "sku":
		return p.SKU
	case "category":
		if p.Archived {
			return "" // archived products are not in the list of their category
		}
		return key.Fold(p.Category)
	case "bucket":
		if p.Archived {
			return archivedBucket
		}
		return key.Bucket(nameKey(p.Name, p.ID))
	case "name":
		return nameKey(p.Name, p.ID)
	}
	return ""
}

// archivedBucket is the bucket of all archived products. Other products have a bucket for
// each first letter.
const archivedBucket = "archived"

func (p *Product) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &p.ID)
	a.Nested("Detail", func(a *table.Attributes) {
		a.Text("Name", &p.Name)
		a.Text("Description", &p.Description)
	})
	amountAttribute(a, "Price", &p.Price)
	a.Text("SKU", &p.SKU)
	a.Text("Category", &p.Category)
	a.OptionalNumber("Weight", &p.Weight)
	a.Flag("Archived", &p.Archived)
	a.Flag("Unfinished", &p.Unfinished)
	a.Version(&p.Version)
}

// ProductFilter selects products by the first letter of their name (Bucket) or by the
// start of words in their name (Name), by category, and by whether they are archived. The
// zero filter selects all products that are not archived.
type ProductFilter struct {
	Bucket, Name, Category string
	Archived               bool
}

func (f ProductFilter) selects(p *Product) bool {
	return (f.Bucket == "" || f.Bucket == key.Bucket(nameKey(p.Name, p.ID))) && (f.Category == "" || key.Fold(f.Category) == key.Fold(p.Category)) &&
		key.HasWords(key.JoinWords(key.Words(p.Name)), key.Words(f.Name))
}

// Product returns a product by ID, or NotFound.
func (a Access) Product(ctx context.Context, id string) (*Product, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return readOne[*Product](ctx, a.store, getProduct, key.Map{"productID": id})
}

// Products lists the products that a filter selects, by name. If the filter has a Category,
// Bucket must be a letter or "".
func (a Access) Products(ctx context.Context, f ProductFilter, page Page) (List[Product], error) {
	if err := a.require(Browse); err != nil {
		return List[Product]{}, err
	}
	words := key.Words(f.Name)
	switch {
	case f.Archived:
		return listWhere(ctx, a.store, byName(getProducts, archivedBucket, ""), page, decodeAs[Product], f.selects)
	case f.Category != "":
		q := table.Query{Pattern: getProductsInGroup, Values: key.Map{"category": key.Fold(f.Category), "name": f.Bucket}}
		return listWithWords(ctx, a.store, q, page, words, decodeAs[Product], func(p *Product) string { return p.Name })
	case len(words) == 0:
		return list(ctx, a.store, byName(getProducts, f.Bucket, f.Name), page, decodeAs[Product])
	}
	return listNamed[*Product](ctx, a.store, wordsOfProducts, f.Name, page, func(w *SearchWord) bool {
		return f.Bucket == "" || key.Bucket(w.Name) == f.Bucket
	})
}

// ProductsBySKU returns the products with the given SKU, at most DefaultLimit. There can be
// several, because imported products can have the same SKU as others.
func (a Access) ProductsBySKU(ctx context.Context, sku string) (List[Product], error) {
	if err := a.require(Browse); err != nil {
		return List[Product]{}, err
	}
	q := table.Query{Pattern: getProductBySKU, Values: key.Map{"sku": strings.TrimSpace(sku)}}
	return list(ctx, a.store, q, Page{}, decodeAs[Product])
}

// ItemsOnOrder lists the order lines of a product with items that still have to ship,
// oldest first.
func (a Access) ItemsOnOrder(ctx context.Context, productID string, page Page) (List[OrderItem], error) {
	if err := a.require(Browse); err != nil {
		return List[OrderItem]{}, err
	}
	q := table.Query{Pattern: getItemsOnOrder, Values: key.Map{"productID": productID}}
	return list(ctx, a.store, q, page, decodeAs[OrderItem])
}

// OrdersOfProduct lists the order lines of a product in a range of dates,
// newest first.
func (a Access) OrdersOfProduct(ctx context.Context, productID string, r DateRange, page Page) (List[OrderItem], error) {
	if err := a.require(Browse); err != nil {
		return List[OrderItem]{}, err
	}
	q, err := a.store.inRange(ctx, getProductOrders, r, key.Map{"productID": productID})
	if err != nil {
		return List[OrderItem]{}, err
	}
	q.Reverse = true
	return list(ctx, a.store, q, page, decodeAs[OrderItem])
}
