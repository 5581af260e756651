package store

import (
	"context"

	"stockroom/store/key"
)

// updateQuota changes the sales of a quota by calling the function add, and creates the
// quota if it is missing. It reads the quota first, because the sort key in the ranking
// index contains the new total.
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

// saveQuota stores a quota with the next version. The argument read is the version that was
// read; if it is 0, saveQuota creates the quota. The write fails if the stored quota has
// another version.
func (c *change) saveQuota(q *Quota, read int) {
	q.Version++
	if read == 0 {
		c.Create(q)
	} else {
		c.Replace(q, read)
	}
}

// readQuota makes a consistent read of a quota. If the quota does not exist, it returns a
// quota with version 0, no sales and the name of the account rep.
func (s *Store) readQuota(ctx context.Context, k quotaKey) (Quota, error) {
	found, err := readConsistently[*Quota](ctx, s, getQuota, key.Map{"employeeID": k.rep, "period": k.period.String()})
	switch {
	case err == nil:
		return *found, nil
	case KindOf(err) != NotFound:
		return Quota{}, err
	}
	quota := Quota{EmployeeID: k.rep, Period: k.period}
	rep, err := readOne[*Employee](ctx, s, getEmployee, key.Map{"employeeID": k.rep})
	switch {
	case err == nil:
		quota.Name = rep.Name
	case KindOf(err) != NotFound: // after a lenient import, an order can have an unknown account rep
		return Quota{}, err
	}
	return quota, nil
}

func (q *Quota) add(orders int, total Sum) {
	q.Orders += orders
	q.OrderTotal = q.OrderTotal.Plus(total)
}

// NewQuotas returns the quotas with the sales of the orders among the entities. Callers
// that load the entities must also load these quotas.
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
