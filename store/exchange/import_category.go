package exchange

import (
	"cmp"
	"context"
	"slices"

	"stockroom/store"
)

// NewCategory is a category of imported products that is not in the table. An import adds
// it. It can be a typing error.
type NewCategory struct {
	Name string
	Rows int // number of products in the files
}

// maxNewCategories is the maximum number of new categories in an ImportResult.
const maxNewCategories = 1000

// newCategories contains new categories by their ID.
type newCategories map[string]NewCategory

// MoreCategories reports whether NewCategories has the maximum length, so it can lack further
// categories.
func (r *ImportResult) MoreCategories() bool { return len(r.categories) >= maxNewCategories }

func (n *newCategories) add(c NewCategory) {
	if *n == nil {
		*n = newCategories{}
	}
	id := store.CategoryID(c.Name)
	found, known := (*n)[id]
	if !known && len(*n) == maxNewCategories {
		return
	}
	(*n)[id] = NewCategory{cmp.Or(found.Name, c.Name), found.Rows + c.Rows}
}

// NewCategories returns the categories that an import would add, by name. Only a dry run
// collects them.
func (r *ImportResult) NewCategories() (all []NewCategory) {
	for _, c := range r.categories {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b NewCategory) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// addNewCategories adds the categories of products that a dry run would import to the
// result, unless the table has them.
func (i *importer) addNewCategories(ctx context.Context, products []*store.Product) error {
	counts := map[string]*NewCategory{} // by ID
	for _, p := range products {
		c := store.CategoryOf(p)
		if c == nil {
			continue
		}
		if counts[c.ID] == nil {
			counts[c.ID] = &NewCategory{Name: c.Name}
		}
		counts[c.ID].Rows++
	}
	var unread []store.Entity
	var ids []string
	for id, count := range counts {
		known, err := i.Known.has(string(store.Category), id)
		switch _, isNew := i.result.categories[id]; {
		case err != nil:
			return err
		case known:
		case isNew:
			i.result.categories.add(*count)
		default:
			unread = append(unread, &store.Reference{Kind: store.Category, ID: id}, &store.FormerCategory{ID: id})
			ids = append(ids, id)
		}
	}
	existing, err := i.target.Existing(ctx, unread)
	if err != nil {
		return err
	}
	for n, id := range ids {
		if !existing[2*n] && !existing[2*n+1] {
			i.result.categories.add(*counts[id])
		} else if err := i.Known.add(string(store.Category), id); err != nil {
			return err
		}
	}
	return nil
}
