package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Products is the list of products, by name.
type Products struct {
	Page
	List                // parameters bucket, name, category, limit
	Bucket     string   // the first letter; "" for all
	Name       ui.Input // the start of the name
	Category   ui.Input
	Categories []string // options of the filter, if known
	Rows       []store.StockedProduct
	CanAdd     bool
	Archived   bool
}
