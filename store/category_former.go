package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// FormerCategory is a former name of a category. Archived products, and products that were
// added just before the category was renamed, can still have the former name. If the list
// has a category with this name again, the FormerCategory has no effect.
type FormerCategory struct {
	ID        string // CategoryID of the former name
	PresentID string // ID of the category, updated when the category is renamed again
	Version   int
}

// maxFormer is the maximum number of former names that the method category follows.
const maxFormer = 100

func (*FormerCategory) EntityType() string { return "formerCategory" }

func (f *FormerCategory) KeyValue(name string) string {
	if name == "id" {
		return f.ID
	}
	return ""
}

func (f *FormerCategory) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "cat#", &f.ID)
	a.Text("PresentID", &f.PresentID)
	a.Version(&f.Version)
}

// category makes a consistent read of the category that has or had this name. It returns
// NotFound if there is none.
func (s *Store) category(ctx context.Context, name string) (*Reference, error) {
	id := CategoryID(name)
	for range maxFormer {
		r, former, err := s.categoryOrFormer(ctx, id)
		if err != nil || r != nil {
			return r, err
		}
		if former == nil {
			break
		}
		id = former.PresentID
	}
	return nil, fail(NotFound, "Category %s not found.", name)
}

// categoryOrFormer makes a consistent read of the category with this ID, and of the
// FormerCategory with this ID. It returns nil for a missing record.
func (s *Store) categoryOrFormer(ctx context.Context, id string) (r *Reference, former *FormerCategory, err error) {
	err = s.table.LookUp(ctx, []table.Lookup{
		lookUpReference(Category, id, &r),
		lookUp(getFormerCategory, key.Map{"categoryID": id}, &former),
	}, true)
	return r, former, err
}

// requireFree returns Invalid, with taken as its message, if a category has this name. It
// also returns Invalid if products still have this name because another category had it
// before. Otherwise it returns the FormerCategory with this name, or nil.
func (s *Store) requireFree(ctx context.Context, name, taken string) (*FormerCategory, error) {
	r, former, err := s.categoryOrFormer(ctx, CategoryID(name))
	switch {
	case err != nil:
		return nil, err
	case r != nil:
		return nil, InvalidField("name", "%s", taken)
	case former == nil:
		return nil, nil
	}
	now, _, err := s.categoryOrFormer(ctx, former.PresentID)
	if err == nil && now != nil && now.Former == former.ID {
		err = InvalidField("name", "Some products of the category %s still have this name. Save that category again first.", nameOrID(now.Name, now.ID))
	}
	return former, err
}

// keepFormer stores that the category with the ID id now has the ID presentID. former
// is the stored FormerCategory with the ID id, or nil.
func (c *change) keepFormer(former *FormerCategory, id, presentID string) {
	if former == nil {
		c.Create(&FormerCategory{ID: id, PresentID: presentID, Version: 1})
		return
	}
	next := *former
	next.PresentID = presentID
	next.Version++
	c.Replace(&next, former.Version)
}

// redirectFormers makes the earlier names of a category refer to its new ID. Otherwise they
// would refer to its previous name, which a new category can get. It reads one page of the
// list of former names and redirects up to stepItems of them; FinishRenames redirects the
// rest.
func (c *change) redirectFormers(ctx context.Context, id, presentID string) error {
	items, _, err := c.store.table.QueryOnce(ctx, table.Request{Pattern: getFormerCategories, Values: key.Map{}, Limit: table.MaxLimit})
	formers, err := decodeAll(items, err, decodeAs[FormerCategory])
	if err != nil {
		return err
	}
	formers = slices.DeleteFunc(formers, func(f FormerCategory) bool { return f.PresentID != id || f.ID == presentID })
	for i := range formers[:min(stepItems, len(formers))] {
		c.keepFormer(&formers[i], formers[i].ID, presentID)
	}
	return nil
}

// FinishRenames copies the present names of categories to products that still have a
// former name, up to maxRenamed products per former name. A rename can miss a product that
// was added just before, because the index is updated with a delay. It can also miss some
// of the former names of the category; see redirectFormers. FinishRenames makes these refer
// to the present IDs of their categories. It returns the number of changed products.
func (s *Store) FinishRenames(ctx context.Context) (changed int, err error) {
	for page := (Page{Limit: MaxLimit}); ; {
		found, err := list(ctx, s, table.Query{Pattern: getFormerCategories, Values: key.Map{}}, page, decodeAs[FormerCategory])
		if err != nil {
			return changed, err
		}
		for i := range found.Rows {
			n, err := s.finishRename(ctx, &found.Rows[i])
			if changed += n; err != nil {
				return changed, err
			}
			if err := s.redirectFormer(ctx, &found.Rows[i]); err != nil {
				return changed, err
			}
		}
		if page.At = found.Next; page.At == nil {
			return changed, nil
		}
	}
}

// finishRename copies the present name of a category to up to maxRenamed products that
// still have this former name.
func (s *Store) finishRename(ctx context.Context, former *FormerCategory) (changed int, err error) {
	err = retryOnConflict(ctx, func() error {
		ids, _, err := s.productsToRename(ctx, former.ID, "")
		if err != nil || len(ids) == 0 {
			return err
		}
		r, err := s.category(ctx, former.ID)
		if KindOf(err) == NotFound || err == nil && r.ID == former.ID {
			return nil // the category is not in the list, or the list has a new category with the former name
		}
		if err != nil {
			return err
		}
		for some := range slices.Chunk(ids, stepItems/2) { // two writes per product
			c, err := s.change(ctx)
			if err != nil {
				return err
			}
			c.CheckAbsent(&Reference{Kind: Category, ID: former.ID})
			n, err := c.renameCategoryOf(ctx, r, former.ID, some)
			if changed += n; err != nil {
				return err
			}
		}
		return nil
	})
	return changed, err
}

// redirectFormer makes a former name refer to the present ID of its category.
func (s *Store) redirectFormer(ctx context.Context, former *FormerCategory) error {
	r, err := s.category(ctx, former.PresentID)
	if err != nil || r.ID == former.PresentID || r.ID == former.ID {
		return ignoreNotFound(err)
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.keepFormer(former, former.ID, r.ID)
	if err := c.Commit(ctx); KindOf(err) != Conflict {
		return err
	}
	return nil // another request has just changed the former name
}
