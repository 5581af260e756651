package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listReference(r *request) error {
	kind, err := store.ReferenceKindOf(r.param("kind"))
	if err != nil {
		return err
	}
	params := []string{"name"}
	if kind == store.Category {
		params = append(params, "archived")
	}
	q, err := r.query(params...)
	if err != nil {
		return err
	}
	which := archivedOf(q)
	return respondList(r, q, listPage[store.ListedReference]{
		file: kind.List(), columns: referenceColumns(kind),
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ListedReference], error) {
			return r.shop.References(ctx, kind, q.Get("name"), which, p)
		},
		page: func(l views.List, rows []store.ListedReference) templ.Component {
			return views.ReferencesPage(views.References{
				Page: r.page(views.ReferenceTitle(kind)), List: l, Kind: kind, Name: queryInput(q, "name"), Rows: rows, Archived: which == store.OnlyArchived,
			})
		},
	})
}

func showReference(r *request) error {
	kind, err := store.ReferenceKindOf(r.param("kind"))
	if err != nil {
		return err
	}
	q, err := r.query()
	if err != nil {
		return err
	}
	reference, err := r.shop.Reference(r.ctx(), kind, r.id())
	if err != nil {
		return err
	}
	return respondDetail(r, q, detailPage{
		path: views.ReferencePath(kind, reference.ID),
		json: func() any { return reference },
		page: func() templ.Component {
			return views.ReferencePage(views.Reference{
				Page: r.page(cmp.Or(reference.Name, reference.ID)), Reference: *reference,
				Staff: kind == store.Job && r.user.InCharge(""),
			})
		},
	})
}
