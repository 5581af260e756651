package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// Products is the list of products, by name.
type Products struct {
	Page
	List                // URL parameters: bucket, name, category, limit
	Bucket     string   // first letter; "" for all
	Name       ui.Input // start of the name
	Category   ui.Input
	Categories []string // options of the filter, if known
	Rows       []store.StockedProduct
	CanAdd     bool
	CanSelect  bool // the user may change many products at once
	Archived   bool
}

// filters returns the filters that select the products of the list.
func (p *Products) filters() []ui.Param {
	return slices.DeleteFunc(slices.Clone(p.Params), func(f ui.Param) bool { return f.Name != "bucket" && f.Name != "name" && f.Name != "category" })
}
