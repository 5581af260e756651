package store

import (
	"context"
	"time"
)

// Access is the store with the permissions of one user. Every exported method returns
// Forbidden if the user does not have the required permission. Methods without an error
// result then return a zero value.
type Access struct {
	store *Store
	user  *User
	why   string // reason that the history shows for every change; "" if each change has its own reason

	undoing *Event // event of an earlier change that is being undone; nil for other changes

	importing bool // the values come from an import, not from a form

	readOnly bool // changes return Forbidden; see Viewing

	Wrong InputErrors // errors found by the caller: inputs that could not be parsed. If there are any, changes write nothing

	Repeated *bool            // if not nil, a change of an order sets it to true if the form had already made the change
	Affected *ChangedBookings // if not nil, changes of bookings and rentals set it
}

// As returns the store with the permissions of the user.
func (s *Store) As(user *User) Access { return Access{store: s, user: user} }

func (a Access) require(p Permission) error {
	if !a.user.May(p) {
		return fail(Forbidden, "Your role does not allow this. Ask an admin.")
	}
	return nil
}

// requireChange returns Forbidden if the user does not have the permission, or views the
// site as someone else (see Viewing). Methods that call Access.change need to call only
// require, because Access.change also checks for Viewing.
func (a Access) requireChange(p Permission) error {
	if a.readOnly {
		return errReadOnly()
	}
	return a.require(p)
}

// Settings returns the settings of the business; see Store.Settings.
func (a Access) Settings(ctx context.Context) (Settings, error) {
	if err := a.require(Browse); err != nil {
		return Settings{}, err
	}
	return a.store.Settings(ctx)
}

// Today returns the current calendar day of the business, at midnight UTC.
func (a Access) Today(ctx context.Context) (time.Time, error) {
	if err := a.require(Browse); err != nil {
		return time.Time{}, err
	}
	return a.store.Today(ctx)
}

// Everything reads the whole table; see Store.Everything.
func (a Access) Everything(ctx context.Context, visit func([]Item) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	return a.store.Everything(ctx, visit)
}

// AddOpenSums brings totals and quotas up to date before an export; see Store.AddOpenSums.
func (a Access) AddOpenSums(ctx context.Context) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	return a.store.AddOpenSums(ctx)
}

// Load inserts entities into the table; see Store.Load.
func (a Access) Load(ctx context.Context, entities []Entity, options LoadOptions) (LoadResult, error) {
	if err := a.requireChange(Administer); err != nil {
		return LoadResult{}, err
	}
	a.markImported(entities)
	return a.store.Load(ctx, entities, options)
}

// Prepare encodes entities for Load; see Store.Prepare.
func (a Access) Prepare(ctx context.Context, entities []Entity) (*Prepared, error) {
	if err := a.requireChange(Administer); err != nil {
		return nil, err
	}
	a.markImported(entities)
	return a.store.Prepare(ctx, entities)
}

// markImported sets, in the events among the entities, who imported them and when.
// Otherwise the events would look as if this program had recorded them. markImported also
// removes the attributes that exports omit; see Event.ForExport.
func (a Access) markImported(entities []Entity) {
	for _, e := range entities {
		if event, ok := e.(*Event); ok {
			*event = *event.ForExport()
			event.ImportedBy, event.Imported = a.user.Name, a.store.now()
		}
	}
}

// Existing reports which entities are in the table; see Store.Existing.
func (a Access) Existing(ctx context.Context, entities []Entity) ([]bool, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.Existing(ctx, entities)
}

// Stored returns entities by their keys; see Store.Stored.
func (a Access) Stored(ctx context.Context, entities []Entity) ([]Entity, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.Stored(ctx, entities)
}

// OwnersOf returns the IDs of the records that have these unique values, such as SKUs; see
// Store.OwnersOf.
func (a Access) OwnersOf(ctx context.Context, values []UniqueValue) ([][]string, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.OwnersOf(ctx, values)
}

// EachUniqueValue calls visit for each record with a unique value of this name; see
// Store.EachUniqueValue.
func (a Access) EachUniqueValue(ctx context.Context, name string, visit func(v UniqueValue, id string) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	return a.store.EachUniqueValue(ctx, name, visit)
}

// KnownOrders returns the orders with these IDs that are in the table.
func (a Access) KnownOrders(ctx context.Context, ids []string) (map[string]Order, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.KnownOrders(ctx, ids)
}

// KnownKayaks returns the kayaks with these IDs that exist, at any store.
func (a Access) KnownKayaks(ctx context.Context, ids []string) ([]Kayak, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.KnownKayaks(ctx, ids)
}

// OutFrom makes a consistent read of all active rentals of a store. It requires the
// permission Administer, so it need not check whether the user manages the store.
func (a Access) OutFrom(ctx context.Context, storeID string) ([]ActiveRental, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.OutFrom(ctx, storeID)
}

// CountKayaks updates the kayak counts of every store; see Store.CountKayaks.
func (a Access) CountKayaks(ctx context.Context) error {
	if err := a.requireChange(Administer); err != nil {
		return err
	}
	return a.store.CountKayaks(ctx)
}
