package store

import (
	"context"

	"stockroom/store/key"
)

// QuotaFields are the editable fields of a quota. Nobody can edit the sales.
var QuotaFields = Fields[Quota]{
	moneyField("target", "Target", func(q *Quota) *Amount { return &q.Target }).required().hint("What the account rep should sell in the quarter."),
}

// NewQuotaFields are the fields of the form that sets the first target for a quarter.
var NewQuotaFields = append(Fields[Quota]{quarterField()}, QuotaFields...)

func quarterField() Field[Quota] {
	f := newField(InputText, "period", "Quarter", func(q *Quota) *Quarter { return &q.Period })
	f.Hint = "For example, 2026-Q4."
	f.format = func(q *Quota) string { return q.Period.String() }
	f.parse = func(q *Quota, text string) (err error) { q.Period, err = ParseQuarter(text); return err }
	f.check = func(*Quota) error { return nil }
	return f.required()
}

func (q *Quota) version() *int { return &q.Version }

func quotaEdit(q *Quota, token string) edit[Quota] {
	return edit[Quota]{
		fields:    QuotaFields,
		edited:    EventQuotaTargetSet,
		subject:   q.Period.String(),
		part:      q.Period.String(),
		partition: partitionOf(getEmployee, "employeeID", q.EmployeeID),
		token:     token,
	}
}

// AddTarget sets the target of an account rep for a quarter that has no target yet. The
// quarter may already have sales. AddTarget returns NotFound if the employee is unknown,
// and Invalid if a field is invalid or the quarter already has a target.
func (a Access) AddTarget(ctx context.Context, added Quota, token string) error {
	if err := a.require(SetUp); err != nil {
		return err
	}
	rep, err := readConsistently[*Employee](ctx, a.store, getEmployee, key.Map{"employeeID": added.EmployeeID})
	if err != nil {
		return err
	}
	e := quotaEdit(&added, token)
	e.fields = NewQuotaFields
	return retryOnConflict(ctx, func() error {
		if err := e.check(ctx, a, nil, &added); err != nil {
			return err
		}
		if added.Target.Sign() == 0 {
			return InvalidField("target", "Enter an amount above zero.")
		}
		q, err := a.QuotaForChange(ctx, rep.ID, added.Period)
		switch {
		case KindOf(err) == NotFound:
			q = &Quota{EmployeeID: rep.ID, Period: added.Period, Name: rep.Name}
		case err != nil:
			return err
		case q.Target.Sign() != 0:
			return a.store.okIfApplied(ctx, e.partition, token, InvalidField("period", "This quarter already has a target. Edit that target instead."))
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		q.Target = added.Target
		c.recordEvent(Event{Partition: e.partition, What: e.edited, Subject: e.subject, After: "target " + amountText(q.Target, c.currency)})
		if q.Version == 0 {
			q.Version = 1
			c.Create(q)
		} else {
			c.replaceNext(q, &q.Version)
		}
		return c.Commit(ctx)
	})
}

// FormVersion returns the version for the edit form. It changes when the target changes,
// but not with each sale.
func (q *Quota) FormVersion() int { return QuotaFields.fingerprint(q) }

// SaveTarget changes the target of an account rep for a quarter. q.Version must be the
// FormVersion of the quota that the form showed. SaveTarget returns NotFound, Invalid, or
// Conflict if the target has changed.
func (a Access) SaveTarget(ctx context.Context, q Quota, token string) error {
	read := func() (*Quota, error) { return a.QuotaForChange(ctx, q.EmployeeID, q.Period) }
	return saveCounted(ctx, a, read, &q, quotaEdit(&q, token))
}

// QuotaForChange makes a consistent read of a quota. It returns NotFound if the employee
// has no quota for the quarter.
func (a Access) QuotaForChange(ctx context.Context, employeeID string, period Quarter) (*Quota, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": employeeID}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return nil, err
	}
	for i := range quotas {
		if quotas[i].Period == period {
			return &quotas[i], nil
		}
	}
	return nil, fail(NotFound, "Employee %s has no quota for %s.", employeeID, period)
}
