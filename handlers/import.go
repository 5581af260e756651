package handlers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"slices"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showImport(r *request) error {
	return r.show(views.ImportFiles(views.ImportPage{Page: r.page("Import")}))
}

// shownRefused is how many refused rows a page shows.
const shownRefused = 100

// importFiles rehearses an import, or makes one that was rehearsed: the files
// are sent once more, and have to be the same.
func importFiles(r *request) error {
	form, uploads, err := web.ReadUpload(r.Context, "files", "once", "rehearsed", "same-people", "prefix")
	if err != nil {
		return err
	}
	p := views.ImportPage{
		Page: r.page("Import"), SamePeople: ui.Input{Value: form.Get("same-people")}, Prefix: ui.Input{Value: form.Get("prefix")},
		Digest: digest(uploads, form.Get("same-people"), form.Get("prefix")),
	}
	rehearsed := form.Get("rehearsed")
	switch {
	case len(uploads) == 0:
		p.Files.Error = "Choose one file or several."
	case rehearsed != "" && rehearsed != p.Digest:
		p.Files.Error = "These are not the files and choices that were rehearsed. This was another rehearsal."
	}
	if len(uploads) > 0 {
		p.Done = rehearsed == p.Digest
		err = r.take(&p, uploads)
	}
	var file *exchange.FileError
	var refused *store.Error
	switch {
	case errors.As(err, &file):
		p.Files.Error = file.Error()
	case errors.As(err, &refused) && refused.Kind == store.Invalid:
		p.Files.Error = refused.Message
	case err != nil:
		return err
	}
	status := http.StatusOK
	if p.Files.Error != "" {
		status = http.StatusUnprocessableEntity
	}
	return r.site.tools.RenderStatus(r.Context, status, views.ImportFiles(p))
}

func digest(uploads []web.Upload, choices ...string) string {
	sum := sha256.New()
	for _, u := range uploads {
		content := sha256.Sum256(u.Content)
		sum.Write(append([]byte(u.Name+"\x00"), content[:]...))
	}
	for _, choice := range choices {
		sum.Write([]byte(choice + "\x00"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// take imports files, or rehearses that, and notes what became of each.
func (r *request) take(p *views.ImportPage, uploads []web.Upload) error {
	files := make([]exchange.File, len(uploads))
	for i, u := range uploads {
		files[i] = exchange.File{Name: u.Name, Content: bytes.NewReader(u.Content)}
	}
	sources, err := exchange.Open(files, p.Prefix.Value)
	if err != nil {
		return err
	}
	fleet := exchange.NewFleet()
	for _, source := range sources {
		taken := views.ImportedFile{Name: uploads[source.File].Name}
		result, err := exchange.Import(r.ctx(), r.shop, source.Batches, exchange.ImportOptions{
			DryRun: !p.Done, SamePeople: p.SamePeople.Value != "", Fleet: fleet,
			Rejected: func(some []exchange.RejectedRow) error {
				for _, row := range some[:min(len(some), shownRefused-len(p.Refused))] {
					p.Refused = append(p.Refused, views.RefusedRow{File: taken.Name, Row: row.Number, Reason: store.LastFour(row.Reason)})
				}
				return nil
			},
		})
		if err != nil {
			return err
		}
		for _, kind := range slices.Sorted(maps.Keys(result.Added)) {
			taken.Counts = append(taken.Counts, views.EntityCount{Entity: kind, Count: result.Added[kind]})
		}
		taken.Present, taken.Refused, taken.Corrected = result.Unchanged, result.Rejected, result.Corrected
		for _, c := range result.Corrections {
			taken.Corrections = append(taken.Corrections, views.CorrectedKey{Table: c.Table, Number: c.Number, Was: c.Before, Is: c.After})
		}
		p.Taken = append(p.Taken, taken)
	}
	return nil
}
