package handlers

import (
	"net/http"
	"testing"
)

func TestHistory_AcceptsOneFilter(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for query, status := range map[string]int{
		"": 200, "?by=test": 200, "?about=user%23viewer": 200, "?from=today": 200, "?from=2020-01-01&to=2020-02-01": 200,
		"?by=test&from=today": 422, "?by=test&about=o%231": 422, "?about=o%231&to=today": 422, "?from=soon": 422, "?who=x": 400,
	} {
		browser.expect(http.MethodGet, "/admin/events"+query, status)
	}
}
