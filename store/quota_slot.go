package store

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// quotaSlots is the number of slots of a quota; see openSlots.
const quotaSlots = 16

// rankingInterval is the minimum time between two sales of an account rep that a server
// adds to the quota itself. The server adds the sales in between to slots. This limits the
// writes to the index with the ranking of account reps, in which each quarter is one
// partition.
const rankingInterval = time.Minute

// QuotaSlot counts sales of an account rep in a quarter that are not in the Quota yet. A
// quota has quotaSlots slots, so that concurrent transactions write different items. The
// sales of the quarter are the sum of the quota and its slots. A single slot can be
// negative. No index contains slots.
type QuotaSlot struct {
	EmployeeID string
	Period     Quarter
	Slot       int
	OrderTotal Sum
	Orders     int
	Version    int
}

func (*QuotaSlot) EntityType() string { return "quotaSlot" }

func (q *QuotaSlot) KeyValue(name string) string {
	switch name {
	case "employeeID":
		return q.EmployeeID
	case "period":
		return q.Period.String()
	case "slot":
		return strconv.Itoa(q.Slot)
	}
	return ""
}

func (q *QuotaSlot) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "e#", &q.EmployeeID)
	sumAttribute(a, "OrderTotal", &q.OrderTotal)
	a.Count("Orders", &q.Orders)
	a.Version(&q.Version)
	if !a.Decoding() {
		return
	}
	period, slot, _ := strings.Cut(a.AfterPrefix(table.AttrSK, "sold#"), "#")
	var err error
	if q.Period, err = ParseQuarter(period); err == nil {
		q.Slot, err = strconv.Atoi(slot)
	}
	if err != nil {
		a.Damaged(table.AttrSK, "the key of a quota's slot")
	}
}

type quotaKey struct {
	rep    string
	period Quarter
}

// rankedQuotas remembers which quotas this server has changed within the last
// rankingInterval, and which quotas have slots with new sales.
type rankedQuotas struct {
	mu     sync.Mutex
	quotas map[quotaKey]rankedQuota
}

type rankedQuota struct {
	changed time.Time // when this server last changed the quota itself
	slots   bool      // its slots may have new sales
}

// addToSlot reports whether a sale must be added to a slot, because this server has changed
// the quota within the last rankingInterval.
func (r *rankedQuotas) addToSlot(k quotaKey, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.quotas[k]
	return !q.changed.IsZero() && now.Sub(q.changed) < rankingInterval
}

// setSlots records that the slots of quotas may have new sales. Call it after the
// transaction that adds the sales. If it was called earlier, takeSlots could return a quota
// whose slots do not have the sales yet, and then record that they have none.
func (r *rankedQuotas) setSlots(quotas []quotaKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range quotas {
		q := r.quotas[k] // the quota may be missing, because takeSlots may have forgotten it since addToSlot found it
		q.slots = true
		r.quotas[k] = q
	}
}

// set records that this server has just changed a quota. If slots is true, it also records
// that the slots of the quota may have new sales.
func (r *rankedQuotas) set(k quotaKey, now time.Time, slots bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quotas == nil {
		r.quotas = map[quotaKey]rankedQuota{}
	}
	r.quotas[k] = rankedQuota{now, slots || r.quotas[k].slots}
}

// takeSlots returns the quotas whose slots may have new sales, and records that the slots
// have none. It forgets other quotas that have not changed within the last rankingInterval.
func (r *rankedQuotas) takeSlots(now time.Time) (quotas []quotaKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, q := range r.quotas {
		switch {
		case q.slots:
			quotas = append(quotas, k)
			r.quotas[k] = rankedQuota{changed: q.changed}
		case now.Sub(q.changed) >= rankingInterval:
			delete(r.quotas, k)
		}
	}
	return quotas
}

// countSale adds a tally to the quota of an account rep, or to one of its slots if this
// server has just changed the quota. Sales of earlier quarters are rare, so they are always
// added to the quota.
func (c *change) countSale(ctx context.Context, repID string, t Tally) error {
	k := quotaKey{repID, QuarterOf(t.At.In(c.totals.zone))}
	now := c.store.now()
	slotted := c.totals.slotted && k.period == QuarterOf(now.In(c.totals.zone))
	if slotted && c.store.ranked.addToSlot(k, now) {
		c.addToQuotaSlot(k, t)
		return nil
	}
	c.lockItems(ctx, []string{"quota of " + repID})
	if slotted && c.store.ranked.addToSlot(k, now) { // check again, because another change may have updated the quota while this change waited for the lock
		c.addToQuotaSlot(k, t)
		return nil
	}
	c.ranks = append(c.ranks, k)
	return c.updateQuota(ctx, k, func(q *Quota) { q.add(t.Count, t.Amount.Sum()) })
}

func (c *change) addToQuotaSlot(k quotaKey, t Tally) {
	for _, q := range c.sold {
		if q.EmployeeID == k.rep && q.Period == k.period {
			q.Orders, q.OrderTotal = q.Orders+t.Count, q.OrderTotal.Plus(t.Amount.Sum())
			return
		}
	}
	c.sold = append(c.sold, &QuotaSlot{EmployeeID: k.rep, Period: k.period, Orders: t.Count, OrderTotal: t.Amount.Sum()})
}

func (c *change) quotaCounters() (counters []counter) {
	for _, q := range c.sold {
		counters = append(counters, q.counter())
	}
	return counters
}

func (q *QuotaSlot) counter() counter {
	return counter{"quota of " + q.EmployeeID + " " + q.Period.String(), quotaSlots, 0}
}

// updateQuotaSlots adds the sales of the change to the transaction. The argument number
// determines the slots; see openSlots.
func (c *change) updateQuotaSlots(number int) {
	for _, q := range c.sold {
		q.Slot = q.counter().slot(number).slot
		c.Add(q, q.addition())
		c.slotted = append(c.slotted, quotaKey{q.EmployeeID, q.Period})
	}
	c.sold = nil
}

// addition returns an Addition that adds the sales in q to a stored slot.
func (q *QuotaSlot) addition() table.Addition {
	return table.Addition{
		Set:    Item{table.AttrType: table.StringValue(q.EntityType())},
		Counts: map[string]int{"Orders": q.Orders},
		Sums:   map[string]string{"OrderTotal": q.OrderTotal.String()},
	}
}

// markRanked records in rankedQuotas which quotas the change has written. Call it after the
// commit.
func (c *change) markRanked() {
	for _, k := range c.ranks {
		c.store.ranked.set(k, c.store.now(), false)
	}
}

// FoldNewSales adds the sales in slots to their quotas, so that the ranking of account reps
// shows these sales. It processes only slots to which this server has added sales since the
// last call.
func (s *Store) FoldNewSales(ctx context.Context) error {
	return s.foldQuotas(ctx, s.ranked.takeSlots(s.now()))
}

// FoldQuotas adds the sales in all slots of this quarter and the previous one to their
// quotas. This includes sales of servers that were killed. Older quotas have no slots.
// Several servers can run FoldQuotas at the same time.
func (s *Store) FoldQuotas(ctx context.Context) error {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return err
	}
	now := QuarterOf(s.now().In(settings.Zone()))
	var quotas []quotaKey
	var damaged []error
	for _, period := range []Quarter{now, now.Plus(-1)} {
		items, err := s.table.Partition(ctx, getQuotasOfPeriod, key.Map{"period": period.String()}, false)
		if err != nil {
			return err
		}
		for _, item := range items {
			var q Quota
			if err := decodeAs(item, &q); err != nil {
				damaged = append(damaged, err)
				continue
			}
			quotas = append(quotas, quotaKey{q.EmployeeID, period})
		}
	}
	return errors.Join(append(damaged, s.foldQuotas(ctx, quotas))...)
}

// foldQuotas calls foldQuota for each quota. If one fails, it continues with the others.
func (s *Store) foldQuotas(ctx context.Context, quotas []quotaKey) error {
	var group errgroup.Group
	group.SetLimit(loadWriters)
	failed := make([]error, len(quotas))
	for i, k := range quotas {
		group.Go(table.Recovering(func() error {
			if failed[i] = s.foldQuota(ctx, k); failed[i] != nil {
				s.ranked.set(k, s.now(), true) // so that the next call of FoldNewSales tries again
			}
			return nil
		}))
	}
	return errors.Join(append(failed, group.Wait())...)
}

// foldQuota adds the sales in the slots of a quota to the quota, in one transaction. It deletes
// the slots of earlier quarters. From the slots of this quarter, it subtracts the sales that it
// has read, so that concurrent sales do not conflict. It reads the quota before the slots. If
// another server changes the quota between the two reads, the transaction fails.
func (s *Store) foldQuota(ctx context.Context, k quotaKey) error {
	return retryOnConflict(ctx, func() error {
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		defer c.unlockItems()
		c.lockItems(ctx, []string{"quota of " + k.rep})
		q, err := s.readQuota(ctx, k)
		if err != nil {
			return err
		}
		read := q.Version
		slots, err := s.readQuotaSlots(ctx, k, true)
		if err != nil {
			return err
		}
		isOld := k.period != QuarterOf(s.now().In(c.totals.zone))
		for i := range slots {
			slot := &slots[i]
			empty := slot.Orders == 0 && slot.OrderTotal.Sign() == 0
			if isOld {
				c.DeleteVersion(slot, slot.Version)
				q.Version += slot.Version // shows CheckTotals that the quota has changed
			} else if !empty {
				c.Add(slot, (&QuotaSlot{Orders: -slot.Orders, OrderTotal: slot.OrderTotal.Negative()}).addition())
			}
			q.add(slot.Orders, slot.OrderTotal)
		}
		if c.Len() == 0 {
			return nil
		}
		c.ranks = append(c.ranks, k)
		c.saveQuota(&q, read)
		return c.Commit(ctx)
	})
}

func (s *Store) readQuotaSlots(ctx context.Context, k quotaKey, consistent bool) ([]QuotaSlot, error) {
	items, err := s.table.Partition(ctx, getQuotaSlots, key.Map{"employeeID": k.rep, "period": k.period.String()}, consistent)
	return decodeAll(items, err, decodeAs[QuotaSlot])
}

func (q *Quota) addSlots(slots []QuotaSlot) {
	for i := range slots {
		q.add(slots[i].Orders, slots[i].OrderTotal)
	}
}
