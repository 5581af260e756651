package views

import (
	"stockroom/views/ui"
)

// ExportPage chooses a file to download. Its form posts file and format to
// /data/export.
type ExportPage struct {
	Page
	Files        []string // without suffix
	File, Format ui.Input
}

func (p ExportPage) fields() []ui.Field {
	return []ui.Field{
		{Name: "file", Label: "File", Hint: "What belongs to invoices and is a list has a file of its own as CSV; JSON lines hold it whole.", Input: p.File},
		{Name: "format", Label: "Form", Input: p.Format},
	}
}

func (p ExportPage) files() []ui.Option {
	options := make([]ui.Option, len(p.Files))
	for i, name := range p.Files {
		options[i] = ui.Option{Value: name, Text: name}
	}
	return options
}
