package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestExport_StreamsFiles(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for format, lines := range map[string]int{"csv": len(b.shop.Customers) + 1, "jsonl": len(b.shop.Customers)} {
		got := admin.post("/data/export", url.Values{"file": {"customers"}, "format": {format}})
		if got.status != http.StatusOK || strings.Count(got.body, "\n") != lines ||
			!strings.Contains(got.header.Get("Content-Disposition"), "customers."+format) {
			t.Errorf("%s: got status %d, %d lines, header %v; want 200, %d lines", format, got.status, strings.Count(got.body, "\n"), got.header, lines)
		}
	}
	if got := admin.post("/data/export", url.Values{"file": {"users"}, "format": {"csv"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("users: got status %d, want 422", got.status)
	}
}
