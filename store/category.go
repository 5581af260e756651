package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CategoryID returns the ID of the category with a name. Names that differ only in case
// and accents are the same category.
func CategoryID(name string) string { return key.Fold(name) }

// checkCategory returns Invalid if a category cannot have this name, because its page would
// have no address of its own.
func checkCategory(field, name string) error {
	switch id := CategoryID(name); {
	case key.CheckID(id) != nil:
		return InvalidField(field, "Enter a name with at least one letter or digit.")
	case id == "new": // the address of the form for a new category
		return InvalidField(field, "A category can't have the name %s. Enter another name.", strings.TrimSpace(name))
	}
	return nil
}

const (
	maxCategories = 200   // maximum number of categories in a list of choices
	maxRenamed    = 2_000 // maximum number of products whose category one form renames
)

// Categories returns the names of the categories that are not archived, in order. If
// there are more than 200, it returns none, and the user enters a name instead.
func (a Access) Categories(ctx context.Context) ([]string, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	q := table.Query{Pattern: getReferences, Values: key.Map{"kind": Category.List(), "name": ""}}
	found, err := list(ctx, a.store, q, Page{Limit: maxCategories}, decodeAs[Reference])
	if err != nil || found.Next != nil {
		return nil, err
	}
	var names []string
	for i := range found.Rows {
		if r := &found.Rows[i]; !r.Archived {
			names = append(names, nameOrID(r.Name, r.ID))
		}
	}
	return names, nil
}

// CategoryForChange makes a consistent read of a category, for its forms.
func (a Access) CategoryForChange(ctx context.Context, id string) (*Reference, error) {
	return a.ReferenceForChange(ctx, Category, id)
}

// useCategory spells the category of a product that is being saved as the list of
// categories does. It returns a function that adds a new category to the list, or makes the
// change conflict if the category is renamed meanwhile. An archived category is invalid.
// before is nil for a new product.
func (a Access) useCategory(ctx context.Context, before, after *Product) (also func(*change), err error) {
	if after.Category == "" || before != nil && before.Category == after.Category {
		return func(*change) {}, nil
	}
	if err := checkCategory("category", after.Category); err != nil {
		return nil, err
	}
	found, err := a.store.category(ctx, after.Category)
	switch {
	case KindOf(err) == NotFound:
		name := after.Category
		return func(c *change) { c.addCategory(name) }, nil
	case err != nil:
		return nil, err
	case found.Archived:
		return nil, InvalidField("category", "This category is archived. Choose another one, or restore it first.")
	}
	after.Category = nameOrID(found.Name, after.Category)
	return func(c *change) { c.Check(found, found.Version) }, nil
}

// category makes a consistent read of the category with a name.
func (s *Store) category(ctx context.Context, name string) (*Reference, error) {
	return readConsistently[*Reference](ctx, s, getReference, referenceValues(Category, CategoryID(name)))
}

// addCategory adds a new category to the list.
func (c *change) addCategory(name string) {
	r := &Reference{Kind: Category, ID: CategoryID(name), Name: name, Version: 1}
	c.recordEvent(Event{Partition: referencePartition(Category, r.ID), What: EventReferenceAdded})
	c.Create(r)
}

// addCategories adds the categories of products that are not in the list yet, for
// imports and for Rekey. It leaves out names that a category cannot have.
func (s *Store) addCategories(ctx context.Context, products []*Product) error {
	named := map[string]*Reference{}
	for _, p := range products {
		if id := CategoryID(p.Category); named[id] == nil && checkCategory("category", p.Category) == nil {
			named[id] = &Reference{Kind: Category, ID: id, Name: strings.TrimSpace(p.Category), Version: 1}
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(named)), stepItems) {
		if err := retryLoad(ctx, func() error { return s.addMissing(ctx, ids, named) }); err != nil {
			return err
		}
	}
	return nil
}

// addMissing adds the references of the map named that are not in the table. It leaves out
// former names of categories whose products are being renamed.
func (s *Store) addMissing(ctx context.Context, ids []string, named map[string]*Reference) error {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = referenceValues(Category, id)
	}
	items, err := s.table.GetMany(ctx, getReference, values, true)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(items, func(item Item) bool { return item == nil }) {
		return nil
	}
	former, err := s.formerCategories(ctx)
	if err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if items[i] == nil && !former[id] {
			c.Create(named[id])
		}
	}
	if c.Len() == 0 {
		return nil
	}
	return c.Commit(ctx)
}

// formerCategories returns the IDs of former names of categories. While a category is being
// renamed, some of its products still have its former name.
func (s *Store) formerCategories(ctx context.Context) (map[string]bool, error) {
	q := table.Query{Pattern: getReferences, Values: key.Map{"kind": Category.List(), "name": ""}}
	former := map[string]bool{}
	for page := (Page{Limit: table.MaxLimit}); ; {
		found, err := list(ctx, s, q, page, decodeAs[Reference])
		if err != nil {
			return nil, err
		}
		for i := range found.Rows {
			if r := &found.Rows[i]; r.Former != "" && r.Former != r.ID {
				former[r.Former] = true
			}
		}
		if page.At = found.Next; page.At == nil {
			return former, nil
		}
	}
}

// productsIn returns the products among the entities.
func productsIn(entities []Entity) []*Product {
	var products []*Product
	for _, e := range entities {
		if p, ok := e.(*Product); ok {
			products = append(products, p)
		}
	}
	return products
}
