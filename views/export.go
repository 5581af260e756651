package views

import (
	"stockroom/views/ui"
)

// ExportPage is the form to download a file of records. It posts file, format and
// masked to /data/export.
type ExportPage struct {
	Page
	Files                []string // file names without suffix
	File, Format, Masked ui.Input
}

func (p ExportPage) fields() []ui.Field {
	return []ui.Field{
		{Name: "file", Label: "File", Hint: "In CSV, the payments and lines of invoices and the lines of credit notes are in separate files. In the other formats, they are part of the invoices and credit notes.", Input: p.File},
		{Name: "format", Label: "Format", Input: p.Format},
	}
}

func (p ExportPage) masked() ui.Field {
	return ui.Field{
		Name: "masked", Label: "Replace personal data with pseudonyms",
		Hint:  "Replaces names, email addresses, phone numbers, postal addresses, notes and payment references. Each download has different pseudonyms.",
		Input: p.Masked,
	}
}

var exportFormats = []ui.Option{
	{Value: "csv", Text: "CSV"}, {Value: "jsonl", Text: "DynamoDB JSON Lines"}, {Value: "workbench", Text: "NoSQL Workbench model"},
}

func (p ExportPage) files() []ui.Option {
	options := make([]ui.Option, len(p.Files))
	for i, name := range p.Files {
		options[i] = ui.Option{Value: name, Text: name}
	}
	return options
}
