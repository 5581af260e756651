package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// takeRemembered adds the mapping of an earlier file with the same header to draft. It
// returns false if there is none.
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
		return false, nil // the mapping contains an attribute that no longer exists
	}
	other.RemoveDecimalSigns() // the numbers of this file can have the other decimal separator
	return draft.Take(file.Name, other, rememberedName), nil
}

// RememberedFiles returns the names of the files with the mapping of an earlier import, if
// nobody has changed the mapping since.
func (u *Upload) RememberedFiles() (names []string) {
	for i := range u.Files {
		if u.Files[i].Remembered {
			names = append(names, u.Files[i].Name)
		}
	}
	return names
}

func (u *Upload) forgetRemembered() {
	for i := range u.Files {
		u.Files[i].Remembered = false
	}
}

// SuggestAgain returns the mapping of an upload, in which suggestions replace the mappings
// of earlier imports.
func (r *Runner) SuggestAgain(ctx context.Context, id string) (string, error) {
	u, err := r.Upload(id)
	if err != nil {
		return "", err
	}
	draft, err := exchange.ReadDraft(MappingName, u.Mapping)
	if err != nil {
		return "", err
	}
	files, err := r.openUpload(ctx, u)
	if err != nil {
		return "", err
	}
	defer files.close()
	var remembered []int
	for i := range u.Files {
		if u.Files[i].Remembered {
			remembered = append(remembered, i)
		}
	}
	if err := suggest(draft, files, remembered, nil); err != nil {
		return "", err
	}
	return draft.Text()
}

// rememberedName stands for the name of the file in a remembered mapping.
const rememberedName = "file.csv"

// headerOf returns a digest of the column names in a file's header.
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

// Remember stores the mapping of each file that needs one, for later files with the
// same header. It leaves out comments, because they can contain values from the file.
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
