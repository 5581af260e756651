package views

// Phones are the numbers under which somebody is reached.
type Phones struct {
	Page
	ID   string // of the person
	Of   string // what they are to the business: customer, employee
	Path string // of their page
	Rows []string
}
