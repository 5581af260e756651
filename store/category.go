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

// checkCategory returns Invalid if a category cannot have this name. A name needs a letter
// or digit. The name must not be "new", because the address of a category contains its ID,
// and the address with "new" is that of the form for a new category.
func checkCategory(field, name string) error {
	switch id := CategoryID(name); {
	case key.CheckID(id) != nil:
		return InvalidField(field, "Enter a name with at least one letter or digit.")
	case id == "new":
		return InvalidField(field, "A category can't have the name %s. Enter another name.", strings.TrimSpace(name))
	}
	return nil
}

const (
	maxCategories = 200   // maximum number of categories in a list of choices
	maxRenamed    = 2_000 // maximum number of products whose category one form renames
)

// Categories returns the names of the categories that are not archived, sorted by name. If
// there are more than maxCategories categories, including archived ones, it returns none,
// and the user enters a name instead.
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

// CategoryForChange makes a consistent read of a category. It returns NotFound if there
// is no such category.
func (a Access) CategoryForChange(ctx context.Context, id string) (*Reference, error) {
	return a.ReferenceForChange(ctx, Category, id)
}

// useCategory changes the category of a product to the spelling in the list of
// categories, before the product is saved. The returned function adds a new category to
// the list, or checks that an existing category still has the same version. useCategory
// returns Invalid for an archived category, or if checkCategory rejects a new one. It
// changes nothing if the product has no category or keeps its category. before is nil for
// a new product.
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

// restoreCategory returns a function that corrects the category of a restored product, or
// nil if no correction is needed. The category may be missing, or may have been renamed
// while the product was archived.
func (a Access) restoreCategory(ctx context.Context, p *Product, how Archiving) (func(*change, *Product), error) {
	if !how.Restore || checkCategory("category", p.Category) != nil {
		return nil, nil
	}
	found, err := a.store.category(ctx, p.Category)
	switch {
	case KindOf(err) == NotFound:
		return func(c *change, p *Product) { c.addCategory(p.Category) }, nil
	case err != nil || found.ID == CategoryID(p.Category):
		return nil, err
	}
	return func(c *change, p *Product) {
		c.renameCategory(p, nameOrID(found.Name, found.ID))
		c.Check(found, found.Version)
	}, nil
}

func (c *change) addCategory(name string) {
	r := &Reference{Kind: Category, ID: CategoryID(name), Name: name, Version: 1}
	c.recordEvent(Event{Partition: referencePartition(Category, r.ID), What: EventReferenceAdded})
	c.Create(r)
}

// CategoryOf returns a new entry for the list of categories, for the category of an imported
// product. It returns nil for an archived product, because it keeps a former name of its
// category, and for a name that checkCategory rejects.
func CategoryOf(p *Product) *Reference {
	if p.Archived || checkCategory("category", p.Category) != nil {
		return nil
	}
	return &Reference{Kind: Category, ID: CategoryID(p.Category), Name: strings.TrimSpace(p.Category), Version: 1}
}

// addCategories adds the categories of these products to the list of categories. It leaves
// out categories that are in the list, former names of categories, and names that
// checkCategory rejects. Imports and Rekey call it.
func (s *Store) addCategories(ctx context.Context, products []*Product) error {
	named := map[string]*Reference{}
	for _, p := range products {
		if c := CategoryOf(p); c != nil && named[c.ID] == nil {
			named[c.ID] = c
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(named)), stepItems) {
		if err := retryLoad(ctx, func() error { return s.addMissing(ctx, ids, named) }); err != nil {
			return err
		}
	}
	return nil
}

// addMissing adds the categories with these IDs, unless they are in the table or are former
// names of categories. named contains the categories by ID.
func (s *Store) addMissing(ctx context.Context, ids []string, named map[string]*Reference) error {
	values, formerValues := make([]key.Map, len(ids)), make([]key.Map, len(ids))
	for i, id := range ids {
		values[i], formerValues[i] = referenceValues(Category, id), key.Map{"categoryID": id}
	}
	listed, err := s.table.GetMany(ctx, getReference, values, true)
	if err != nil || !slices.ContainsFunc(listed, func(item Row) bool { return item == nil }) {
		return err
	}
	former, err := s.table.GetMany(ctx, getFormerCategory, formerValues, true)
	if err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if listed[i] == nil && former[i] == nil {
			c.Create(named[id])
		}
	}
	if c.Len() == 0 {
		return nil
	}
	return c.Commit(ctx)
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
