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

func rentalStoreEdit(id, token string) edit[RentalStore] {
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
	return s.ID, createFromForm(ctx, a, &s, rentalStoreEdit(s.ID, token))
}

// FormVersion returns the version of the edit form: a hash of the editable fields. It does
// not depend on the counts of kayaks.
func (s *RentalStore) FormVersion() int { return RentalStoreFields.fingerprint(s) }

// SaveRentalStore changes a store. s.Version is the FormVersion of the store that the
// form showed. Rentals and employments keep their copies of the name. It returns
// NotFound, Invalid, or Conflict if the fields have changed.
func (a Access) SaveRentalStore(ctx context.Context, s RentalStore, token string) error {
	read := func() (*RentalStore, error) { return a.RentalStoreForChange(ctx, s.ID) }
	return saveCounted(ctx, a, read, &s, rentalStoreEdit(s.ID, token))
}

// RentalStoreForChange makes a consistent read of a store. It returns NotFound if there
// is no such store.
func (a Access) RentalStoreForChange(ctx context.Context, id string) (*RentalStore, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": id})
}
