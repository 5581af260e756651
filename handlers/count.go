package handlers

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listCounts lists the counts in all warehouses that the user may see.
func listCounts(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	var ids []string
	for _, w := range warehouses.Rows {
		ids = append(ids, w.ID)
	}
	return respondList(r, q, listPage[store.Count]{
		file: "counts", columns: countColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Count], error) {
			return r.shop.Counts(ctx, ids, p)
		},
		page: func(l views.List, rows []store.Count) templ.Component {
			return views.CountsPage(views.Counts{Page: r.page("Counts"), List: l, Warehouses: warehouses.Rows, Rows: rows})
		},
	})
}

var countColumns = []web.Column[store.Count]{
	{Name: "CountID", Cell: func(n store.Count) web.Cell { return web.Text(n.ID) }, Minor: true},
	referColumn("WarehouseID", func(n store.Count) string { return n.WarehouseID }),
	{Name: "FromBin", Cell: func(n store.Count) web.Cell { return web.Text(n.FromBin) }},
	{Name: "ToBin", Cell: func(n store.Count) web.Cell { return web.Text(n.ToBin) }},
	{Name: "NotSince", Cell: func(n store.Count) web.Cell { return integer(n.NotSince) }, Minor: true},
	{Name: "Rows", Cell: func(n store.Count) web.Cell { return integer(n.Rows) }},
	{Name: "Started", Cell: func(n store.Count) web.Cell { return instant(n.Started) }},
	{Name: "By", Cell: func(n store.Count) web.Cell { return web.Text(n.By) }},
	{Name: "Closed", Cell: func(n store.Count) web.Cell { return web.Text(map[bool]string{true: "true"}[n.Closed]) }},
}

func showCountStart(r *request) error { return r.showForm(r.countStartForm) }

func startCount(r *request) error {
	form, err := r.readForm("warehouse", "from-bin", "to-bin", "days")
	if err != nil {
		return err
	}
	n := store.Count{WarehouseID: form.Get("warehouse"), FromBin: form.Get("from-bin"), ToBin: form.Get("to-bin")}
	if days := form.Get("days"); strings.TrimSpace(days) != "" {
		if n.NotSince, err = store.ParseWhole("days", days); err != nil {
			n.NotSince = -1 // so that the store rejects the value together with other invalid fields
		}
	}
	id, err := r.shop.StartCount(r.ctx(), n, form.Token())
	return r.finishChange(err, "Count started.", views.CountPath(id, 1), r.rerender(form, r.countStartForm))
}

func (r *request) countStartForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	warehouses, err := r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return nil, err
	}
	p := views.CountStart{
		Page: r.page("Start count"), Form: r.formState(form, rejected, 0), Warehouses: warehouses.Rows,
		Warehouse: formInput(form, rejected, "warehouse"), From: formInput(form, rejected, "from-bin"), To: formInput(form, rejected, "to-bin"), Days: formInput(form, rejected, "days"),
	}
	if rejected == nil && len(warehouses.Rows) == 1 {
		p.Warehouse.Value = warehouses.Rows[0].ID
	}
	return views.CountStartPage(p), nil
}

func showCountClose(r *request) error { return r.showForm(r.countCloseForm) }

func closeCount(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.CloseCount(r.ctx(), r.id(), form.Version(), form.Token())
	return r.finishChange(err, "Count closed.", views.CountReviewPath(r.id()), r.rerender(form, r.countCloseForm))
}

func (r *request) countCloseForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	n, warehouse, err := r.count()
	if err != nil {
		return nil, err
	}
	p := views.CountClose{Form: r.formState(form, rejected, n.Version), Count: *n, Warehouse: warehouse}
	if !n.Closed {
		results, err := r.shop.ReviewCount(r.ctx(), n)
		if err != nil {
			return nil, err
		}
		for _, row := range results {
			switch {
			case row.State == store.CountDiffers:
				p.Differences++
				p.Value = p.Value.Plus(row.Value())
			case needsDecision(row):
				p.Again++
			}
		}
	}
	p.Page = r.page("Close count") // after the reads, so that the footer includes them
	return views.CountClosePage(p), nil
}

// count reads the count in the path, and its warehouse.
func (r *request) count() (*store.Count, store.Warehouse, error) {
	n, err := r.shop.Count(r.ctx(), r.id())
	if err != nil {
		return nil, store.Warehouse{}, err
	}
	warehouse, err := r.shop.Warehouse(r.ctx(), n.WarehouseID)
	if err != nil && store.KindOf(err) != store.NotFound {
		return nil, store.Warehouse{}, err
	}
	return n, warehouseOrID(warehouse, n.WarehouseID), nil
}
