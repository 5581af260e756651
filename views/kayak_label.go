package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Labels is a printable sheet of labels for a store's kayaks.
type Labels struct {
	Page
	Store  store.RentalStore
	Labels []Label
}

// Label is the label of a kayak. Its QR code links to the kayak's page.
type Label struct {
	Kayak store.Kayak
	Code  ui.QR
}
