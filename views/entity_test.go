package views_test

import (
	"regexp"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

func TestModel_HasUniqueMarks(t *testing.T) {
	page := markup(t, views.ModelPage(views.Model{Page: signedIn()}))
	marks := map[string]bool{}
	for _, found := range regexp.MustCompile(`<span class="mark e\d" aria-hidden="true">([A-Z][a-z])</span>`).FindAllStringSubmatch(page, -1) {
		marks[found[1]] = true
	}
	if len(marks) != len(store.Definitions) {
		t.Errorf("got %d different marks, want %d", len(marks), len(store.Definitions))
	}
}
