package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// OrderCancel is the form that cancels the unshipped items of an order.
type OrderCancel struct {
	Page
	Form
	Order store.OrderDetails
	Why   ui.Input
}
