package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// showPartition lists the items of one partition of the table or of an index.
func showPartition(r *request) error {
	q, err := r.query("pk", "index")
	if err != nil {
		return err
	}
	pk, index := q.Get("pk"), q.Get("index")
	if index == "" {
		index = store.IndexName(0)
	}
	return respondList(r, q, listPage[store.Item]{
		fetch: func(ctx context.Context, page store.Page) (store.List[store.Item], error) {
			if pk == "" {
				return store.List[store.Item]{}, nil
			}
			return r.shop.Partition(ctx, index, pk, page)
		},
		page: func(l views.List, rows []store.Item) templ.Component {
			return views.PartitionPage(views.Partition{Page: r.page("Partition " + pk), List: l, Key: queryInput(q, "pk"), Index: index, Rows: rows})
		},
	})
}
