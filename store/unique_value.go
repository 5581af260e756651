package store

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// UniqueValue is a value that only one record of its type may have: the email address of
// a customer, or the SKU of a product.
type UniqueValue struct {
	Name  string // "email address" or "SKU"
	Value string // the value in the form of the index, which ignores the case of email addresses
}

// The names of unique values.
const (
	uniqueEmail = "email address"
	uniqueSKU   = "SKU"
)

// Type returns the type of the records that can have a value of this name.
func (v UniqueValue) Type() string {
	if v.Name == uniqueSKU {
		return (*Product)(nil).EntityType()
	}
	return (*Customer)(nil).EntityType()
}

// Column returns the CSV column that contains values of this name.
func (v UniqueValue) Column() string {
	if v.Name == uniqueSKU {
		return "SKU"
	}
	return "Email"
}

// UniqueValueOf returns the unique value of an entity, which can be empty, and the ID of
// the entity. ok is false if entities of its type have no unique value.
func UniqueValueOf(e Entity) (v UniqueValue, id string, ok bool) {
	switch e := e.(type) {
	case *Customer:
		v, id = UniqueValue{uniqueEmail, e.KeyValue("email")}, e.ID
	case *Product:
		v, id = UniqueValue{uniqueSKU, e.KeyValue("sku")}, e.ID
	}
	return v, id, v.Name != ""
}

// query returns the pattern and the values that find the records with the value.
func (v UniqueValue) query() (*Pattern, key.Map) {
	if v.Name == uniqueSKU {
		return getProductBySKU, key.Map{"sku": v.Value}
	}
	return getCustomerByEmail, key.Map{"email": v.Value}
}

// OwnersOf returns, for each value, the IDs of the records that have it. It makes one
// request for each value; EachUniqueValue needs fewer requests for many values.
func (s *Store) OwnersOf(ctx context.Context, values []UniqueValue) (ids [][]string, err error) {
	ids = make([][]string, len(values))
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(loadWriters)
	for n := range values {
		reads.Go(table.Recovering(func() error {
			p, of := values[n].query()
			rows, err := s.table.Partition(ctx, p, of, false)
			for _, row := range rows {
				e, decoding := schema.DecodeRow(row)
				if decoding != nil {
					continue // the business check reports damaged items, so skip them here
				}
				if _, id, ok := UniqueValueOf(e); ok {
					ids[n] = append(ids[n], id)
				}
			}
			return err
		}))
	}
	return ids, reads.Wait()
}

// uniqueRows is the number of rows that EachUniqueValue reads with one request.
const uniqueRows = 1000

// EachUniqueValue calls visit with the unique value of every record that has a value with
// this name, and the ID of the record. It reads the list of these records, and skips
// records that cannot be decoded.
func (s *Store) EachUniqueValue(ctx context.Context, name string, visit func(v UniqueValue, id string) error) error {
	pattern, buckets := getCustomers, key.Buckets
	if name == uniqueSKU {
		pattern, buckets = getProducts, append(slices.Clone(key.Buckets), archivedBucket)
	}
	for _, bucket := range buckets {
		var from Item
		for {
			rows, next, err := s.table.QueryOnce(ctx, table.Request{
				Pattern: pattern, Values: key.Map{"bucket": bucket, "name": ""}, Limit: uniqueRows, From: from,
			})
			if err != nil {
				return err
			}
			for _, row := range rows {
				e, decoding := schema.DecodeRow(row)
				if decoding != nil {
					continue // the business check reports damaged items, so skip them here
				}
				if v, id, ok := UniqueValueOf(e); ok && v.Value != "" {
					if err := visit(v, id); err != nil {
						return err
					}
				}
			}
			if from = next; next == nil {
				break
			}
		}
	}
	return nil
}
