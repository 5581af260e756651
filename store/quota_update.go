package store

import (
	"context"

	"stockroom/store/key"
)

// updateQuota changes the sales of a quota with the function add, and creates the quota
// if it is missing. It must read the quota first, because an index key for the ranking
// contains the total.
func (c *change) updateQuota(ctx context.Context, k quotaKey, add func(*Quota)) error {
	q, err := c.store.readQuota(ctx, k)
	if err != nil {
		return err
	}
	read := q.Version
	add(&q)
	c.saveQuota(&q, read)
	return nil
}

// saveQuota stores a quota, on the condition that the stored quota still has the
// version read. If read is 0, it creates the quota.
func (c *change) saveQuota(q *Quota, read int) {
	q.Version++
	if read == 0 {
		c.Create(q)
	} else {
		c.Replace(q, read)
	}
}

// readQuota makes a consistent read of a quota. If there is none, it returns an
// empty quota with version 0 and the name of the account rep.
func (s *Store) readQuota(ctx context.Context, k quotaKey) (Quota, error) {
	items, err := s.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": k.rep}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return Quota{}, err
	}
	for _, q := range quotas {
		if q.Period == k.period {
			return q, nil
		}
	}
	quota := Quota{EmployeeID: k.rep, Period: k.period}
	rep, err := readOne[*Employee](ctx, s, getEmployee, key.Map{"employeeID": k.rep})
	switch {
	case err == nil:
		quota.Name = rep.Name
	case KindOf(err) != NotFound: // an imported order may have an unknown account rep
		return Quota{}, err
	}
	return quota, nil
}

func (q *Quota) add(orders int, total Sum) {
	q.Orders += orders
	q.OrderTotal = q.OrderTotal.Plus(total)
}

// NewQuotas returns the quotas for the orders among the entities. Load these quotas
// together with the entities.
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
