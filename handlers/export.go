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
	files, _ := exchange.FileNames(exchange.FormatCSV, nil) // nobody asked for one that is not there
	return views.ExportPage{Page: r.page("Export"), Files: files, File: file, Format: format}
}

// sendExport streams a file of everything that the table holds of an entity.
func sendExport(r *request) error {
	form, err := r.form("file", "format")
	if err != nil {
		return err
	}
	name, format := form.Get("file"), exchange.Format(form.Get("format"))
	file, kind := ui.Input{Value: name}, ui.Input{Value: string(format)}
	if !slices.Contains(exchange.Formats, format) {
		kind.Error = "Choose a form."
	}
	names, err := exchange.FileNames(format, []string{name})
	if err != nil || !slices.Contains(names, name) {
		file.Error = "There is no such file in this form."
	}
	if file.Error != "" || kind.Error != "" {
		return r.site.tools.RenderStatus(r.Context, http.StatusUnprocessableEntity, views.ExportFile(r.exportPage(file, kind)))
	}
	_, err = exchange.Export(r.ctx(), r.shop, exchange.ExportOptions{
		Format: format, Files: []string{name}, Shards: r.settings.Shards,
		Create: func(name string) (io.WriteCloser, error) {
			return answering{web.Download(r.Context, name, contentTypes[format])}, nil
		},
	})
	return err
}

// contentTypes are what the forms of exports are called in HTTP.
var contentTypes = map[exchange.Format]string{
	exchange.FormatCSV:   "text/csv; charset=utf-8; header=present",
	exchange.FormatLines: "application/x-ndjson",
}

// answering is an answer as a file: it ends when its handler does.
type answering struct{ io.Writer }

func (answering) Close() error { return nil }
