package views

// Phones lists a person's phone numbers.
type Phones struct {
	Page
	ID   string // of the person
	Of   string // customer or employee
	Path string // of the person's page
	Rows []string
}
