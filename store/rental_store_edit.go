package store

import (
	"context"
	"slices"

	"stockroom/store/key"
)

// RentalStoreFields are the editable fields of a store.
var RentalStoreFields = Fields[RentalStore](slices.Concat(
	Fields[RentalStore]{
		textField("name", "Name", func(s *RentalStore) *string { return &s.Name }).required(),
	},
	AddressFields(func(s *RentalStore) *Address { return &s.Address }),
))

func (s *RentalStore) version() *int { return &s.Version }

func (a Access) rentalStoreEdit(id, token string) edit[RentalStore] {
	return edit[RentalStore]{
		fields:    RentalStoreFields,
		added:     EventStoreAdded,
		edited:    EventStoreEdited,
		partition: storePartition(id),
		token:     token,
	}
}

// AddRentalStore adds a store and returns its ID, which comes from the form token.
// It returns Invalid if a field is invalid.
func (a Access) AddRentalStore(ctx context.Context, s RentalStore, token string) (id string, err error) {
	if err := a.require(SetUp); err != nil {
		return "", err
	}
	if s.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return s.ID, createFromForm(ctx, a, &s, a.rentalStoreEdit(s.ID, token))
}

// SaveRentalStore changes a store. It does not change the name that rentals and
// employments have copied. It returns NotFound, Invalid, or Conflict if the form
// showed another version. Changes of the store's kayaks also increment the version.
func (a Access) SaveRentalStore(ctx context.Context, s RentalStore, token string) error {
	before, err := a.RentalStoreForChange(ctx, s.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &s, a.rentalStoreEdit(s.ID, token))
}

// RentalStoreForChange consistently reads a store, for its edit form.
func (a Access) RentalStoreForChange(ctx context.Context, id string) (*RentalStore, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": id})
}
