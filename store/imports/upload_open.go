package imports

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store/exchange"
)

// MappingName is the file name of a mapping in messages and downloads.
const MappingName = "mapping.yaml"

// openFiles is the list of an upload's open files.
type openFiles []exchange.File

func (o openFiles) close() {
	for _, f := range o {
		if closer, ok := f.Content.(io.Closer); ok {
			_ = closer.Close() // the file was only read, so the error does not matter
		}
	}
}

// open opens the files of an upload in a folder. The argument mapping may be nil.
func (u *Upload) open(folder string, contentPath func(string, int) string, mapping *exchange.Mapping) (openFiles, error) {
	var files openFiles
	for i := range u.Files {
		content, err := os.Open(filepath.Join(folder, filepath.Base(contentPath("", i))))
		if err != nil {
			files.close()
			return nil, err
		}
		files = append(files, exchange.File{Name: u.Files[i].Name, Content: content, Mapping: mapping, Partial: u.Options.Update, Folder: folder, Limits: limits})
	}
	return files, nil
}

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

// AbsentFiles returns the names of files that are in the mapping but not in the upload. It
// returns none if the mapping cannot be read.
func (u *Upload) AbsentFiles() []string {
	if u.Mapping == "" {
		return nil
	}
	m, err := exchange.ReadMapping(MappingName, strings.NewReader(u.Mapping))
	if err != nil {
		return nil
	}
	names := make([]string, len(u.Files))
	for i := range u.Files {
		names[i] = u.Files[i].Name
	}
	return m.Absent(names)
}

// mapping parses a mapping, with the currency of the business. It returns nil for
// "".
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

func (o openFiles) rewind(i int) error {
	_, err := o[i].Content.(io.Seeker).Seek(0, io.SeekStart)
	return err
}

// asFileErrors returns err as FileErrors if it is about files. Otherwise it returns err as
// the second result.
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
