package views

import (
	"stockroom/views/ui"
)

// ExportPage is the form to download a file. It posts file and format to
// /data/export.
type ExportPage struct {
	Page
	Files        []string // without suffix
	File, Format ui.Input
}

func (p ExportPage) fields() []ui.Field {
	return []ui.Field{
		{Name: "file", Label: "File", Hint: "In CSV, invoice payments are a separate file. JSON Lines includes them.", Input: p.File},
		{Name: "format", Label: "Format", Input: p.Format},
	}
}

func (p ExportPage) files() []ui.Option {
	options := make([]ui.Option, len(p.Files))
	for i, name := range p.Files {
		options[i] = ui.Option{Value: name, Text: name}
	}
	return options
}
