package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/imports"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// listImports shows the form that uploads files, and the list of imports.
func listImports(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.ImportRun]{
		file: "imports", columns: importColumns, fetch: r.shop.Imports, newestFirst: true,
		page: func(l views.List, rows []store.ImportRun) templ.Component {
			return views.ImportsPage(r.importsPage(l, rows))
		},
	})
}

func (r *request) importsPage(l views.List, rows []store.ImportRun) views.Imports {
	p := views.Imports{Page: r.page("Import"), List: l, Rows: rows, Token: r.newFormToken(), Limits: views.ImportLimits{
		Files: imports.MaxFiles, Size: imports.MaxSize >> 20, Unpacked: imports.MaxUnpacked >> 20, Lines: imports.MaxLines, Hours: int(imports.FilesLife.Hours()),
	}}
	uploads, err := r.site.imports.Open()
	if err != nil {
		r.site.tools.LogFailure(r.Context, "some uploads cannot be read", err)
	}
	running := r.site.imports.Running()
	for _, u := range uploads {
		p.Open = append(p.Open, views.OpenUpload{ID: u.ID, Names: namesOf(u), By: u.By, When: u.When, State: u.State(running)})
	}
	return p
}

func namesOf(u *imports.Upload) string {
	run := store.ImportRun{}
	for _, f := range u.Files {
		run.Files = append(run.Files, store.ImportFile{Name: f.Name})
	}
	return run.FileNames()
}

// uploadImport stores the files of the form on this server.
func uploadImport(r *request) error {
	upload, err := r.receiveUpload()
	if err == nil {
		return web.Redirect(r.Context, views.ImportPath(upload.ID))
	}
	var rejected *store.Error
	problems := fileProblems(err)
	if problems == nil && (!errors.As(err, &rejected) || rejected.Kind != store.Invalid) {
		return err
	}
	recent, err := r.shop.Imports(r.ctx(), store.Page{Limit: store.DefaultLimit})
	if err != nil {
		return err
	}
	p := r.importsPage(views.List{Path: views.ImportsPath}, recent.Rows)
	p.Problems = problems
	if rejected != nil && problems == nil {
		p.Files = ui.Input{Error: rejected.Message}
	}
	return r.site.tools.RenderStatus(r.Context, http.StatusUnprocessableEntity, views.ImportsPage(p))
}

func (r *request) receiveUpload() (*imports.Upload, error) {
	var receiver *imports.Receiver
	defer func() {
		if receiver != nil {
			receiver.Discard()
		}
	}()
	receive := func(form web.Form, name string, content io.Reader) (err error) {
		if receiver == nil {
			if receiver, err = r.site.imports.Receive(r.user, form.TokenID()); err != nil {
				return err
			}
		}
		return receiver.Add(name, content)
	}
	if _, err := r.site.tools.ReadUpload(r.Context, "files", receive, web.FieldToken); err != nil {
		return nil, err
	}
	if receiver == nil {
		return nil, store.InvalidField("files", "Choose at least one file.")
	}
	return receiver.Finish(r.ctx(), r.shop)
}

// fileProblems returns the messages of the file errors in err, or nil if there are none.
func fileProblems(err error) (texts []string) {
	var all exchange.FileErrors
	var one *exchange.FileError
	switch {
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = exchange.FileErrors{one}
	}
	for _, problem := range all {
		texts = append(texts, store.MaskLikelyCards(problem.Error()))
	}
	return texts
}

func listImportTemplates(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	p := views.ImportTemplates{Page: r.page("Templates")}
	for _, t := range exchange.Templates() {
		p.Templates = append(p.Templates, views.ImportTemplate{Name: t.Name, Required: t.Required, Optional: t.Optional, Copied: t.Copied, LeftOut: t.LeftOut})
	}
	return r.show(views.ImportTemplatesPage(p))
}

// sendImportTemplate sends a CSV file with only the header row.
func sendImportTemplate(r *request) error {
	all := exchange.Templates()
	i := slices.IndexFunc(all, func(t exchange.Template) bool { return t.Name == r.id() })
	if i < 0 {
		return &store.Error{Kind: store.NotFound, Message: "There is no template with this name."}
	}
	_, err := web.Download(r.Context, all[i].Name+".csv", contentTypes[exchange.FormatCSV]).Write(all[i].Header())
	return err
}

var importColumns = []web.Column[store.ImportRun]{
	{Name: "ImportID", Cell: func(i store.ImportRun) web.Cell { return web.Text(i.ID) }},
	{Name: "By", Cell: func(i store.ImportRun) web.Cell { return web.Text(i.By) }},
	{Name: "State", Cell: func(i store.ImportRun) web.Cell { return web.Text(string(i.State)) }},
	{Name: "Began", Cell: func(i store.ImportRun) web.Cell { return instant(i.Began) }},
	{Name: "Updated", Cell: func(i store.ImportRun) web.Cell { return instant(i.Updated) }},
	{Name: "Files", Cell: func(i store.ImportRun) web.Cell { return web.Text(describeFiles(i.Files)) }},
	{Name: "Options", Cell: func(i store.ImportRun) web.Cell { return web.Text(strings.Join(i.Options, "; ")) }},
	{Name: "Read", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Read) }},
	{Name: "Added", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Added) }},
	{Name: "Unchanged", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Unchanged) }},
	{Name: "Updated rows", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Updated) }},
	{Name: "Merged", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Merged) }},
	{Name: "Rejected", Cell: func(i store.ImportRun) web.Cell { return integer(i.Sum.Rejected) }},
}

func describeFiles(files []store.ImportFile) string {
	var all []string
	for _, f := range files {
		all = append(all, f.NameAndDigest())
	}
	return strings.Join(all, "; ")
}

// importRecord returns the record of an import. It returns false if there is none.
func (r *request) importRecord(ctx context.Context, id string) (run store.ImportRun, found bool, err error) {
	record, err := r.shop.Import(ctx, id)
	switch {
	case store.KindOf(err) == store.NotFound:
		return run, false, nil
	case err != nil:
		return run, false, err
	}
	return *record, true, nil
}
