package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// referencesTable lists entries of one kind with what they lie within.
func referencesTable(p *Page, caption string, kind store.ReferenceKind, rows []store.ListedReference) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">`)
		t.Text(capital(string(kind)))
		t.HTML(`</th>`)
		if within := kind.Within(); within != "" {
			t.HTML(`<th scope="col" class="p2">`)
			t.Text(capital(string(within)))
			t.HTML(`</th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range rows {
			t.referenceRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) referenceRow(r *store.ListedReference) {
	t.HTML(`<tr><td class="name">`)
	t.reference(&r.Reference)
	t.HTML(`<span class="sub">`)
	t.Text(r.ID)
	t.HTML(`</span>`)
	if r.Kind.Within() != "" {
		t.HTML(`<span class="sub m">`)
		t.parent(r)
		t.HTML(`</span></td><td class="p2">`)
		t.parent(r)
	}
	t.HTML(`</td></tr>`)
}

// parent is what an entry lies within.
func (t table) parent(r *store.ListedReference) {
	if r.Parent == nil {
		t.Text(named(r.ParentID, "–"))
		return
	}
	t.reference(r.Parent)
}

// reference is a link to an entry.
func (t table) reference(r *store.Reference) {
	t.HTML(`<a href="`)
	t.Address(ReferencePath(r.Kind, r.ID))
	t.HTML(`" dir="auto">`)
	t.Text(named(r.Name, r.ID))
	t.HTML(`</a>`)
}
