package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// MappingName is the name of a mapping, in messages and downloads.
const MappingName = "mapping.yaml"

// openFiles are the opened files of an upload.
type openFiles []exchange.File

func (o openFiles) close() {
	for _, f := range o {
		if closer, ok := f.Content.(io.Closer); ok {
			_ = closer.Close() // nothing was written
		}
	}
}

// open opens the files of an upload in a folder. The mapping may be nil.
func (u *Upload) open(folder string, contentPath func(string, int) string, mapping *exchange.Mapping) (openFiles, error) {
	var files openFiles
	for i := range u.Files {
		content, err := os.Open(filepath.Join(folder, filepath.Base(contentPath("", i))))
		if err != nil {
			files.close()
			return nil, err
		}
		files = append(files, exchange.File{Name: u.Files[i].Name, Content: content, Mapping: mapping, Partial: u.Options.Update, MaxModel: MaxModel})
	}
	return files, nil
}

// openUpload opens the files of a kept upload with its mapping.
func (r *Runner) openUpload(ctx context.Context, u *Upload) (openFiles, error) {
	if u.Removed {
		return nil, notFound()
	}
	mapping, err := r.mapping(ctx, u.Mapping)
	if err != nil {
		return nil, err
	}
	return u.open(r.path(u.ID), r.contentPath, mapping)
}

// mapping reads a mapping with the currency of the business; nil for "".
func (r *Runner) mapping(ctx context.Context, text string) (*exchange.Mapping, error) {
	if text == "" {
		return nil, nil
	}
	m, err := exchange.ReadMapping(MappingName, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	settings, err := r.Store.Settings(ctx)
	m.SetCurrency(settings.Currency)
	return m, err
}

// match finds the mapping of the files: first the mapping that was sent, then
// remembered mappings, then suggestions. Suggestions have to be accepted.
func (x *Receiver) match(ctx context.Context, access store.Access) error {
	u := x.upload
	draft, err := exchange.ReadDraft(MappingName, string(x.mapping))
	if err != nil {
		return err
	}
	files, err := u.open(x.folder, x.runner.contentPath, nil)
	if err != nil {
		return err
	}
	defer files.close()
	if err := u.findOwn(files); err != nil {
		return err
	}
	u.Matched = true
	var unknown []int
	for i := range files {
		if u.Files[i].Own || draft.Has(files[i].Name) {
			continue
		}
		found, err := takeRemembered(ctx, access, draft, files[i])
		if err != nil {
			return err
		}
		if !found {
			unknown, u.Matched = append(unknown, i), false
		}
	}
	if err := suggest(draft, files, unknown, nil); err != nil {
		return err
	}
	u.Mapping, err = draft.Text()
	return err
}

// findOwn finds the files that need no mapping. It returns a FileError for each file
// that cannot be read.
func (u *Upload) findOwn(files openFiles) error {
	var problems exchange.FileErrors
	for i := range files {
		own, err := files[i].HasOwnColumns()
		var problem *exchange.FileError
		switch {
		case errors.As(err, &problem):
			problems = append(problems, problem)
		case err != nil:
			return err
		}
		u.Files[i].Own = own
		if err := files.rewind(i); err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

func (o openFiles) rewind(i int) error {
	_, err := o[i].Content.(io.Seeker).Seek(0, io.SeekStart)
	return err
}

// takeRemembered adds the remembered mapping of files with the same header.
func takeRemembered(ctx context.Context, access store.Access, draft *exchange.Draft, file exchange.File) (bool, error) {
	header, err := headerOf(file)
	if err != nil {
		return false, err
	}
	remembered, err := access.ImportMapping(ctx, header)
	if store.KindOf(err) == store.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	other, err := exchange.ReadDraft(MappingName, remembered.Text)
	if err != nil {
		return false, nil // an attribute that it names is gone
	}
	return draft.Take(file.Name, other, rememberedName), nil
}

// rememberedName is the name of the file in a remembered mapping.
const rememberedName = "file.csv"

// headerOf returns the digest of a file's header.
func headerOf(file exchange.File) (string, error) {
	if _, err := file.Content.(io.Seeker).Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	names, err := file.Header()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range names {
		_, _ = io.WriteString(sum, strings.ToLower(strings.TrimSpace(name))+"\x00") // never fails
	}
	_, err = file.Content.(io.Seeker).Seek(0, io.SeekStart)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// suggest adds suggestions for some of the files to a draft. entities has the entities
// that a user chose, by the names of files.
func suggest(draft *exchange.Draft, files openFiles, some []int, entities map[string]string) error {
	if len(some) == 0 {
		return nil
	}
	for i := range files {
		if err := files.rewind(i); err != nil {
			return err
		}
	}
	wanted := map[int]bool{}
	for _, i := range some {
		wanted[i] = true
	}
	suggested, err := exchange.SuggestMapping(files, func(i int) bool { return wanted[i] }, entities)
	if err != nil {
		return err
	}
	for _, i := range some {
		draft.Take(files[i].Name, suggested, files[i].Name)
	}
	return nil
}

// Matches returns what the mapping says about each CSV file that needs one, and the
// first rows as it reads them. Problems are those of the files, or why the mapping
// cannot be read; there are no matches then.
func (r *Runner) Matches(ctx context.Context, id string) (matches []exchange.FileMatch, rows []exchange.RowPreview, problems exchange.FileErrors, err error) {
	u, err := r.Upload(id)
	if err != nil {
		return nil, nil, nil, err
	}
	draft, err := exchange.ReadDraft(MappingName, u.Mapping)
	if err != nil {
		problems, err = asFileErrors(err)
		return nil, nil, problems, err
	}
	files, err := r.openUpload(ctx, u)
	if err != nil {
		return nil, nil, nil, err
	}
	defer files.close()
	entities := u.entities(draft, files)
	for i, f := range files {
		m, found, err := draft.Match(f, entities)
		if err != nil {
			return nil, nil, nil, err
		}
		if found {
			matches = append(matches, m)
		}
		if err := files.rewind(i); err != nil {
			return nil, nil, nil, err
		}
	}
	rows, err = exchange.Preview(files, previewRows)
	problems, err = asFileErrors(err)
	return matches, rows, problems, err
}

// previewRows is how many rows of each file a page shows before the import.
const previewRows = 3

// asFileErrors returns the errors of files, or any other error.
func asFileErrors(err error) (exchange.FileErrors, error) {
	var all exchange.FileErrors
	var one *exchange.FileError
	switch {
	case errors.As(err, &all):
		return all, nil
	case errors.As(err, &one):
		return exchange.FileErrors{one}, nil
	}
	return nil, err
}

// entities returns the names of the entities that the files have.
func (u *Upload) entities(draft *exchange.Draft, files openFiles) (names []string) {
	for i := range files {
		if u.Files[i].Own {
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(files[i].Name), ".gz"), ".csv"))
			continue
		}
		names = append(names, draft.Entities(files[i].Name)...)
	}
	return names
}

// Choice is what a user chose for the columns of one file.
type Choice struct {
	File      string
	Entity    string
	Columns   map[string]string // attributes by columns, only those that changed
	Constants map[string]string // values by attributes
}

// Choose changes the mapping. If the entity of a file changes, Choose suggests
// columns for it. again then reports that the user must review the mapping once
// more. It returns a FileError if the mapping cannot be read: an attribute has two
// columns, or a column and a constant.
func (r *Runner) Choose(ctx context.Context, id string, choices []Choice) (text string, again bool, err error) {
	u, err := r.Upload(id)
	if err != nil {
		return "", false, err
	}
	draft, err := exchange.ReadDraft(MappingName, u.Mapping)
	if err != nil {
		return "", false, err
	}
	files, err := r.openUpload(ctx, u)
	if err != nil {
		return "", false, err
	}
	defer files.close()
	entities := map[string]string{}
	var changed []int
	for i, f := range files {
		for _, c := range choices {
			if c.File != f.Name {
				continue
			}
			if c.Entity != "" && c.Entity != strings.Join(draft.Entities(f.Name), " ") {
				entities[f.Name], changed, again = c.Entity, append(changed, i), true
				continue
			}
			for column, attribute := range c.Columns {
				draft.Choose(f.Name, column, attribute)
			}
			for attribute, value := range c.Constants {
				draft.SetConstant(f.Name, attribute, value)
			}
		}
	}
	if err := suggest(draft, files, changed, entities); err != nil {
		return "", false, err
	}
	if text, err = draft.Text(); err == nil {
		_, err = exchange.ReadDraft(MappingName, text)
	}
	return text, again, err
}

// Remember keeps the mapping of each file in the store, for files with the same
// header. It leaves out comments, which can quote values of the file.
func (r *Runner) Remember(ctx context.Context, access store.Access, id string) error {
	u, err := r.Upload(id)
	if err != nil {
		return err
	}
	draft, err := exchange.ReadDraft(MappingName, u.Mapping)
	if err != nil {
		return err
	}
	files, err := r.openUpload(ctx, u)
	if err != nil {
		return err
	}
	defer files.close()
	for i, f := range files {
		only, err := exchange.ReadDraft(MappingName, "")
		if err != nil {
			return err
		}
		if u.Files[i].Own || !only.Take(rememberedName, draft, f.Name) {
			continue
		}
		header, err := headerOf(f)
		if err != nil {
			return err
		}
		only.RemoveComments()
		text, err := only.Text()
		if err == nil {
			err = access.RememberImportMapping(ctx, header, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
