package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// saveCategory changes the name of a category, and copies the name to at most maxRenamed
// products. It returns NotFound or Invalid, and Conflict if the form showed another
// version. It returns Unfinished if some products still have the earlier name; saving the
// category again renames these too. Until then, a change to yet another name returns
// Conflict.
//
// The ID of a category comes from its name. For a new name, saveCategory therefore replaces
// the item with one that has another key, unless the names differ only in case and accents.
func (a Access) saveCategory(ctx context.Context, r Reference, token string) error {
	before, err := a.CategoryForChange(ctx, r.ID)
	if err != nil {
		return a.store.okIfApplied(ctx, referencePartition(Category, r.ID), token, err)
	}
	e := referenceEdit(ctx, a, Category, r.ID, "", token)
	if err := e.fields.check(&r); err != nil {
		return err
	}
	id := CategoryID(r.Name)
	switch {
	case before.Former != "" && r.Name != before.Name:
		return fail(Conflict, "Some products still have the former name of this category. Save the category as “%s” to update them, and then change its name.", before.Name)
	case id == before.ID:
		e.also = func(_ *change, _, after *Reference) error { after.Former = after.ID; return nil }
		err = saveFromForm(ctx, a, before, &r, e)
	default:
		err = a.replaceCategory(ctx, before, &r, token)
	}
	if err != nil {
		return err
	}
	return a.renameProducts(ctx, id)
}

// replaceCategory stores a category under the ID of its new name, and deletes the item with
// its former ID.
func (a Access) replaceCategory(ctx context.Context, before, r *Reference, token string) error {
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	if r.Version != before.Version {
		return c.rejectOutdated(ctx, referencePartition(Category, before.ID))
	}
	after := *before
	after.ID, after.Name, after.Former, after.Version = CategoryID(r.Name), r.Name, before.ID, 1
	if err := checkCategory("name", r.Name); err != nil {
		return err
	}
	taken, err := a.store.requireFree(ctx, r.Name, "There is already a category with this name. To merge the two, select the products of the category that you are renaming, and set their category to this one.")
	if err != nil {
		return err
	}
	_, former, err := a.store.categoryOrFormer(ctx, before.ID)
	if err != nil {
		return err
	}
	entry, _ := ReferenceFields(Category).edits(before, &after, c.currency).event(referencePartition(Category, before.ID), EventReferenceEdited)
	moved := entry
	moved.Partition = referencePartition(Category, after.ID)
	entry.Values = "" // the category no longer exists under its former ID, so only the event under the new ID can be undone
	c.recordEvent(entry)
	c.recordEvent(moved)
	c.DeleteVersion(before, before.Version)
	c.Create(&after)
	c.keepFormer(former, before.ID, after.ID)
	if err := c.redirectFormers(ctx, before.ID, after.ID); err != nil {
		return err
	}
	if taken != nil {
		c.DeleteVersion(taken, taken.Version)
	}
	return c.Commit(ctx)
}

// renameProducts copies the name of a category to the products that have its former
// name, in several transactions. It does nothing if there is no former name.
func (a Access) renameProducts(ctx context.Context, id string) error {
	const message = "Category saved, but some products still have its former name. Save the category again to continue."
	a.undoing = nil // the transaction that saved the category has already marked the event as undone
	more := false
	err := retryOnConflict(ctx, func() error {
		r, err := a.CategoryForChange(ctx, id)
		if err != nil || r.Former == "" {
			return err
		}
		var ids []string
		if ids, more, err = a.store.productsToRename(ctx, r.Former, r.Name); err != nil {
			return err
		}
		for some := range slices.Chunk(ids, stepItems/2) { // two writes per product
			c, err := a.change(ctx, "")
			if err != nil {
				return err
			}
			if _, err := c.renameCategoryOf(ctx, r, r.Former, some); err != nil {
				return err
			}
		}
		if more {
			return nil
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		r.Former = ""
		c.replaceNext(r, &r.Version)
		return c.Commit(ctx)
	})
	if err == nil && more {
		return fail(Unfinished, message)
	}
	return unfinished(err, message)
}

// productsToRename returns the IDs of up to maxRenamed products that have a former name of
// a category, but not its present name, and reports whether there are more. Archived
// products keep the former name, because they are not in the list of their category.
func (s *Store) productsToRename(ctx context.Context, formerID, name string) (ids []string, more bool, err error) {
	for from := Item(nil); ; {
		items, next, err := s.table.QueryOnce(ctx, table.Request{Pattern: getProductsInGroup, Values: key.Map{"category": formerID, "name": ""}, Limit: table.MaxLimit, From: from})
		if err != nil {
			return nil, false, err
		}
		for _, item := range items {
			var p Product
			if err := decodeAs(item, &p); err != nil {
				return nil, false, err
			}
			switch {
			case p.Category == name:
			case len(ids) == maxRenamed:
				return ids, true, nil
			default:
				ids = append(ids, p.ID)
			}
		}
		if from = next; from == nil {
			return ids, false, nil
		}
	}
}

// renameCategoryOf gives the products with these IDs the name of category r, and commits
// the change. It skips archived products, and products that no longer have the former
// name. It returns Conflict if r has changed since it was read. changed is the number of
// changed products.
func (c *change) renameCategoryOf(ctx context.Context, r *Reference, formerID string, ids []string) (changed int, err error) {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"productID": id}
	}
	items, err := c.store.table.GetExisting(ctx, getProduct, values, true) // read the items from the table, because the index is updated with a delay
	products, err := decodeAll(items, err, decodeAs[Product])
	if err != nil {
		return 0, err
	}
	for i := range products {
		p := &products[i]
		if p.Archived || CategoryID(p.Category) != formerID || p.Category == r.Name {
			continue
		}
		c.renameCategory(p, r.Name)
		c.replaceNext(p, &p.Version)
		changed++
	}
	if changed == 0 {
		return 0, nil
	}
	c.Check(r, r.Version)
	return changed, c.Commit(ctx)
}

// renameCategory changes the category of a product and records an event. The caller adds
// the write of the product.
func (c *change) renameCategory(p *Product, name string) {
	before := *p
	p.Category = name
	c.recordEvent(Event{
		Partition: productPartition(p.ID), What: EventProductEdited, Before: "category " + before.Category, After: "category " + p.Category,
		Values: eventValues(ProductFields.values(&before, p, "")...),
	})
}
