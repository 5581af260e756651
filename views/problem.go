package views

// Problem is the page in place of one that cannot be shown.
type Problem struct {
	Page
	Status    int    // the HTTP status: 400, 403, 404, 422, 429, 500, 503 …
	Message   string // a full sentence for a person
	Reference string // by which the log tells of it; "" where the log has nothing more
}
