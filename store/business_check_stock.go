package store

import (
	"fmt"
	"maps"
	"slices"

	"stockroom/store/table"
)

// productBooks are the books of a product, with its stock and its ledger.
type productBooks struct {
	owned   partsWithoutOwner
	product *Product
	stock   map[string]*stockBooks // by warehouse ID
}

// stockBooks are the books of a product in one warehouse.
type stockBooks struct {
	item  *WarehouseItem
	key   Item
	first *partItem // the first ledger entry
	from  int       // the quantity before the first entry
	sum   int       // sum of the ledger entries
}

func newProductBooks() *productBooks { return &productBooks{stock: map[string]*stockBooks{}} }

func (b *productBooks) at(warehouseID string) *stockBooks {
	s := b.stock[warehouseID]
	if s == nil {
		s = &stockBooks{}
		b.stock[warehouseID] = s
	}
	return s
}

func (b *productBooks) add(e Entity, item Item) {
	switch e := e.(type) {
	case *Product:
		b.product, b.owned.found = e, true
	case *WarehouseItem:
		s := b.at(e.WarehouseID)
		s.item, s.key = e, table.KeyOf(item)
		b.owned.add(newPart(CheckProductParts, e, item))
	case *StockMove:
		s := b.at(e.WarehouseID)
		if s.first == nil {
			part := newPart(CheckProductParts, e, item)
			s.first, s.from = &part, e.From
			b.owned.add(part)
		}
		s.sum += e.Delta
	case *ExpectedDelivery:
		b.owned.add(newPart(CheckProductParts, e, item))
	case *Event:
		b.owned.add(newPart(CheckEvent, e, item))
	}
}

// findings compares each quantity with the ledger. Imported stock has no ledger
// entry for its initial quantity, so the sum starts with the quantity before the
// first entry. Stock without a ledger is not compared.
func (b *productBooks) findings() []CheckFinding {
	found := b.owned.findings("product")
	for _, warehouse := range slices.Sorted(maps.Keys(b.stock)) {
		s := b.stock[warehouse]
		if s.item == nil {
			if b.product != nil {
				found = append(found, finding(CheckProductParts, s.first.item, fmt.Sprintf("The %s belongs to stock that does not exist.", s.first.label)))
			}
			continue
		}
		if s.first != nil && s.from+s.sum != s.item.Quantity {
			found = append(found, finding(CheckStockQuantity, s.key, fmt.Sprintf("The %s is %d, but its ledger adds up to %d.", labelOf(s.item), s.item.Quantity, s.from+s.sum)))
		}
		if b.product != nil && !b.product.Unfinished && s.item.Name != b.product.Name {
			found = append(found, finding(CheckStockName, s.key, fmt.Sprintf("The %s has the name %q, but the product has %q.", labelOf(s.item), s.item.Name, b.product.Name)))
		}
	}
	return found
}
