package views

import (
	"net/http"

	"stockroom/store"
)

// Problem is the error page.
type Problem struct {
	Page
	Status    int    // HTTP status, such as 404
	Message   string // message for the user
	Code      string // code of the error; "" for an error without a code
	Reference string // reference number of the log entry; "" for none
	NotePath  string // path of the form that adds a note to the record; "" for none
}

// CodeForeignForm is the code of the error for a form that was not opened in this session.
const CodeForeignForm = "foreign-form"

// Heading returns the heading, and the title, for the status or the code of the error.
func (p Problem) Heading() string {
	switch p.Status {
	case http.StatusForbidden:
		if p.Code == CodeForeignForm {
			return "Form not saved"
		}
		return "You don't have access"
	case http.StatusNotFound:
		return "Page not found"
	case http.StatusConflict:
		if p.Code == store.CodePaymentsNotSetUp {
			return "Payments are not set up"
		}
		return "This isn't possible now"
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return "Check your entries"
	case http.StatusTooManyRequests:
		return "Too many attempts"
	case http.StatusServiceUnavailable:
		return "The system is busy"
	}
	if p.Status < http.StatusInternalServerError {
		return "Request not accepted"
	}
	return "Something went wrong"
}
