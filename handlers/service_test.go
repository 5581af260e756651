package handlers

import (
	"net/http"
	"testing"
)

func TestNotFound_ListsAllowedMethods(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, tt := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodPost, "/orders", http.StatusMethodNotAllowed, "GET"},
		{http.MethodDelete, "/orders/o0001", http.StatusMethodNotAllowed, "GET"},
		{http.MethodGet, "/logout", http.StatusMethodNotAllowed, "POST"},
		{http.MethodPut, "/account/password", http.StatusMethodNotAllowed, "GET, POST"},
		{http.MethodPost, "/nowhere", http.StatusNotFound, ""},
		{http.MethodGet, "/nowhere", http.StatusNotFound, ""},
	} {
		r := browser.request(tt.method, tt.path, "")
		response, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != tt.status || response.Header.Get("Allow") != tt.allow {
			t.Errorf("%s %s: got %s, Allow %q; want %d, %q", tt.method, tt.path, response.Status, response.Header.Get("Allow"), tt.status, tt.allow)
		}
	}
}
