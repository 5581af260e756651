package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Products is the list of products, by name.
type Products struct {
	Page
	List
	Bucket     string   // first letter; "" for all
	Name       ui.Input // start of the name
	Category   ui.Input
	Categories []string // options of the filter, if known
	Rows       []store.StockedProduct
	CanAdd     bool
	CanSelect  bool // the user may change many products at once, so rows can be selected
	Archived   bool
}

// filters returns the filters that apply to the list.
func (p *Products) filters() []ui.Param { return BulkProducts.filtersOf(p.Params) }

func (p *Products) actions() []bulkAction {
	reorder := bulkAction{string(store.BulkReorderPoint), "Set reorder point"}
	if !p.CanAdd {
		return []bulkAction{reorder}
	}
	return []bulkAction{{string(store.BulkPrice), "Change prices"}, {string(store.BulkCategory), "Set category"}, reorder, {string(store.BulkArchive), "Archive products"}}
}
