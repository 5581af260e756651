package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Products is the list of products, by name.
type Products struct {
	Page
	List                // parameters bucket, name, category, limit
	Bucket     string   // the first letter; "" is all
	Name       ui.Input // name prefix
	Category   ui.Input
	Categories []string // options, if known
	Rows       []store.Product
	CanAdd     bool
	Archived   bool
}
