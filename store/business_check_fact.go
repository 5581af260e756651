package store

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"stockroom/store/key"
)

// fact is what an item states about a subject (factGroup), such as "product 5 exists" or
// "this order line requires product 5". Facts about the same subject must not contradict
// each other. Facts are sorted by subject and kind, so the fact that a record exists comes
// before the facts that require this record.
type fact struct {
	group  factGroup
	kind   factKind
	pk, sk string // key of the item with this fact
	rule   CheckRule
	value  string // the value to compare or its hash (see digest), or numbers to add up (see addTotal and ledgerFact)
}

// factGroup is the subject of facts: an item with its key, or a value that several
// items can have, such as an email address.
type factGroup struct{ table, key1, key2 string }

// Values of factGroup.table, with the contents of key1 and key2.
const (
	factItems     = "item"     // primary key of an item
	factOrders    = "order"    // order ID
	factPeople    = "person"   // person ID
	factSame      = "same"     // two person IDs, of which the first is joined with the second
	factKayaks    = "kayak"    // kayak ID; only one store may contain it
	factEmails    = "email"    // hash of an email address; only one person may have the address
	factSKUs      = "sku"      // SKU; only one product may have it
	factInvoices  = "invoice"  // invoice ID; only one order may contain it
	factShipments = "shipment" // shipment ID; only one order may contain it
	factOut       = "out"      // kayak ID; only one active rental may have it
	factUsed      = "used"     // kayak ID and day, on which the kayak is either booked or rented out
	factSuspects  = "suspect"  // key of an item to read again, or only the partition key to read a whole partition
	factNumbers   = "number"   // series and number; only one document may have them, see numberState
	factLedgers   = "ledger"   // product ID and warehouse ID; see ledgerState
	factTotals    = "total"    // kind and day of a total, or a quota or stock level; see addTotal
)

// factStock is the value of factGroup.key1 for stock levels; key2 is the product ID.
const factStock = "stock"

// factKind is the kind of statement that a fact makes.
type factKind string

const (
	factExists  factKind = "1"
	factRefers  factKind = "2"
	factRow     factKind = "3" // a row that a total counts, or entries of a ledger
	factCounted factKind = "4" // a stored value: a total in one shard, the last number of a series, or a quantity in stock
)

func (c *businessChecker) addFact(f fact) error {
	return c.facts.Add(f.group.table, f.group.key1, f.group.key2, string(f.kind), f.pk, f.sk, string(f.rule), f.value)
}

func factOf(fields []string) fact {
	return fact{
		group: factGroup{fields[0], fields[1], fields[2]}, kind: factKind(fields[3]),
		pk: fields[4], sk: fields[5], rule: CheckRule(fields[6]), value: fields[7],
	}
}

// digest returns a short hash of strings, so that the file of facts contains no names or
// addresses. It returns "" if all strings are empty.
func digest(texts ...string) string {
	joined := strings.Join(texts, "\x00")
	if strings.Trim(joined, "\x00") == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(joined))
	return string(sum[:12])
}

func (c *businessChecker) addFacts(e Entity, pk, sk string) error {
	for _, s := range statementsOf(e, pk, sk, c.settings.Zone()) {
		if err := c.addFact(fact{group: s.group, kind: factExists, pk: pk, sk: sk, value: s.value}); err != nil {
			return err
		}
	}
	for _, r := range referencesOf(e) {
		if err := c.addFact(fact{group: r.to, kind: factRefers, pk: pk, sk: sk, rule: r.rule, value: r.want}); err != nil {
			return err
		}
	}
	if k, stock := stockKey(e); k.product != "" {
		if err := c.addTotal(factRow, k, countedSums{Stock: stock}, 0, pk, sk); err != nil {
			return err
		}
	}
	switch e := e.(type) {
	case *ShipmentItem:
		if e.EntryID != "" {
			entry := e.ledgerEntry()
			return c.addFact(ledgerFact(e.ProductID, e.WarehouseID, ledgerSum{entry.ID, entry.From, entry.Delta}))
		}
	case *NumberSeries:
		return c.addFact(fact{group: numberGroup(e.Series, e.Last), kind: factCounted, pk: pk, sk: sk})
	case *Subscription:
		for _, t := range e.tallies(c.settings.Zone()) {
			if err := c.addTally(t, "", pk, sk); err != nil {
				return err
			}
		}
	case *Receipt:
		return c.addTally(e.tally(), "", pk, sk)
	case *RentalPayment:
		if t, counts := e.tally(c.settings.Zone()); counts {
			return c.addTally(t, "", pk, sk)
		}
	case *Total:
		if e.Shard < c.settings.ShardsRead {
			return c.addTotal(factCounted, dayKey(e.Kind, e.Day), countedSums{Count: e.Count, Amount: e.Amount}, e.Version, pk, sk)
		}
	case *Quota:
		return c.addTotal(factCounted, totalKey{rep: e.EmployeeID, quarter: e.Period}, countedSums{Count: e.Orders, Amount: e.OrderTotal}, e.Version, pk, sk)
	case *QuotaSlot:
		return c.addTotal(factCounted, totalKey{rep: e.EmployeeID, quarter: e.Period}, countedSums{Count: e.Orders, Amount: e.OrderTotal}, e.Version, pk, sk)
	}
	if n, ok := stockCountOf(e); ok && n.Slot < stockSlots(c.settings.ShardsRead) {
		return c.addTotal(factCounted, totalKey{product: n.ProductID}, countedSums{Stock: n.level()}, n.Version, pk, sk)
	}
	return nil
}

// addTally adds facts about a row and the totals and quota that count the row.
func (c *businessChecker) addTally(t Tally, repID, pk, sk string) error {
	for _, k := range totalKeys(c.settings, t, repID) {
		if err := c.addTotal(factRow, k, countedSums{Count: t.Count, Amount: t.Amount.Sum()}, 0, pk, sk); err != nil {
			return err
		}
	}
	return nil
}

// addTotal adds a fact about a total, a quota or a stock level. t contains the numbers of
// the row, or the stored numbers.
func (c *businessChecker) addTotal(kind factKind, k totalKey, t countedSums, version int, pk, sk string) error {
	group := factGroup{factTotals, string(k.kind), k.day}
	switch {
	case k.product != "":
		group = factGroup{factTotals, factStock, k.product}
	case k.kind == "":
		group = factGroup{factTotals, "", k.quarter.String() + "#" + k.rep}
	}
	value := fmt.Sprintf("%d %s %d %d %d %d", t.Count, t.Amount, version, t.Stock.OnHand, t.Stock.Committed, t.Stock.Incoming)
	return c.addFact(fact{group: group, kind: kind, pk: pk, sk: sk, value: value})
}

// sumTotal adds the numbers of a fact to the sums of its total, quota or stock level.
func (c *businessChecker) sumTotal(f fact) error {
	k := totalKey{kind: TotalKind(f.group.key1), day: f.group.key2}
	var err error
	switch k.kind {
	case factStock:
		k = totalKey{product: f.group.key2}
	case "":
		quarter, rep, _ := strings.Cut(f.group.key2, "#")
		k = totalKey{rep: rep}
		k.quarter, err = ParseQuarter(quarter)
	default:
		k.calendar, err = time.Parse(key.Day, k.day)
	}
	if err != nil {
		return err
	}
	var t countedSums
	var amount string
	var version int
	var level StockLevel
	if _, err := fmt.Sscan(f.value, &t.Count, &amount, &version, &level.OnHand, &level.Committed, &level.Incoming); err != nil {
		return err
	}
	if t.Amount, err = ParseSum(amount); err != nil {
		return err
	}
	t.Stock = t.Stock.plus(level)
	if f.kind == factRow {
		c.totals.addTo(c.totals.rows, k, t)
		return nil
	}
	c.totals.addTo(c.totals.counted, k, t)
	c.totals.versions[k] += version
	return nil
}
