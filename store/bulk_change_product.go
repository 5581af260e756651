package store

import (
	"context"
	"fmt"
	"strconv"

	"stockroom/store/key"
	"stockroom/store/table"
)

// listedProduct is a product of the preview. Product is nil if the product does not exist.
type listedProduct struct {
	id string
	*Product
}

// listProducts returns the next rows of a change of products; see bulkKind.list.
func (r *BulkRun) listProducts(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	products, next, err := r.nextProducts(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err = r.preview(ctx, products)
	return rows, next, err
}

func (r *BulkRun) nextProducts(ctx context.Context) (products []listedProduct, next *Position, err error) {
	if len(r.Selected) == 0 {
		found, err := r.access.Products(ctx, r.Filter, Page{Limit: stepItems, At: r.Next})
		for i := range found.Rows {
			products = append(products, listedProduct{found.Rows[i].ID, &found.Rows[i]})
		}
		return products, found.Next, err
	}
	products, err = r.readProducts(ctx, r.nextSelected(stepItems))
	return products, nil, err
}

func (r *BulkRun) readProducts(ctx context.Context, ids []string) (products []listedProduct, err error) {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"productID": id}
	}
	items, err := r.store.table.GetMany(ctx, getProduct, values, true)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		p := listedProduct{id: ids[i]}
		if item != nil {
			if p.Product, err = table.DecodeAs[*Product](schema, item, nil); err != nil {
				return nil, err
			}
		}
		products = append(products, p)
	}
	return products, nil
}

func (r *BulkRun) preview(ctx context.Context, products []listedProduct) ([]BulkRow, error) {
	settings, err := r.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	stock, err := r.stockOf(ctx, products)
	if err != nil {
		return nil, err
	}
	rows := make([]BulkRow, len(products))
	for i, p := range products {
		row := BulkRow{BulkID: r.ID, Number: r.Rows + i + 1, ProductID: p.id, Expires: r.Expires, Version: 1}
		if p.Product == nil {
			rows[i] = row.skip("Product not found.")
			continue
		}
		row.Name, row.Seen = p.Name, p.Version
		rows[i] = r.previewRow(row, p.Product, stock[p.id], settings.Currency)
	}
	return rows, nil
}

// stockOf returns the stock items of the products in the warehouse of the change, by
// product ID. It returns nil unless the change is a BulkReorderPoint.
func (r *BulkRun) stockOf(ctx context.Context, products []listedProduct) (map[string]*WarehouseItem, error) {
	if r.Kind != BulkReorderPoint || len(products) == 0 {
		return nil, nil
	}
	items := make([]WarehouseItem, len(products))
	for i, p := range products {
		items[i] = WarehouseItem{ProductID: p.id, WarehouseID: r.WarehouseID}
	}
	err := r.readStock(ctx, items)
	stock := map[string]*WarehouseItem{}
	for i := range items {
		if items[i].Version > 0 {
			stock[items[i].ProductID] = &items[i]
		}
	}
	return stock, err
}

func (r *BulkRun) previewRow(row BulkRow, p *Product, stock *WarehouseItem, currency string) BulkRow {
	switch r.Kind {
	case BulkPrice:
		after, err := r.PriceAfter(p.Price, currency)
		row.Before, row.After = p.Price.String(), after.String()
		switch {
		case err != nil:
			return row.skip("The new price would be too high.")
		case after.Sign() == 0 && p.Price.Sign() > 0:
			return row.skip("The new price would be 0.")
		}
	case BulkCategory:
		row.Before, row.After = p.Category, r.Category
	case BulkReorderPoint:
		if stock == nil {
			return row.skip("Not stocked in this warehouse.")
		}
		row.Seen, row.Before, row.After = stock.Version, fmt.Sprint(stock.ReorderPoint), fmt.Sprint(r.ReorderPoint)
	case BulkArchive:
		row.Before, row.After = archivedText(p.Archived), archivedText(true)
	}
	if row.Before == row.After {
		return row.skip(nothingToChange)
	}
	return row
}

func archivedText(archived bool) string {
	if archived {
		return "archived"
	}
	return "active"
}

// changeProduct changes the product of a row. It passes the change to the argument also,
// which adds the write of the row.
func (r *BulkRun) changeProduct(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	switch r.Kind {
	case BulkPrice:
		price, err := ParseAmount(row.After)
		if err != nil {
			return err
		}
		return r.editProduct(ctx, a, row, also, func(p *Product) { p.Price = price })
	case BulkCategory:
		return r.editProduct(ctx, a, row, also, func(p *Product) { p.Category = row.After })
	case BulkArchive:
		return retryOnConflict(ctx, func() error {
			return a.archiveProduct(ctx, Archiving{ID: row.ProductID, Restore: row.After == archivedText(false), Version: row.Seen, Token: r.rowToken(row)}, also)
		})
	case BulkReorderPoint:
		point, err := strconv.Atoi(row.After)
		if err != nil {
			return err
		}
		form := StockForm{ProductID: row.ProductID, WarehouseID: r.WarehouseID, Seen: row.Seen, Token: r.rowToken(row)}
		return a.changeReorderPoint(ctx, form, func(c *change, item *WarehouseItem) {
			item.ReorderPoint = point
			also(c)
		})
	}
	return fail(Invalid, "Unknown kind of change “%s”.", r.Kind)
}

// editProduct calls set to change fields of a product, if the product still has the version
// of the preview.
func (r *BulkRun) editProduct(ctx context.Context, a Access, row *BulkRow, also func(*change), set func(*Product)) error {
	return retryOnConflict(ctx, func() error {
		before, err := a.ProductForChange(ctx, row.ProductID)
		if err != nil {
			return err
		}
		edited := *before
		edited.Version = row.Seen
		set(&edited)
		return saveFromForm(ctx, a, before, &edited, edit[Product]{
			fields: ProductFields, edited: EventProductEdited, partition: productPartition(row.ProductID), token: r.rowToken(row),
			correct: func(before, after *Product) (func(*change), error) {
				if r.Kind != BulkCategory {
					return func(*change) {}, nil
				}
				also, err := a.useCategory(ctx, before, after) // the category may have been renamed or archived since the preview
				if err == nil && after.Category == before.Category {
					return nil, errUnchanged
				}
				row.After = after.Category
				return also, err
			},
			also: func(c *change, before, after *Product) error {
				also(c)
				return nil
			},
		})
	})
}
