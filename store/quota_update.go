package store

import (
	"context"

	"stockroom/store/key"
)

// updateQuota changes the sales of a quota with the function add, and creates the quota
// if it is missing. It must read the quota first, because an index key for the ranking
// contains the total.
func (c *change) updateQuota(ctx context.Context, k quotaKey, add func(*Quota)) error {
	items, err := c.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": k.rep}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return err
	}
	for i := range quotas {
		if q := &quotas[i]; q.Period == k.period {
			read := q.Version
			add(q)
			q.Version++
			c.Replace(q, read)
			return nil
		}
	}
	q := &Quota{EmployeeID: k.rep, Period: k.period, Version: 1}
	rep, err := readOne[*Employee](ctx, c.store, getEmployee, key.Map{"employeeID": k.rep})
	switch {
	case err == nil:
		q.Name = rep.Name
	case KindOf(err) != NotFound: // an imported order may have an unknown account rep
		return err
	}
	add(q)
	c.Create(q)
	return nil
}

func (q *Quota) add(orders int, total Sum) {
	q.Orders += orders
	q.OrderTotal = q.OrderTotal.Plus(total)
}

// NewQuotas returns the quotas for the orders among the entities. Load them together
// with the entities.
func NewQuotas(settings Settings, entities []Entity) []*Quota {
	names := map[string]string{}
	for _, entity := range entities {
		if e, ok := entity.(*Employee); ok {
			names[e.ID] = e.Name
		}
	}
	byRep := map[quotaKey]*Quota{}
	var quotas []*Quota
	for _, d := range ordersAmong(entities) {
		t := d.Tally()
		if d.AccountRepID == "" || t.Count == 0 && t.Amount.Sign() == 0 {
			continue
		}
		rp := quotaKey{d.AccountRepID, QuarterOf(t.At.In(settings.Zone()))}
		if byRep[rp] == nil {
			byRep[rp] = &Quota{EmployeeID: rp.rep, Period: rp.period, Name: names[rp.rep], Version: 1}
			quotas = append(quotas, byRep[rp])
		}
		byRep[rp].add(t.Count, t.Amount.Sum())
	}
	return quotas
}
