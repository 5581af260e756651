package handlers

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"

	"stockroom/store/exchange"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showExport(r *request) error {
	return r.show(views.ExportFile(r.exportPage(ui.Input{}, ui.Input{}, "")))
}

func (r *request) exportPage(file, format ui.Input, masked string) views.ExportPage {
	files, _ := exchange.FileNames(exchange.FormatCSV, nil) // cannot fail, because the list of names is empty
	return views.ExportPage{Page: r.page("Export"), Files: files, File: file, Format: format, Masked: ui.Input{Value: masked}}
}

// sendExport streams a file with all items of one entity.
func sendExport(r *request) error {
	form, err := web.ReadForm(r.Context, "file", "format", "masked")
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
		return r.site.tools.RenderStatus(r.Context, http.StatusUnprocessableEntity, views.ExportFile(r.exportPage(fileField, formatField, form.Get("masked"))))
	}
	var masker *exchange.Masker
	if form.Get("masked") != "" {
		if masker, err = exchange.NewMasker(nil); err != nil {
			return err
		}
	}
	_, err = exchange.Export(r.ctx(), r.shop, exchange.ExportOptions{
		Format: format, Files: []string{name}, Shards: r.settings.Shards, Table: name, Mask: masker,
		Create: func(name string) (io.WriteCloser, error) {
			return responseFile{web.Download(r.Context, name, contentTypes[format])}, nil
		},
	})
	if errors.Is(err, exchange.ErrStaleSums) {
		// An error would abort the download, although the file is complete.
		r.site.log.Error("exported stale sums", slog.String("file", name), slog.Any("error", err))
		return nil
	}
	return err
}

var contentTypes = map[exchange.Format]string{
	exchange.FormatCSV:   "text/csv; charset=utf-8; header=present",
	exchange.FormatLines: "application/x-ndjson",
	exchange.FormatModel: "application/json",
}

// responseFile writes to the response. Close does nothing, because the response ends when
// the handler returns.
type responseFile struct{ io.Writer }

func (responseFile) Close() error { return nil }
