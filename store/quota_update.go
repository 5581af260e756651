package store

import (
	"context"

	"stockroom/store/key"
)

// moveQuota moves what an account rep sold in the quarter of an order by what
// the order counts for more or less than it did. The ranking of the reps is
// an index whose key is the total, so the quota is read and put back, not
// added to.
func (c *change) moveQuota(ctx context.Context, repID string, by Tally) error {
	if repID == "" {
		return nil
	}
	items, err := c.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": repID}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return err
	}
	period := QuarterOf(by.At.In(c.totals.zone))
	for i := range quotas {
		if q := &quotas[i]; q.Period == period {
			q.move(by)
			c.replaceNext(q, &q.Version)
			return nil
		}
	}
	q := &Quota{EmployeeID: repID, Period: period, Version: 1}
	rep, err := readOne[*Employee](ctx, c.store, getEmployee, key.Map{"employeeID": repID})
	switch {
	case err == nil:
		q.Name = rep.Name
	case KindOf(err) != NotFound: // imported orders name reps whom nobody knows any more
		return err
	}
	q.move(by)
	c.Create(q)
	return nil
}

func (q *Quota) move(by Tally) {
	q.Orders += by.Count
	q.OrderTotal = q.OrderTotal.Plus(by.Amount)
}

// NewQuotas adds up what the account reps of some orders sold, quarter by
// quarter, for the quotas that are loaded beside them.
func NewQuotas(settings Settings, entities []Entity) []*Quota {
	names := map[string]string{}
	for _, entity := range entities {
		if e, ok := entity.(*Employee); ok {
			names[e.ID] = e.Name
		}
	}
	type sold struct {
		rep    string
		period Quarter
	}
	of := map[sold]*Quota{}
	var quotas []*Quota
	for _, d := range ordersAmong(entities) {
		by := d.Tally()
		if d.AccountRepID == "" || by.Count == 0 && by.Amount.Sign() == 0 {
			continue
		}
		in := sold{d.AccountRepID, QuarterOf(by.At.In(settings.Zone()))}
		if of[in] == nil {
			of[in] = &Quota{EmployeeID: in.rep, Period: in.period, Name: names[in.rep], Version: 1}
			quotas = append(quotas, of[in])
		}
		of[in].move(by)
	}
	return quotas
}
