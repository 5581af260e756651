package handlers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showImport(r *request) error {
	return r.show(views.ImportFiles(views.ImportPage{Page: r.page("Import")}))
}

// maxShownRejected is the number of rejected rows that a page shows.
const maxShownRejected = 100

// importFiles makes a dry run. If the form has the digest of a previous dry run
// and the same files and options are sent again, it imports them.
func importFiles(r *request) error {
	form, uploads, err := web.ReadUpload(r.Context, "files", "once", "dry-run", "same-people", "merge-lines", "lenient", "prefix")
	if err != nil {
		return err
	}
	p := views.ImportPage{
		Page: r.page("Import"), Prefix: ui.Input{Value: form.Get("prefix")}, SamePeople: ui.Input{Value: form.Get("same-people")},
		MergeLines: ui.Input{Value: form.Get("merge-lines")}, Lenient: ui.Input{Value: form.Get("lenient")},
		Digest: digest(uploads, form.Get("same-people"), form.Get("merge-lines"), form.Get("lenient"), form.Get("prefix")),
	}
	previous := form.Get("dry-run")
	switch {
	case len(uploads) == 0:
		p.Files.Error = "Choose at least one file."
	case previous != "" && previous != p.Digest:
		p.Files.Error = "The files or options changed since the dry run, so this was a new dry run."
	}
	if len(uploads) > 0 {
		p.Done = previous == p.Digest
		err = r.runImport(&p, uploads)
	}
	var fileErr *exchange.FileError
	var storeErr *store.Error
	switch {
	case errors.As(err, &fileErr):
		p.Files.Error = fileErr.Error()
	case errors.As(err, &storeErr) && storeErr.Kind == store.Invalid:
		p.Files.Error = storeErr.Message
	case err != nil:
		return err
	}
	status := http.StatusOK
	if p.Files.Error != "" {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, views.ImportFiles(p))
}

func digest(uploads []web.Upload, options ...string) string {
	sum := sha256.New()
	for _, u := range uploads {
		content := sha256.Sum256(u.Content)
		sum.Write(append([]byte(u.Name+"\x00"), content[:]...))
	}
	for _, option := range options {
		sum.Write([]byte(option + "\x00"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// runImport imports the files, or makes a dry run, and adds the results to p.
func (r *request) runImport(p *views.ImportPage, uploads []web.Upload) error {
	files := make([]exchange.File, len(uploads))
	for i, u := range uploads {
		files[i] = exchange.File{Name: u.Name, Content: bytes.NewReader(u.Content)}
	}
	sources, err := exchange.Open(files, p.Prefix.Value)
	if err != nil {
		return err
	}
	known := exchange.NewKnown()
	var sum exchange.ImportResult
	for _, source := range sources {
		result, err := exchange.Import(r.ctx(), r.shop, source, exchange.ImportOptions{
			DryRun: !p.Done, SamePeople: p.SamePeople.Value != "", MergeLines: p.MergeLines.Value != "", Lenient: p.Lenient.Value != "", Known: known,
			Rejected: func(some []exchange.RejectedRow) error {
				for _, row := range some[:min(len(some), maxShownRejected-len(p.Rejected))] {
					p.Rejected = append(p.Rejected, views.RejectedRow{File: uploads[row.File].Name, Row: row.Number, Reason: store.MaskCardNumbers(row.Reason)})
				}
				return nil
			},
		})
		if err != nil {
			return err
		}
		sum.Add(result)
	}
	for _, of := range sum.Sequence() {
		p.Results = append(p.Results, views.ImportedRows{File: uploads[of.File].Name, Entity: of.Entity, RowCounts: views.RowCounts(*sum.Counts[of])})
	}
	p.Sum, p.Corrected, p.Warned = views.RowCounts(sum.Sum()), sum.Corrected, sum.Warned
	for _, w := range sum.Warnings {
		p.Warnings = append(p.Warnings, views.RejectedRow{File: uploads[w.File].Name, Row: w.Number, Reason: store.MaskCardNumbers(w.Reason)})
	}
	for _, c := range sum.Corrections {
		p.Corrections = append(p.Corrections, views.CorrectedKey(c))
	}
	return nil
}
