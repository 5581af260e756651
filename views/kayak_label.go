package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Labels are the labels of a store's kayaks, to be printed and cut.
type Labels struct {
	Page
	Store  store.RentalStore
	Labels []Label
}

// Label is stuck on a kayak: its code leads to the kayak's page.
type Label struct {
	Kayak store.Kayak
	Code  ui.QR
}
