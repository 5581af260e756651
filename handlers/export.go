package handlers

import (
	"io"
	"net/http"
	"slices"

	"stockroom/store/exchange"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showExport(r *request) error {
	return r.show(views.ExportFile(r.exportPage(ui.Input{}, ui.Input{})))
}

func (r *request) exportPage(file, format ui.Input) views.ExportPage {
	files, _ := exchange.FileNames(exchange.FormatCSV, nil) // fails for unknown names only
	return views.ExportPage{Page: r.page("Export"), Files: files, File: file, Format: format}
}

// sendExport streams one file with all items of an entity.
func sendExport(r *request) error {
	form, err := r.readForm("file", "format")
	if err != nil {
		return err
	}
	name, format := form.Get("file"), exchange.Format(form.Get("format"))
	fileField, formatField := ui.Input{Value: name}, ui.Input{Value: string(format)}
	if contentTypes[format] == "" {
		formatField.Error = "Choose a format."
	}
	names, err := exchange.FileNames(format, []string{name})
	if err != nil || !slices.Contains(names, name) {
		fileField.Error = "This file is not available in this format."
	}
	if fileField.Error != "" || formatField.Error != "" {
		return r.site.tools.RenderStatus(r.Context, http.StatusUnprocessableEntity, views.ExportFile(r.exportPage(fileField, formatField)))
	}
	_, err = exchange.Export(r.ctx(), r.shop, exchange.ExportOptions{
		Format: format, Files: []string{name}, Shards: r.settings.Shards,
		Create: func(name string) (io.WriteCloser, error) {
			return responseFile{web.Download(r.Context, name, contentTypes[format])}, nil
		},
	})
	return err
}

var contentTypes = map[exchange.Format]string{
	exchange.FormatCSV:   "text/csv; charset=utf-8; header=present",
	exchange.FormatLines: "application/x-ndjson",
}

// responseFile writes to the response, which ends when its handler returns.
type responseFile struct{ io.Writer }

func (responseFile) Close() error { return nil }
