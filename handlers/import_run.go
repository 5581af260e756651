package handlers

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/imports"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// showImport shows an import. Depending on its state, the page shows the next step, the
// progress or the result.
func showImport(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	p, upload, err := r.importPage()
	if err != nil {
		return err
	}
	if upload != nil && needsColumns(upload) {
		return web.Redirect(r.Context, views.ImportPath(upload.ID)+"/columns")
	}
	if p.Progress != nil {
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page, also without JavaScript
	}
	return r.show(views.ImportRunPage(p))
}

// importPage returns the page of an import. The page shows the record of the import in the
// table and, if the files are on this server, the upload.
func (r *request) importPage() (views.ImportRun, *imports.Upload, error) {
	p := views.ImportRun{ID: r.id(), Token: r.newFormToken(), Hours: int(imports.FilesLife.Hours()), Days: int(imports.RejectedLife.Hours() / 24)}
	upload, running, missing := r.site.imports.Status(p.ID)
	if missing != nil && store.KindOf(missing) != store.NotFound {
		return p, nil, missing
	}
	if upload != nil && upload.Import == nil {
		addUpload(&p, upload, running)
		p.Page = r.page(importTitle(&p))
		return p, upload, nil
	}
	record, found, err := r.importRecord(r.ctx(), p.ID)
	switch {
	case err != nil:
		return p, nil, err
	case upload == nil && !found:
		return p, nil, missing
	}
	if found {
		addRecord(&p, &record, record.StateAt(r.site.store.Now()))
	}
	if upload != nil {
		addUpload(&p, upload, running)
	}
	p.Page = r.page(importTitle(&p))
	return p, upload, nil
}

func importTitle(p *views.ImportRun) string { return "Import " + p.Names }

func addRecord(p *views.ImportRun, record *store.ImportRun, state store.ImportState) {
	p.Names, p.Files, p.Options, p.Uploaded, p.Recorded = record.FileNames(), record.Files, record.Options, record.Upload, true
	p.State, p.By, p.Began, p.Ended = state, record.By, record.Began, record.Updated
	p.Counts, p.Sum = record.Counts, record.Sum
	if record.Problem != "" {
		p.Problems = []string{record.Problem}
	}
}

// addUpload adds the files, options and result of an upload on this server to the page.
func addUpload(p *views.ImportRun, u *imports.Upload, running *imports.Progress) {
	p.Names, p.Files, p.Options, p.Uploaded, p.Here, p.Mapped = namesOf(u), nil, u.Options.Names(), true, !u.Removed, u.Mapping != ""
	for _, f := range u.Files {
		p.Files = append(p.Files, store.ImportFile{Name: f.Name, Size: int(f.Size), Digest: f.Digest})
	}
	addOptions(p, &u.Options)
	p.CanImport = u.CanImport()
	if u.Import == nil {
		p.Absent, p.Remembered = u.AbsentFiles(), u.RememberedFiles()
	}
	run := u.DryRun
	if p.DryRun = run != nil; u.Import != nil {
		run, p.DryRun, p.Recorded = u.Import, false, true
	}
	if run != nil {
		addRun(p, run)
		p.Changed, p.Removed = changedValues(run.Changed, u.Files), changedValues(run.Removed, u.Files)
	}
	switch {
	case running == nil:
		if p.State == store.ImportRunning { // the run is not in progress, but its end could not be saved
			p.State = store.ImportInterrupted
		}
	case running.ID == u.ID:
		p.Progress = &views.ImportProgress{File: running.File, Rows: running.Rows, Total: running.Total, Rate: running.Rate, Left: running.Left}
	default:
		p.Other = running.ID
	}
}

func addOptions(p *views.ImportRun, o *imports.Options) {
	p.Prefix, p.SamePeople, p.MergeLines = ui.Input{Value: o.Prefix}, checkedIf(o.SamePeople), checkedIf(o.MergeLines)
	p.Lenient, p.Update = checkedIf(o.Lenient), checkedIf(o.Update)
}

func checkedIf(on bool) ui.Input {
	if on {
		return ui.Input{Value: "yes"}
	}
	return ui.Input{}
}

func addRun(p *views.ImportRun, run *imports.Run) {
	p.State, p.By, p.Began, p.Ended = run.State, run.By, run.Began, run.Ended
	p.Counts, p.Sum, p.Problems = run.Counts, run.Sum, run.Problems
	p.First, p.Warned, p.Warnings = rejectedRows(run.First), run.Warned, rejectedRows(run.Warnings)
	p.Corrected, p.Made = run.Corrected, run.Made
	for _, c := range run.Categories {
		p.Categories = append(p.Categories, views.NewCategory(c))
	}
	p.MoreCategories = run.MoreCategories
	for _, f := range run.Rejected {
		p.Rejected = append(p.Rejected, views.RejectedFile{Name: f.Name, Index: f.File, Rows: f.Rows, Full: f.Full})
	}
	for _, c := range run.Corrections {
		p.Corrections = append(p.Corrections, views.CorrectedKey(c))
	}
}

func changedValues(changes exchange.CellChanges, files []imports.File) views.ChangedValues {
	all := views.ChangedValues{Total: changes.Total}
	for _, c := range changes.First {
		v := views.ChangedValue{Row: c.Row, Record: c.Entity, Attribute: c.Column, Before: c.Before, After: c.After}
		if len(files) > 1 && c.File < len(files) {
			v.File = files[c.File].Name
		}
		all.First = append(all.First, v)
	}
	return all
}

func rejectedRows(rows []imports.RejectedRow) (all []views.RejectedRow) {
	for _, row := range rows {
		all = append(all, views.RejectedRow{File: row.File, Row: row.Number, Reason: row.Reason})
	}
	return all
}

// optionFields are the fields of the options form. Its buttons start the dry run and the
// import.
var optionFields = []string{"same-people", "merge-lines", "lenient", "update", "prefix", "with-options", views.StartImportParam}

func importOptions(form *web.Form) *imports.Options {
	return &imports.Options{
		SamePeople: form.Get("same-people") != "", MergeLines: form.Get("merge-lines") != "", Lenient: form.Get("lenient") != "",
		Update: form.Get("update") != "", Prefix: form.Get("prefix"),
	}
}

// startImportDryRun starts a dry run with the options in the form. If the user pressed the
// button that starts the import, it sends the form to runImport instead.
func startImportDryRun(r *request) error {
	form, err := r.readForm(optionFields...)
	if err != nil {
		return err
	}
	if form.Get(views.StartImportParam) != "" {
		return r.Redirect(http.StatusTemporaryRedirect, views.ImportPath(r.id())+"/run") // with this status, the browser submits the form to the new path
	}
	options := importOptions(&form)
	return r.startedImport(options, r.site.imports.StartDryRun(r.user, r.id(), *options))
}

// runImport starts the import, or continues an interrupted import.
func runImport(r *request) error {
	form, err := r.readForm(optionFields...)
	if err != nil {
		return err
	}
	var options *imports.Options // nil if the form contains no options
	if form.Get("with-options") != "" {
		options = importOptions(&form)
	}
	return r.startedImport(options, r.site.imports.StartImport(r.user, r.id(), options))
}

// startedImport redirects to the page of the started run. If err is not nil, it shows why
// the run did not start, with the options that the user chose.
func (r *request) startedImport(options *imports.Options, err error) error {
	switch {
	case err == nil:
		return web.Redirect(r.Context, views.ImportPath(r.id()))
	case errors.Is(err, imports.ErrRunning):
		return r.redirectWithFlash("This run is already in progress.", views.ImportPath(r.id()))
	}
	var rejected *store.Error
	if !errors.As(err, &rejected) || rejected.Kind != store.Invalid && rejected.Kind != store.Conflict {
		return err
	}
	p, _, failed := r.importPage()
	if failed != nil {
		return failed
	}
	status := http.StatusUnprocessableEntity
	if rejected.Kind == store.Conflict {
		status = http.StatusConflict
	}
	if p.Problem = rejected.Message; options != nil {
		addOptions(&p, options)
	}
	return r.site.tools.RenderStatus(r.Context, status, views.ImportRunPage(p))
}

func cancelImport(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if _, _, err := r.importPage(); err != nil {
		return err
	}
	message := "This run has ended."
	if r.site.imports.Cancel(r.id()) {
		message = "Cancelling…"
	}
	return r.redirectWithFlash(message, views.ImportPath(r.id()))
}

func deleteImport(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if err := r.site.imports.Remove(r.id()); err != nil {
		return err
	}
	return r.redirectWithFlash("Files deleted.", views.ImportsPath)
}

// sendRejected sends the rejected rows of a file.
func sendRejected(r *request) (err error) {
	index, err := strconv.Atoi(r.param("file"))
	if err != nil {
		return &store.Error{Kind: store.NotFound, Message: "No rows of this file were rejected."}
	}
	file, content, err := r.site.imports.Rejected(r.id(), index)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	kind := contentTypes[exchange.FormatLines]
	if file.IsCSV() {
		kind = contentTypes[exchange.FormatCSV]
	}
	_, err = io.Copy(web.Download(r.Context, file.Name, kind), content)
	return err
}
