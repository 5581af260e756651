package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
)

// TestFocus_OfForms submits an incomplete form: the list of errors must have the focus.
// It then signs out: the first field of the sign-in page must have the focus.
func TestFocus_OfForms(t *testing.T) {
	b := serveStaff(t, screen{width: 390}, store.User{Name: "mia", Role: store.Support})
	b.visit("/customers/new")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("main form").noValidate = true`))
	b.button("Add customer")
	b.waitFor(chromedp.Evaluate[bool](`document.activeElement.innerText.startsWith("Please")`), "the focus on the list of errors")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').submit()`))
	b.waitFor(chromedp.Evaluate[bool](`document.readyState === "complete" && document.activeElement.name === "username"`), "the focus on the user name")
}
