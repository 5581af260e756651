package store

import "stockroom/store/key"

// Product is a thing that is sold.
type Product struct {
	ID          string
	Name        string
	Description string `json:",omitempty"`
	Price       Amount
	SKU         string `json:",omitempty"`
	Category    string `json:",omitempty"`
	Version     int
}

// EntityType implements Entity.
func (*Product) EntityType() string { return "product" }

// KeyValue implements Entity.
func (p *Product) KeyValue(name string) string {
	switch name {
	case "id":
		return p.ID
	case "sku":
		return p.SKU
	case "category":
		return key.Fold(p.Category)
	case "bucket":
		return key.Bucket(nameKey(p.Name, p.ID))
	case "name":
		return nameKey(p.Name, p.ID)
	}
	return ""
}

func (p *Product) write(a *attributes) {
	a.nested("Detail", func(detail *attributes) {
		detail.text("Name", p.Name)
		detail.text("Description", p.Description)
	})
	a.amount("Price", p.Price)
	a.text("SKU", p.SKU)
	a.text("Category", p.Category)
	a.number(attrVersion, p.Version)
}

func decodeProduct(item Item) (Entity, error) {
	f := fields{item: item}
	detail := f.nested("Detail")
	p := &Product{
		ID:          f.after(attrPK, "p#"),
		Name:        detail.text("Name"),
		Description: detail.text("Description"),
		Price:       f.amount("Price"),
		SKU:         f.text("SKU"),
		Category:    f.text("Category"),
		Version:     f.number(attrVersion),
	}
	return p, f.err
}
