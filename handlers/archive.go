package handlers

import (
	"cmp"
	"context"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// archiver archives and restores records of one type.
type archiver struct {
	noun string
	hint string // text in the form that explains the effect of archiving
	path func(id string) string
	read func(store.Access, context.Context, string) (name string, version int, err error)
	save func(store.Access, context.Context, store.Archiving) error

	level func(store.Access, context.Context, string) (store.StockLevel, error) // nil for records other than products
}

// restores reports whether the request restores a record instead of archiving it.
func (r *request) restores() bool { return strings.HasSuffix(r.route.path, "/restore") }

func (a *archiver) show(r *request) error { return r.showForm(a.page(r)) }

func (a *archiver) submit(r *request) error {
	form, err := r.readForm("why")
	if err != nil {
		return err
	}
	how := store.Archiving{ID: r.id(), Restore: r.restores(), Version: form.Version(), Why: form.Get("why"), Token: form.Token()}
	done := a.noun + " archived."
	if how.Restore {
		done = a.noun + " restored."
	}
	return r.finishChange(a.save(r.shop, r.ctx(), how), done, a.path(r.id()), r.rerender(form, a.page(r)))
}

func (a *archiver) page(r *request) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		name, version, err := a.read(r.shop, r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		p := views.Archive{Noun: a.noun, Hint: a.hint, Path: a.path(r.id()), Name: cmp.Or(name, r.id()), Restore: r.restores(), Why: formInput(form, rejected, "why")}
		if a.level != nil && !p.Restore {
			p.Level, err = a.level(r.shop, r.ctx(), r.id())
			if err != nil && store.KindOf(err) != store.Damaged {
				return nil, err
			}
		}
		p.Page, p.Form = r.page(p.ArchiveTitle()), r.formState(form, rejected, version)
		if rejected != nil && p.Problem == "" && rejected.Field == "" {
			p.Problem = rejected.Message
		}
		return views.ArchivePage(p), nil
	}
}

var productArchiver = archiver{
	noun: "Product", path: views.ProductPath, save: store.Access.ArchiveProduct, level: store.Access.StockLevelOf,
	hint: "The list of products and suggestions no longer show the product. It can't be ordered, and deliveries of it can't be received. Its open orders can still be shipped and returned.",
	read: func(a store.Access, ctx context.Context, id string) (string, int, error) {
		p, err := a.ProductForChange(ctx, id)
		if err != nil {
			return "", 0, err
		}
		return p.Name, p.Version, nil
	},
}

var warehouseArchiver = archiver{
	noun: "Warehouse", path: views.WarehousePath, save: store.Access.ArchiveWarehouse,
	hint: "The warehouse no longer appears in lists and suggestions, and can't receive goods. Its stock can still be counted and transferred to other warehouses.",
	read: func(a store.Access, ctx context.Context, id string) (string, int, error) {
		w, err := a.WarehouseForChange(ctx, id)
		if err != nil {
			return "", 0, err
		}
		return w.Name, w.Version, nil
	},
}

// categoryArchiver archives categories. They are the only reference data that can be
// archived.
var categoryArchiver = archiver{
	noun: "Category", save: store.Access.ArchiveCategory,
	path: func(id string) string { return views.ReferencePath(store.Category, id) },
	hint: "Forms and filters no longer offer the category. Its products keep it.",
	read: func(a store.Access, ctx context.Context, id string) (string, int, error) {
		c, err := a.CategoryForChange(ctx, id)
		if err != nil {
			return "", 0, err
		}
		return c.Name, c.Version, nil
	},
}

var storeArchiver = archiver{
	noun: "Store", path: views.StorePath, save: store.Access.ArchiveRentalStore,
	hint: "The store no longer appears in lists and suggestions, and can't check out kayaks or hire employees. Before you archive it, move or retire all its kayaks.",
	read: func(a store.Access, ctx context.Context, id string) (string, int, error) {
		s, err := a.RentalStoreForChange(ctx, id)
		if err != nil {
			return "", 0, err
		}
		return s.Name, s.Version, nil
	},
}
