package store

import (
	"crypto/sha256"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
)

// fact is a statement of an item about a group. Facts about the same group must
// agree with each other. Facts are sorted by group and then by kind, so that the
// existence of a record comes before references to it.
type fact struct {
	group  factGroup
	kind   factKind
	pk, sk string // of the item
	rule   CheckRule
	value  string // the value that the rule compares; see digest
}

// factGroup is the subject of facts: an item by its key, or a value that items
// share, such as an email address.
type factGroup struct{ table, key1, key2 string }

// Tables of facts.
const (
	factItems     = "item"     // by key
	factOrders    = "order"    // by ID
	factPeople    = "person"   // by ID
	factKayaks    = "kayak"    // by ID; shared by stores
	factEmails    = "email"    // shared by people
	factSKUs      = "sku"      // shared by products
	factInvoices  = "invoice"  // by ID; shared by orders
	factShipments = "shipment" // by ID; shared by orders
	factOut       = "out"      // kayaks by ID; shared by open rentals
	factSuspects  = "suspect"  // items, or partitions if the sort key is empty
	factTotals    = "total"    // and quotas
)

// factKind is the kind of statement about a group.
type factKind string

const (
	factExists  factKind = "1"
	factRefers  factKind = "2"
	factRow     factKind = "3" // a row of a total
	factCounted factKind = "4" // a total, in one shard
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

// digest returns a short hash of texts, so that the file of facts holds no names
// and addresses. It returns "" if all are empty.
func digest(texts ...string) string {
	joined := strings.Join(texts, "\x00")
	if strings.Trim(joined, "\x00") == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(joined))
	return string(sum[:12])
}

// addFacts adds the facts of an entity.
func (c *businessChecker) addFacts(e Entity, pk, sk string) error {
	for _, s := range statementsOf(e, pk, sk) {
		if err := c.addFact(fact{group: s.group, kind: factExists, pk: pk, sk: sk, value: s.value}); err != nil {
			return err
		}
	}
	for _, r := range referencesOf(e) {
		if err := c.addFact(fact{group: r.to, kind: factRefers, pk: pk, sk: sk, rule: r.rule, value: r.want}); err != nil {
			return err
		}
	}
	switch e := e.(type) {
	case *Subscription:
		if t, counts := e.dueTally(c.settings.Zone()); counts {
			return c.addTally(t, "", pk, sk)
		}
	case *Receipt:
		return c.addTally(e.tally(), "", pk, sk)
	case *Total:
		if e.Shard < c.settings.ShardsRead {
			return c.addTotal(factCounted, dayKey(e.Kind, e.Day), DayTotal{Count: e.Count, Amount: e.Amount}, e.Version, pk, sk)
		}
	case *Quota:
		return c.addTotal(factCounted, totalKey{rep: e.EmployeeID, quarter: e.Period}, DayTotal{Count: e.Orders, Amount: e.OrderTotal}, e.Version, pk, sk)
	}
	return nil
}

// addTally adds the facts about the total and the quota that count a row.
func (c *businessChecker) addTally(t Tally, repID, pk, sk string) error {
	for _, k := range totalKeys(c.settings, t, repID) {
		if err := c.addTotal(factRow, k, DayTotal{Count: t.Count, Amount: t.Amount.Sum()}, 0, pk, sk); err != nil {
			return err
		}
	}
	return nil
}

func (c *businessChecker) addTotal(kind factKind, k totalKey, t DayTotal, version int, pk, sk string) error {
	group := factGroup{factTotals, string(k.kind), k.day}
	if k.kind == "" {
		group = factGroup{factTotals, "", k.quarter.String() + "#" + k.rep}
	}
	return c.addFact(fact{group: group, kind: kind, pk: pk, sk: sk, value: strconv.Itoa(t.Count) + " " + t.Amount.String() + " " + strconv.Itoa(version)})
}

// sumTotal adds a fact about a total to the sums.
func (c *businessChecker) sumTotal(f fact) error {
	k := totalKey{kind: TotalKind(f.group.key1), day: f.group.key2}
	var err error
	if k.kind != "" {
		k.calendar, err = time.Parse(key.Day, k.day)
	} else {
		k.day = ""
		quarter, rep, _ := strings.Cut(f.group.key2, "#")
		k.rep = rep
		k.quarter, err = ParseQuarter(quarter)
	}
	if err != nil {
		return err
	}
	parts := strings.Split(f.value, " ")
	count, err := strconv.Atoi(parts[0])
	if err != nil {
		return err
	}
	amount, err := ParseSum(parts[1])
	if err != nil {
		return err
	}
	version, err := strconv.Atoi(parts[2])
	if err != nil {
		return err
	}
	if f.kind == factRow {
		c.totals.addTo(c.totals.rows, k, count, amount)
		return nil
	}
	c.totals.addTo(c.totals.counted, k, count, amount)
	c.totals.versions[k] += version
	return nil
}
