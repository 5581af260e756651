package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// The quantity of a product in a warehouse must be the quantity before the first ledger
// entry plus the changes of all entries. Imported stock has no entry for its initial
// quantity. Stock without entries is not compared. The ledger entries of shipments are in
// the partitions of orders. Facts therefore collect the entries of all partitions.

// ledgerSum is the sum of some entries of a stock ledger. The zero ledgerSum has no
// entries.
type ledgerSum struct {
	first string // ID of the first entry
	from  int    // the quantity before the first entry
	sum   int    // sum of the changes
}

func (l *ledgerSum) add(other ledgerSum) {
	if l.first == "" || other.first != "" && other.first < l.first {
		l.first, l.from = other.first, other.from
	}
	l.sum += other.sum
}

// ledgerFact returns a fact about the sum of ledger entries. In the value of the fact, the
// ID of the first entry comes last, because the IDs of imported entries can contain spaces.
func ledgerFact(productID, warehouseID string, l ledgerSum) fact {
	return fact{group: factGroup{factLedgers, productID, warehouseID}, kind: factRow, value: fmt.Sprintf("%d %d %s", l.from, l.sum, l.first)}
}

// ledgerSumOf parses the value of a ledgerFact.
func ledgerSumOf(value string) (l ledgerSum, err error) {
	from, rest, _ := strings.Cut(value, " ")
	sum, first, _ := strings.Cut(rest, " ")
	if l.from, err = strconv.Atoi(from); err != nil {
		return l, err
	}
	l.sum, err = strconv.Atoi(sum)
	l.first = first
	return l, err
}

// addLedgers adds facts about the quantities of a product, and about the ledger entries in
// the product's partition.
func (c *businessChecker) addLedgers(b *productBooks, pk string) error {
	productID := strings.TrimPrefix(pk, "p#")
	for warehouseID, s := range b.stock {
		if s.first != nil {
			if err := c.addFact(ledgerFact(productID, warehouseID, s.entries)); err != nil {
				return err
			}
		}
		if s.item == nil {
			continue
		}
		counted := fact{
			group: factGroup{factLedgers, productID, warehouseID}, kind: factCounted,
			pk: pk, sk: table.TextOf(s.key, table.AttrSK), value: fmt.Sprint(s.item.Quantity),
		}
		if err := c.addFact(counted); err != nil {
			return err
		}
	}
	return nil
}

// ledgerState is the sum of the entries of one ledger. The method judge calculates it from
// the facts about the ledger.
type ledgerState struct {
	group factGroup
	ledgerSum
}

// judge adds the sum in a fact to the sum of the ledger. The last fact of a ledger contains
// the quantity in stock, and judge compares it with the sum. wrong means that they differ.
func (l *ledgerState) judge(f fact) (s suspect, wrong bool, err error) {
	if f.group != l.group {
		*l = ledgerState{group: f.group}
	}
	if f.kind == factRow {
		added, err := ledgerSumOf(f.value)
		l.add(added)
		return s, false, err
	}
	wrong = l.first != "" && f.value != fmt.Sprint(l.from+l.sum)
	return suspect{group: f.group, rule: CheckStockQuantity, item: table.Key(f.pk, f.sk)}, wrong, nil
}

// ledgerAgain reads a quantity and its ledger again and compares them.
func (c *businessChecker) ledgerAgain(ctx context.Context, s suspect) ([]CheckFinding, error) {
	_, entity, err := c.readItem(ctx, s.item)
	item, ok := entity.(*WarehouseItem)
	if err != nil || !ok {
		return nil, err
	}
	sum, err := c.readLedger(ctx, item)
	if KindOf(err) == Damaged { // itemAgain reports the entry
		return nil, nil
	}
	if err != nil || sum.first == "" || sum.from+sum.sum == item.Quantity {
		return nil, err
	}
	text := fmt.Sprintf("The %s is %d, but its ledger adds up to %d.", labelOf(item), item.Quantity, sum.from+sum.sum)
	return []CheckFinding{finding(CheckStockQuantity, s.item, text)}, nil
}

// readLedger adds up all entries of a product in a warehouse. It first reads the newest
// page of every pattern, because entries are added only there. Reading the older pages can
// take minutes.
func (c *businessChecker) readLedger(ctx context.Context, item *WarehouseItem) (all ledgerSum, err error) {
	var open []table.Request
	for _, p := range productLedger {
		values := key.Map{"productID": item.ProductID, "warehouseID": item.WarehouseID}
		open = append(open, table.Request{Pattern: p, Values: values, Limit: checkPageSize, Consistent: p.Index == table.TableIndex})
	}
	for len(open) > 0 {
		var rest []table.Request
		read := 0
		for _, request := range open {
			rows, next, err := c.store.table.QueryOnce(ctx, request)
			moves, err := decodeAll(rows, err, decodeEntry)
			if err != nil {
				return all, err
			}
			for i := range moves {
				all.add(ledgerSum{moves[i].ID, moves[i].From, moves[i].Delta})
			}
			if request.From = next; next != nil {
				rest = append(rest, request)
			}
			read += len(rows)
		}
		if err := c.limit.Wait(ctx, float64(read)/2); err != nil {
			return all, err
		}
		open = rest
	}
	return all, nil
}

// stockReference returns the reference of a ledger entry to its stock, or none if the item
// is not a ledger entry. It also returns none for an entry without a warehouse, which
// itemFindings reports.
func (i *ShipmentItem) stockReference() []reference {
	if i.EntryID == "" || i.WarehouseID == "" {
		return nil
	}
	stock := &WarehouseItem{ProductID: i.ProductID, WarehouseID: i.WarehouseID}
	return []reference{{rule: CheckProductParts, to: entityGroup(stock), label: labelOf(stock)}}
}
