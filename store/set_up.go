package store

import (
	"context"

	"stockroom/store/table"
)

// SetUpSteps says which steps of setting up a new business are done.
type SetUpSteps struct {
	Warehouse, Store, Product, Employee, User bool // User means that there is a second user
}

// Done reports whether the necessary steps are done. Either a warehouse or a store is
// enough.
func (s SetUpSteps) Done() bool {
	return (s.Warehouse || s.Store) && s.Product && s.Employee && s.User
}

// SetUpProgress returns which steps are done. It reads all users, and one item of each other
// list. It skips the lists of the steps in the argument known, but always reads the users. If
// there are no products, it makes one request for each first letter, because the list of
// products has a partition for each letter.
func (a Access) SetUpProgress(ctx context.Context, known SetUpSteps) (SetUpSteps, error) {
	if err := a.require(Administer); err != nil {
		return SetUpSteps{}, err
	}
	steps := known
	for _, step := range []struct {
		done  *bool
		query table.Query
	}{
		{&steps.Warehouse, table.Query{Pattern: getWarehouses}},
		{&steps.Store, table.Query{Pattern: getStores}},
		{&steps.Product, byName(getProducts, "", "")},
		{&steps.Employee, table.Query{Pattern: getEmployees}},
	} {
		if *step.done {
			continue
		}
		var err error
		if *step.done, err = a.store.hasItem(ctx, step.query); err != nil {
			return SetUpSteps{}, err
		}
	}
	users, err := a.Users(ctx)
	steps.User = len(users) > 1
	return steps, err
}
