package imports

import (
	"context"
	"errors"

	"stockroom/store"
	"stockroom/store/exchange"
)

// match finds a mapping for each file. It tries the uploaded mapping, the mappings of
// earlier imports, and a suggestion, in this order. Users must accept suggestions.
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
		if u.Files[i].Remembered = found; !found {
			unknown, u.Matched = append(unknown, i), false
		}
	}
	if err := suggest(draft, files, unknown, nil); err != nil {
		return err
	}
	u.Mapping, err = draft.Text()
	return err
}

// findOwn marks the files that need no mapping. It returns a FileError for each file
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

// suggest adds suggested mappings for some of the files to a draft. The argument some
// contains the indexes of these files. The map entities contains the entities that a user
// has chosen, by file name.
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

// Matches returns the mapping of each CSV file that needs one, and a preview of the
// file's first rows. The result problems says what is wrong with the files or the
// mapping. If the mapping cannot be read, Matches returns only problems.
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
		m, err := draft.Match(f, entities)
		if err != nil {
			return nil, nil, nil, err
		}
		matches = append(matches, m...)
		if err := files.rewind(i); err != nil {
			return nil, nil, nil, err
		}
	}
	rows, err = exchange.Preview(files, previewRows)
	problems, err = asFileErrors(err)
	return matches, rows, problems, err
}

const previewRows = 3

// entities returns the names of the entities in all files of the upload.
func (u *Upload) entities(draft *exchange.Draft, files openFiles) (names []string) {
	for i := range files {
		if u.Files[i].Own {
			names = append(names, files[i].EntityName())
			continue
		}
		names = append(names, draft.Entities(files[i].Name)...)
	}
	return names
}
