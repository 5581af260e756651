package store

import (
	"context"

	"stockroom/store/key"
)

// updateQuota adds a tally to the account rep's quota for the quarter. It must read
// the quota first, because an index key for the ranking contains the total.
func (c *change) updateQuota(ctx context.Context, repID string, t Tally) error {
	if repID == "" {
		return nil
	}
	items, err := c.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": repID}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return err
	}
	period := QuarterOf(t.At.In(c.totals.zone))
	for i := range quotas {
		if q := &quotas[i]; q.Period == period {
			q.add(t)
			c.replaceNext(q, &q.Version)
			return nil
		}
	}
	q := &Quota{EmployeeID: repID, Period: period, Version: 1}
	rep, err := readOne[*Employee](ctx, c.store, getEmployee, key.Map{"employeeID": repID})
	switch {
	case err == nil:
		q.Name = rep.Name
	case KindOf(err) != NotFound: // an imported order may have an unknown account rep
		return err
	}
	q.add(t)
	c.Create(q)
	return nil
}

func (q *Quota) add(t Tally) {
	q.Orders += t.Count
	q.OrderTotal = q.OrderTotal.Plus(t.Amount.Sum())
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
	type repPeriod struct {
		rep    string
		period Quarter
	}
	byRep := map[repPeriod]*Quota{}
	var quotas []*Quota
	for _, d := range ordersAmong(entities) {
		t := d.Tally()
		if d.AccountRepID == "" || t.Count == 0 && t.Amount.Sign() == 0 {
			continue
		}
		rp := repPeriod{d.AccountRepID, QuarterOf(t.At.In(settings.Zone()))}
		if byRep[rp] == nil {
			byRep[rp] = &Quota{EmployeeID: rp.rep, Period: rp.period, Name: names[rp.rep], Version: 1}
			quotas = append(quotas, byRep[rp])
		}
		byRep[rp].add(t)
	}
	return quotas
}
