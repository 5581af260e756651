package store

import (
	"maps"
	"slices"
	"strconv"

	"stockroom/store/table"
)

// Slots of a stock level; see openSlots. With four slots, one batch read returns the stock
// of a page of 25 products. With more than 15, a page of 200 products could need more than
// 60 requests.
const (
	stockCountSlots = 4  // number of StockCounts
	maxStockSlots   = 15 // number of slots of a busy table; those after the first four are StockSlots
	stockSlotShards = 48 // number of shards of a busy table
)

// stockSlots returns the number of slots of a stock level in a table with this number of
// shards.
func stockSlots(shards int) int {
	if shards < stockSlotShards {
		return stockCountSlots
	}
	return maxStockSlots
}

// StockCount is one slot of the counts of a product's stock. The stock level of the
// product is the sum of its slots, including StockSlots; a single slot can be negative. A
// transaction that changes stock, or the open quantity of an order line, an expected
// delivery or a transfer, also adds to a slot.
type StockCount struct {
	ProductID string
	Slot      int
	OnHand    int // quantity in all warehouses
	Committed int // open quantities of order lines
	Incoming  int // open quantities of expected deliveries, and quantities in transit
	Version   int
}

func (*StockCount) EntityType() string { return "stockCount" }

func (n *StockCount) KeyValue(name string) string {
	switch name {
	case "productID":
		return n.ProductID
	case "slot":
		return strconv.Itoa(n.Slot)
	}
	return ""
}

func (n *StockCount) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &n.ProductID)
	a.Count("OnHand", &n.OnHand)
	a.Count("Committed", &n.Committed)
	a.Count("Incoming", &n.Incoming)
	a.Version(&n.Version)
	if !a.Decoding() {
		return
	}
	var err error
	if n.Slot, err = strconv.Atoi(a.AfterPrefix(table.AttrSK, "counts#")); err != nil {
		a.Damaged(table.AttrSK, "the key of a count")
	}
}

// level returns the part of the stock level that the slot contains.
func (n *StockCount) level() StockLevel {
	return StockLevel{}.plus(StockLevel{OnHand: n.OnHand, Committed: n.Committed, Incoming: n.Incoming})
}

// stockSums adds up the changes of stock levels by product, because a transaction can
// write each item only once.
type stockSums map[string]StockLevel

// countStock adds to the stock level of a product when the change is committed. It
// needs no condition, because the addition does not depend on the current level.
func (c *change) countStock(productID string, added StockLevel) {
	if c.stock == nil {
		c.stock = stockSums{}
	}
	if sum := c.stock[productID].plus(added); sum == (StockLevel{}) {
		delete(c.stock, productID)
	} else {
		c.stock[productID] = sum
	}
}

func (c *change) stockCounters() (counters []counter) {
	for id := range c.stock {
		counters = append(counters, c.stockCounter(id))
	}
	return counters
}

// stockCounter returns the slots to which the change can add. In a busy table, these are
// only the StockSlots, so that the product's own partition has less load.
func (c *change) stockCounter(productID string) counter {
	if all := stockSlots(c.totals.shards); all > stockCountSlots {
		return counter{productPartition(productID), all - stockCountSlots, stockCountSlots}
	}
	return counter{productPartition(productID), stockCountSlots, 0}
}

// updateStockCounts adds the sums to the transaction, one action per product. number
// determines the slots; see openSlots.
func (c *change) updateStockCounts(number int) {
	for _, id := range slices.Sorted(maps.Keys(c.stock)) {
		sum := c.stock[id]
		n := (&StockCount{ProductID: id, Slot: c.stockCounter(id).slot(number).slot}).entity()
		c.Add(n, table.Addition{
			Set:    Item{table.AttrType: table.StringValue(n.EntityType())},
			Counts: map[string]int{"OnHand": sum.OnHand, "Committed": sum.Committed, "Incoming": sum.Incoming},
		})
	}
	c.stock = nil
}

// countCommitted adds the changes of the open quantities of order lines to the stock
// levels.
func (c *change) countCommitted(before, after []OrderItem) {
	for i := range after {
		c.countStock(after[i].ProductID, StockLevel{Committed: after[i].Open()})
	}
	for i := range before {
		c.countStock(before[i].ProductID, StockLevel{Committed: -before[i].Open()})
	}
}

// NewStockCounts returns the counts of the stock, order lines, deliveries and
// transfers among the entities. Load these counts together with the entities.
func NewStockCounts(entities []Entity) []*StockCount {
	byProduct := map[string]*StockCount{}
	for _, entity := range entities {
		id, level := stockOf(entity)
		if level == (StockLevel{}) {
			continue
		}
		n := byProduct[id]
		if n == nil {
			n = &StockCount{ProductID: id, Version: 1}
			byProduct[id] = n
		}
		n.OnHand, n.Committed, n.Incoming = n.OnHand+level.OnHand, n.Committed+level.Committed, n.Incoming+level.Incoming
	}
	var counts []*StockCount
	for _, id := range slices.Sorted(maps.Keys(byProduct)) {
		counts = append(counts, byProduct[id])
	}
	return counts
}

// stockOf returns what an entity adds to the stock level of a product.
func stockOf(e Entity) (productID string, level StockLevel) {
	switch e := e.(type) {
	case *WarehouseItem:
		productID, level.OnHand = e.ProductID, e.Quantity
	case *OrderItem:
		productID, level.Committed = e.ProductID, e.Open()
	case *ExpectedDelivery:
		productID, level.Incoming = e.ProductID, e.Open()
	case *Transfer:
		productID, level.Incoming = e.ProductID, e.InTransit()
	}
	return productID, StockLevel{}.plus(level)
}
