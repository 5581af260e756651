package handlers

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/imports"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// maxColumns is the maximum number of columns in the form. If the files have more columns,
// users edit the mapping as text.
const maxColumns = 400

// maxColumnsForm is the maximum size in bytes of the form that matches columns, and of the
// form with the mapping as text.
const maxColumnsForm = 1 << 20

// showImportColumns shows the form that matches the columns of uploaded files to
// attributes.
func showImportColumns(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	p, err := r.importColumnsPage("", nil)
	if err != nil {
		return err
	}
	return r.show(views.ImportColumnsPage(p))
}

// importColumnsPage returns the page with the form. If the submitted form was rejected,
// it shows the error. Pass the submitted mapping as text, or "".
func (r *request) importColumnsPage(text string, rejected error) (views.ImportColumns, error) {
	upload, err := r.site.imports.Upload(r.id())
	if err != nil {
		return views.ImportColumns{}, err
	}
	matches, rows, problems, err := r.site.imports.Matches(r.ctx(), upload.ID)
	if err != nil {
		return views.ImportColumns{}, err
	}
	p := views.ImportColumns{
		Page: r.page("Match columns"), ID: upload.ID, Names: namesOf(upload), Token: r.newFormToken(), Remember: true,
		Entities: append(exchange.EntityNames(), exchange.OrdersWithLines), Mapping: ui.Input{Value: upload.Mapping}, Shown: imports.MappingDigest(upload.Mapping),
		Absent: upload.AbsentFiles(), Remembered: upload.RememberedFiles(),
	}
	columns := 0
	for i := range matches {
		f := columnsOf(&matches[i])
		if f.Table == 0 {
			f.Entities = entitiesOf(matches, f.Name)
		}
		p.Files = append(p.Files, f)
		columns += len(f.Columns)
	}
	if p.TooMany = columns > maxColumns; p.TooMany {
		p.Files, rows = nil, nil
	}
	for i := range rows {
		p.Preview = append(p.Preview, rowsOfFile(&rows[i]))
	}
	for _, problem := range problems {
		p.Problems = append(p.Problems, store.MaskLikelyCards(problem.Error()))
	}
	if rejected != nil {
		p.Problems = fileProblems(rejected)
		if store.KindOf(rejected) == store.Conflict {
			p.Problem = rejected.Error()
		}
		if text != "" {
			p.Mapping = ui.Input{Value: text, Error: "This mapping can't be used."}
		}
	}
	return p, nil
}

func columnsOf(m *exchange.FileMatch) views.ColumnsOfFile {
	f := views.ColumnsOfFile{Name: m.File, Table: m.Table, Entity: m.Entity}
	for _, c := range m.Columns {
		column := views.ImportColumn{Name: c.Name, To: c.To, Detail: c.Detail, Unsure: c.Unsure, Unknown: c.Unknown}
		for _, value := range c.Values {
			column.Values = append(column.Values, firstPart(c.To, value))
		}
		f.Columns = append(f.Columns, column)
	}
	for _, a := range m.Attributes {
		f.Attributes = append(f.Attributes, views.ImportAttribute(a))
	}
	return f
}

// entitiesOf returns the names of the entities that a file is matched to, separated by
// spaces.
func entitiesOf(matches []exchange.FileMatch, file string) string {
	var names []string
	for i := range matches {
		if matches[i].File == file {
			names = append(names, matches[i].Entity)
		}
	}
	return strings.Join(names, " ")
}

func rowsOfFile(rows *exchange.RowPreview) views.RowsOfFile {
	p := views.RowsOfFile{Name: rows.File, Entity: rows.Entity, Columns: rows.Columns}
	for _, row := range rows.Rows {
		shown := views.ImportPreviewRow{Number: row.Number, Reason: store.MaskLikelyCards(row.Reason)}
		for i, cell := range row.Cells {
			shown.Cells = append(shown.Cells, firstPart(rows.Columns[i], cell))
		}
		p.Rows = append(p.Rows, shown)
	}
	return p
}

// firstPart shortens a value of an attribute for the page, and masks card numbers in it.
func firstPart(attribute, text string) string {
	const length = 60
	text = exchange.MaskValue(attribute, text)
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "…"
	}
	return text
}

// matchImportColumns saves the choices in the form as a mapping. It shows the form again
// if the user asked for this or still has to choose something.
func matchImportColumns(r *request) error {
	shown, err := r.importColumnsPage("", nil)
	if err != nil {
		return err
	}
	form, err := r.readForm(columnFields(&shown)...)
	if err != nil {
		return err
	}
	if form.Get(views.ButtonSuggest) != "" {
		return r.ignoreRemembered(form.Get("shown"))
	}
	text, again, err := r.site.imports.Choose(r.ctx(), r.id(), choices(&shown, form))
	if err != nil {
		return r.rejectMapping("", err)
	}
	if err := r.saveMapping(form.Get("shown"), text, false); err != nil {
		return r.rejectMapping("", err)
	}
	if again || form.Get("preview") != "" {
		return web.Redirect(r.Context, views.ImportPath(r.id())+"/columns")
	}
	return r.finishMatching(text, form.Get("remember") != "")
}

// ignoreRemembered replaces mappings that were remembered from earlier imports with
// suggestions, and shows the form for review.
func (r *request) ignoreRemembered(shown string) error {
	text, err := r.site.imports.SuggestAgain(r.ctx(), r.id())
	if err == nil {
		err = r.saveMapping(shown, text, false)
	}
	if err != nil {
		return r.rejectMapping("", err)
	}
	return web.Redirect(r.Context, views.ImportPath(r.id())+"/columns")
}

// finishMatching checks that the saved mapping fits the files, and marks it as complete.
// It shows the form again if the mapping does not fit, if the user still has to choose
// something, or if another user has saved another mapping since. If remember is true, it
// remembers the mapping for later imports.
func (r *request) finishMatching(text string, remember bool) error {
	matches, _, problems, err := r.site.imports.Matches(r.ctx(), r.id())
	if err != nil {
		return err
	}
	upload, err := r.site.imports.Upload(r.id())
	if err != nil {
		return err
	}
	missing := missingChoices(len(upload.Files), matches)
	if len(problems)+len(missing) > 0 {
		page, err := r.importColumnsPage("", nil)
		if err != nil {
			return err
		}
		page.Problems = append(page.Problems, missing...)
		return r.site.tools.RenderStatus(r.Context, http.StatusUnprocessableEntity, views.ImportColumnsPage(page))
	}
	if err := r.saveMapping(imports.MappingDigest(text), text, true); err != nil {
		return r.rejectMapping("", err)
	}
	if remember {
		err := r.site.imports.Remember(r.ctx(), r.shop, r.id())
		var rejected *store.Error
		if errors.As(err, &rejected) && rejected.Kind == store.Invalid {
			return r.redirectWithFlash("Columns matched. "+rejected.Message, views.ImportPath(r.id()))
		}
		if err != nil {
			return err
		}
	}
	return r.redirectWithFlash("Columns matched.", views.ImportPath(r.id()))
}

// missingChoices returns messages about what the user still has to choose: an entity for
// the rows, or columns for required attributes. Pass the number of uploaded files. The
// slice matches contains only the files that need a mapping.
func missingChoices(files int, matches []exchange.FileMatch) (missing []string) {
	imported := func(m exchange.FileMatch) bool { return m.Entity != exchange.NoEntity }
	listed := 0
	for i := range matches {
		if matches[i].Table == 0 {
			listed++
		}
	}
	if listed == files && !slices.ContainsFunc(matches, imported) {
		missing = append(missing, "No file would be imported. Under 'Import rows as', choose the kind of records.")
	}
	for i := range matches {
		m := &matches[i]
		for _, a := range m.Attributes {
			if a.Required && a.Constant == "" {
				missing = append(missing, m.File+": Choose a column for "+a.Name+" of "+m.Entity+", or enter a value for all rows.")
			}
		}
	}
	return missing
}

// saveMapping saves the mapping of the upload. It returns Conflict if another mapping has
// been saved since the one that shown identifies, which is the mapping that the form
// showed. Pass true for accepted if the user has reviewed the mapping and it is complete;
// a dry run requires this.
func (r *request) saveMapping(shown, text string, accepted bool) error {
	return r.site.imports.SetMapping(r.id(), shown, text, accepted)
}

// rejectMapping shows the form again, with the errors of the mapping. After a conflict,
// it shows the mapping that was saved in the meantime, by another user or in another
// tab.
func (r *request) rejectMapping(text string, err error) error {
	status := http.StatusUnprocessableEntity
	if store.KindOf(err) == store.Conflict {
		status = http.StatusConflict
	} else if fileProblems(err) == nil {
		return err
	}
	page, failed := r.importColumnsPage(text, err)
	if failed != nil {
		return failed
	}
	return r.site.tools.RenderStatus(r.Context, status, views.ImportColumnsPage(page))
}

// columnFields returns the names of all fields of the form that matches columns.
func columnFields(p *views.ImportColumns) []string {
	names := []string{"remember", "preview", "shown", views.ButtonSuggest}
	for i := range p.Files {
		names = append(names, views.EntityField(i))
		for j := range p.Files[i].Columns {
			names = append(names, views.ColumnField(i, j))
		}
		for k := range p.Files[i].Attributes {
			names = append(names, views.ConstantField(i, k))
		}
	}
	return names
}

// choices returns the entities in the form, with the columns and values that differ from
// the saved mapping.
func choices(p *views.ImportColumns, form web.Form) (all []imports.Choice) {
	for i := range p.Files {
		f := &p.Files[i]
		c := imports.Choice{File: f.Name, Table: f.Table, Entity: form.Get(views.EntityField(i)), Columns: map[string]string{}, Constants: map[string]string{}}
		for j := range f.Columns {
			chosen := form.All(views.ColumnField(i, j))
			column := &f.Columns[j]
			if len(chosen) == 0 || chosen[0] == views.ImportKept || chosen[0] == column.To && column.Detail == "" && !column.Unknown {
				continue
			}
			c.Columns[column.Name] = chosen[0]
		}
		for k := range f.Attributes {
			value := form.All(views.ConstantField(i, k))
			if len(value) > 0 && value[0] != f.Attributes[k].Constant {
				c.Constants[f.Attributes[k].Name] = value[0]
			}
		}
		all = append(all, c)
	}
	return all
}

// saveImportMapping saves a mapping that the user has edited as text.
func saveImportMapping(r *request) error {
	form, err := r.readForm("mapping", "shown")
	if err != nil {
		return err
	}
	text := form.Get("mapping")
	if strings.TrimSpace(text) == "" {
		text = ""
	}
	if _, err := exchange.ReadDraft(imports.MappingName, text); err != nil {
		return r.rejectMapping(text, err)
	}
	if err := r.saveMapping(form.Get("shown"), text, false); err != nil {
		return r.rejectMapping(text, err)
	}
	return r.redirectWithFlash("Mapping saved.", views.ImportPath(r.id())+"/columns")
}

// sendImportMapping sends the mapping as a file that the command line accepts too.
func sendImportMapping(r *request) error {
	upload, err := r.site.imports.Upload(r.id())
	if err != nil {
		return err
	}
	if upload.Mapping == "" {
		return &store.Error{Kind: store.NotFound, Message: "These files have no mapping."}
	}
	_, err = web.Download(r.Context, imports.MappingName, "application/yaml").Write([]byte(upload.Mapping))
	return err
}

// needsColumns reports whether the user must match columns before the import can start.
func needsColumns(u *imports.Upload) bool {
	return !u.Removed && !u.Matched && u.DryRun == nil && slices.ContainsFunc(u.Files, func(f imports.File) bool { return !f.Own })
}
