package store

import (
	"context"

	"stockroom/store/table"
)

// SetUpSteps says which parts of a new business exist.
type SetUpSteps struct {
	Warehouse, Store, Product, Employee, User bool // User: besides the one who signed in first
}

// Done reports whether the business can work. It needs a place: a warehouse or a
// store.
func (s SetUpSteps) Done() bool {
	return (s.Warehouse || s.Store) && s.Product && s.Employee && s.User
}

// SetUpProgress returns the steps of a new business. It reads one item of each list.
func (a Access) SetUpProgress(ctx context.Context) (SetUpSteps, error) {
	if err := a.require(Administer); err != nil {
		return SetUpSteps{}, err
	}
	var steps SetUpSteps
	for _, step := range []struct {
		done  *bool
		query table.Query
	}{
		{&steps.Warehouse, table.Query{Pattern: getWarehouses}},
		{&steps.Store, table.Query{Pattern: getStores}},
		{&steps.Product, byName(getProducts, "", "")},
		{&steps.Employee, table.Query{Pattern: getEmployees}},
	} {
		var err error
		if *step.done, err = a.store.hasItem(ctx, step.query); err != nil {
			return SetUpSteps{}, err
		}
	}
	users, err := a.Users(ctx)
	steps.User = len(users) > 1
	return steps, err
}
