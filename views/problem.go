package views

import "net/http"

// Problem is the page in place of one that cannot be shown.
type Problem struct {
	Page
	Status    int    // the HTTP status: 400, 403, 404, 422, 429, 500, 503 …
	Message   string // a full sentence for a person
	Reference string // by which the log tells of it; "" where the log has nothing more
}

// heading is what happened, in a few words.
func (p Problem) heading() string {
	switch p.Status {
	case http.StatusForbidden:
		return "This is not open to you"
	case http.StatusNotFound:
		return "There is nothing here"
	case http.StatusConflict:
		return "Somebody was faster"
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return "This could not be read"
	case http.StatusTooManyRequests:
		return "Too many tries"
	case http.StatusServiceUnavailable:
		return "The table is busy"
	}
	if p.Status < http.StatusInternalServerError {
		return "This does not work so"
	}
	return "Something went wrong here"
}
