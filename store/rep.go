package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// requireEmployee returns NotFound if the user may not see the employee. For users
// who may see all employees, it needs no read.
func (a Access) requireEmployee(ctx context.Context, employeeID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if a.user.Role != Manager {
		return nil
	}
	_, err := a.Employee(ctx, employeeID)
	return err
}

// CustomersOfRep lists the customers of an account rep, sorted by name.
func (a Access) CustomersOfRep(ctx context.Context, employeeID string, page Page) (List[Customer], error) {
	if err := a.requireEmployee(ctx, employeeID); err != nil {
		return List[Customer]{}, err
	}
	q := table.Query{Pattern: getRepCustomers, Values: key.Map{"employeeID": employeeID}}
	return list(ctx, a.store, q, page, decodeAs[Customer])
}

// OrdersOfRep lists the orders of an account rep in a range of dates, newest
// first.
func (a Access) OrdersOfRep(ctx context.Context, employeeID string, r DateRange, page Page) (List[Order], error) {
	if err := a.requireEmployee(ctx, employeeID); err != nil {
		return List[Order]{}, err
	}
	q, err := a.store.inRange(ctx, getRepOrders, r, key.Map{"employeeID": employeeID})
	if err != nil {
		return List[Order]{}, err
	}
	q.Reverse = true
	return list(ctx, a.store, q, page, decodeOrderRow)
}

// QuotasOfRep lists the quarterly sales of an account rep, latest first. For the current
// quarter, it includes the sales in quota slots, which are not in the quota yet.
func (a Access) QuotasOfRep(ctx context.Context, employeeID string, page Page) (List[Quota], error) {
	if err := a.requireEmployee(ctx, employeeID); err != nil {
		return List[Quota]{}, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return List[Quota]{}, err
	}
	q := table.Query{Pattern: getQuotasOfEmployee, Values: key.Map{"employeeID": employeeID}}
	found, err := list(ctx, a.store, q, page, decodeAs[Quota])
	if err != nil || page.Count {
		return found, err
	}
	now := QuarterOf(a.store.now().In(settings.Zone()))
	if i := slices.IndexFunc(found.Rows, func(q Quota) bool { return q.Period == now }); i >= 0 {
		slots, err := a.store.readQuotaSlots(ctx, quotaKey{employeeID, now}, false)
		if err != nil {
			return List[Quota]{}, err
		}
		found.Rows[i].addSlots(slots)
	}
	return found, nil
}

// RankedReps lists the account reps by sales in a quarter, highest first. A sale may be
// missing until FoldNewSales (called every minute) or FoldQuotas adds it to the quota.
// The ranking includes all warehouses, so managers may not see it.
func (a Access) RankedReps(ctx context.Context, period Quarter, page Page) (List[Quota], error) {
	if err := a.require(RankStaff); err != nil {
		return List[Quota]{}, err
	}
	q := table.Query{Pattern: getQuotasOfPeriod, Values: key.Map{"period": period.String()}}
	return list(ctx, a.store, q, page, decodeAs[Quota])
}
