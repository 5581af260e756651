package views

// Model is the page of the table design.
type Model struct {
	Page
	JSON string
}
