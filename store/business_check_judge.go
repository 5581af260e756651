package store

import (
	"context"

	"stockroom/store/table"
)

// suspect is a possible violation. It is reported only if the items still violate the
// rule when they are read again.
type suspect struct {
	group factGroup
	rule  CheckRule // rule of a reference, a ledger or a document number; "" for other suspects
	item  Item      // key of the item that may violate the rule
	other Item      // key of another item, which contradicts the first
}

// suspectsPerRead is the number of suspects whose items are read again together.
const suspectsPerRead = 100

// sharedRules contains, by factGroup.table, the rules about values that only one
// record may have.
var sharedRules = map[string]CheckRule{
	factKayaks: CheckKayakOnce, factEmails: CheckEmailOnce, factSKUs: CheckProductSKU, factInvoices: CheckInvoiceOnce, factShipments: CheckShipmentOnce,
	factOut: CheckRentalActive, factNumbers: CheckNumberOnce, factPeople: CheckPersonEmail,
	factUsed: CheckBookingRental,
}

// groupState is the state of the check of the facts about one subject.
type groupState struct {
	group  factGroup
	exists *fact // the first fact that the record exists; for a person, the first one with an email address, if any
}

// judge goes through the sorted facts. It adds up the numbers for compareTotals, and
// collects suspects: references to missing records, and facts that contradict each other.
func (c *businessChecker) judge(ctx context.Context) error {
	err := c.facts.Sorted(func(fields []string) error {
		f := factOf(fields)
		if f.group.table == factTotals {
			return c.sumTotal(f)
		}
		if f.group.table == factLedgers {
			s, wrong, err := c.ledger.judge(f)
			switch {
			case err != nil:
				return err
			case wrong:
				return c.suspect(ctx, s)
			}
			return ctx.Err()
		}
		if f.group.table == factNumbers {
			if s, wrong := c.numbers.judge(f); wrong {
				if err := c.suspect(ctx, s); err != nil {
					return err
				}
			}
		}
		if s, wrong := c.current.judge(f); wrong {
			return c.suspect(ctx, s)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return c.readSuspects(ctx)
}

// judge checks one fact. wrong means that the fact may violate a rule.
func (g *groupState) judge(f fact) (s suspect, wrong bool) {
	if f.group != g.group {
		*g = groupState{group: f.group}
	}
	s = suspect{group: f.group, rule: f.rule, item: table.Key(f.pk, f.sk)}
	switch {
	case f.group.table == factSuspects:
		return s, true
	case f.kind == factRefers:
		return s, g.exists == nil || f.value != "" && f.value != g.exists.value
	case g.exists == nil || g.exists.value == "" && f.group.table == factPeople:
		g.exists = &f
		return s, false
	case sharedRules[f.group.table] != "" && f.value != g.exists.value && f.value != "":
		s.other = table.Key(g.exists.pk, g.exists.sk)
		return s, true
	}
	return s, false
}
