package views

// Model is the page with the design of the table: the keys and indexes of all entities.
type Model struct {
	Page
	JSON string
}
