package views

import "stockroom/views/ui"

// Settings are those of the whole business. The form posts Fields to
// /admin/settings.
type Settings struct {
	Page
	Form
	Shards, ShardsRead int
	Fields             []EditField
}

func (p Settings) change() ui.Change { return p.to("/admin/settings", "Save settings", "") }
