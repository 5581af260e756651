package store

import (
	"fmt"
	"maps"
	"slices"

	"stockroom/store/table"
)

// productBooks collects a product with its stock and its stock ledger.
type productBooks struct {
	owned   partsWithoutOwner
	product *Product
	stock   map[string]*stockBooks // stock by warehouse ID

	transfers map[string]*transferBooks // transfers by ID
}

// transferBooks collects a transfer with its ledger entries.
type transferBooks struct {
	transfer *Transfer
	key      Item
	first    *partItem // the first ledger entry
	sum      int       // sum of the ledger entries at both warehouses
}

// stockBooks collects the stock of a product in one warehouse, with its ledger entries
// in the partition of the product.
type stockBooks struct {
	item    *WarehouseItem
	key     Item
	first   *partItem // the first ledger entry
	entries ledgerSum
}

func newProductBooks() *productBooks {
	return &productBooks{stock: map[string]*stockBooks{}, transfers: map[string]*transferBooks{}}
}

func (b *productBooks) ofTransfer(id string) *transferBooks {
	t := b.transfers[id]
	if t == nil {
		t = &transferBooks{}
		b.transfers[id] = t
	}
	return t
}

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
			s.first = &part
			b.owned.add(part)
		}
		s.entries.add(ledgerSum{e.ID, e.From, e.Delta})
		if e.TransferID != "" {
			t := b.ofTransfer(e.TransferID)
			if t.first == nil {
				part := newPart(CheckTransferLedger, e, item)
				t.first = &part
			}
			t.sum += e.Delta
		}
	case *Transfer:
		t := b.ofTransfer(e.ID)
		t.transfer, t.key = e, table.KeyOf(item)
		b.owned.add(newPart(CheckProductParts, e, item))
	case *ExpectedDelivery:
		b.owned.add(newPart(CheckProductParts, e, item))
	case *Event:
		b.owned.add(newPart(CheckEvent, e, item))
	}
}

// findings returns the violations in the partition of the product. Quantities are
// compared with the ledger later, because the entries of shipments are in other
// partitions; see ledgerState.
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
		if b.product != nil && !b.product.Unfinished && s.item.Name != b.product.Name {
			found = append(found, finding(CheckStockName, s.key, fmt.Sprintf("The %s has the name %s, but the product has %s.", labelOf(s.item), Quoted(s.item.Name), Quoted(b.product.Name))))
		}
	}
	return append(found, b.transferFindings()...)
}

// transferFindings compares the quantity in transit of each transfer with the ledger.
// A transfer without ledger entries was imported and is not compared.
func (b *productBooks) transferFindings() (found []CheckFinding) {
	for _, id := range slices.Sorted(maps.Keys(b.transfers)) {
		t := b.transfers[id]
		switch {
		case t.first == nil:
		case t.transfer == nil:
			found = append(found, finding(CheckTransferLedger, t.first.item, fmt.Sprintf("The %s belongs to transfer %s, which does not exist.", t.first.label, id)))
		case t.sum != -t.transfer.InTransit():
			found = append(found, finding(CheckTransferLedger, t.key, fmt.Sprintf("The %s has %d in transit, but %d according to the ledger.", labelOf(t.transfer), t.transfer.InTransit(), -t.sum)))
		}
	}
	return found
}
