package imports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
)

// Upload is a set of files that are imported together.
type Upload struct {
	ID            string // a ULID, which is also the ID of the record of the import
	By            string // name of the user
	When          time.Time
	Files         []File
	Mapping       string // mapping of CSV files with other columns, as YAML; "" if there is none
	MappingDigest string `json:",omitempty"` // SHA-256 of the uploaded mapping, in hexadecimal; "" if no mapping was uploaded
	Matched       bool   // a user has accepted the mapping, or none is needed
	Options       Options
	DryRun        *Run // nil before the first dry run
	Import        *Run // nil before the import
	Removed       bool // the files have been deleted
}

// File is an uploaded file.
type File struct {
	Name     string
	Size     int64  // bytes before decompression
	Unpacked int64  // bytes, after decompression
	Digest   string // SHA-256, in hexadecimal
	Rows     int    // number of lines without the header; 0 if the format is not based on lines
	Own      bool   // the file has Stockroom's own columns and needs no mapping

	Remembered bool `json:",omitempty"` // the mapping of the file is that of an earlier import
}

// Options are the options with which a user runs a dry run or an import.
type Options struct {
	SamePeople, MergeLines, Lenient, Update bool

	Prefix string // prefixes for IDs; see exchange.Open
}

// Names returns the options that are set, named like the flags of the command line.
func (o *Options) Names() (names []string) {
	for _, option := range []struct {
		name string
		set  bool
	}{
		{"id-prefix " + o.Prefix, o.Prefix != ""},
		{"same-people", o.SamePeople},
		{"merge-lines", o.MergeLines},
		{"lenient", o.Lenient},
		{"update", o.Update},
	} {
		if option.set {
			names = append(names, option.name)
		}
	}
	return names
}

// Run is a dry run or an import, and its result.
type Run struct {
	State    store.ImportState
	By       string
	Began    time.Time
	Ended    time.Time
	Counts   []store.ImportCounts
	Sum      store.ImportCounts
	Problems []string // why files could not be read, or why the run has stopped

	First    []RejectedRow // the first rejected rows, for the page
	Rejected []RejectedFile

	Warned         int
	Warnings       []RejectedRow // the first warnings
	Corrected      int
	Corrections    []exchange.Correction  // the first corrections
	Changed        exchange.CellChanges   `json:"ChangedCells"` // values that an update changes; earlier versions stored only their number, as Changed
	Removed        exchange.CellChanges   `json:"RemovedCells"` // values that an update removes
	Made           int                    // number of orders made from order lines
	Categories     []exchange.NewCategory // categories that an import would add; set by a dry run
	MoreCategories int                    // number of further categories that Categories omits
}

// RejectedRow is a row that was not imported, or a warning about a row that was imported.
type RejectedRow struct {
	File   string
	Number int
	Reason string
}

// RejectedFile is a file with rejected rows, which can be downloaded.
type RejectedFile struct {
	Name string // suggested name of the download, such as orders.csv.rejected.csv
	Rows int
	Full int // number of rejected rows that are not in the file, because of the limit
	File int // the index of the uploaded file
}

// Total returns the number of rows of all files, or 0 if it is unknown.
func (u *Upload) Total() (rows int) {
	for i := range u.Files {
		if u.Files[i].Rows == 0 {
			return 0
		}
		rows += u.Files[i].Rows
	}
	return rows
}

// IsOpen reports whether the upload can still be imported.
func (u *Upload) IsOpen() bool {
	return !u.Removed && (u.Import == nil || u.Import.State != store.ImportDone)
}

// State returns the state of the upload's import, or "" before the import. While a dry run
// is in progress, it returns ImportRunning. The argument running is the run in progress on
// this server, or nil.
func (u *Upload) State(running *Progress) store.ImportState {
	switch {
	case running != nil && running.ID == u.ID:
		return store.ImportRunning
	case u.Import == nil:
		return ""
	case u.Import.State == store.ImportRunning: // the stored state is out of date: the process of the import has ended
		return store.ImportInterrupted
	}
	return u.Import.State
}

// CanImport reports whether a dry run of the upload has succeeded and the files
// still exist.
func (u *Upload) CanImport() bool {
	return !u.Removed && u.DryRun != nil && u.DryRun.State == store.ImportDone && len(u.DryRun.Problems) == 0
}

func (u *Upload) hasRejected() bool {
	return u.Import != nil && len(u.Import.Rejected) > 0
}

// isUploadID matches IDs of uploads. IDs are also names of folders, so the expression must
// match nothing else.
var isUploadID = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

const infoFile = "upload.json"

func (r *Runner) path(id string, parts ...string) string {
	return filepath.Join(append([]string{r.Folder, id}, parts...)...)
}

// contentPath returns the path of an uploaded file. The path does not contain the name of
// the file, because the user can choose any name.
func (r *Runner) contentPath(id string, file int) string {
	return r.path(id, fmt.Sprintf("file-%02d", file))
}

// Upload returns an upload, or NotFound if this server does not have it.
func (r *Runner) Upload(id string) (*Upload, error) {
	if !isUploadID.MatchString(id) {
		return nil, notFound()
	}
	text, err := os.ReadFile(r.path(id, infoFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	u := &Upload{}
	return u, json.Unmarshal(text, u)
}

// Open returns the uploads that can still be imported, newest first. It skips uploads
// that cannot be read, and returns their errors.
func (r *Runner) Open() ([]*Upload, error) {
	all, err := r.all()
	return slices.DeleteFunc(all, func(u *Upload) bool { return !u.IsOpen() }), err
}

// all returns all uploads, newest first. It skips uploads that cannot be read, and
// returns their errors.
func (r *Runner) all() (all []*Upload, err error) {
	entries, err := os.ReadDir(r.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if !isUploadID.MatchString(entry.Name()) {
			continue
		}
		u, failed := r.Upload(entry.Name())
		if failed != nil {
			if store.KindOf(failed) != store.NotFound {
				err = errors.Join(err, failed)
			}
			continue
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b *Upload) int { return cmp.Or(b.When.Compare(a.When), cmp.Compare(b.ID, a.ID)) })
	return all, err
}

func (r *Runner) save(u *Upload) error { return u.writeTo(r.path(u.ID)) }

// writeTo writes the description of an upload to a folder. It writes and syncs a new file,
// and then renames it, so that a crash cannot leave a part of a file.
func (u *Upload) writeTo(folder string) (err error) {
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	next := filepath.Join(folder, infoFile+".next")
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(folder, infoFile))
}

// change calls the function change to change an upload, and then saves the upload. It
// returns Conflict if a run of the upload is in progress, and NotFound if this server
// does not have the files.
func (r *Runner) change(id string, change func(*Upload) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isRunning(id) {
		return &store.Error{Kind: store.Conflict, Message: "This import is running. Wait until it has ended, or cancel it."}
	}
	u, err := r.Upload(id)
	if err != nil {
		return err
	}
	if u.Removed {
		return notFound()
	}
	if err := change(u); err != nil {
		return err
	}
	return r.save(u)
}

// MappingDigest returns a digest of a mapping. A form contains the digest of the mapping
// that it shows, so that SetMapping can detect that the mapping has been changed since.
func MappingDigest(mapping string) string {
	sum := sha256.Sum256([]byte(mapping))
	return hex.EncodeToString(sum[:])
}

// SetMapping replaces the mapping of an upload with the YAML in the argument text. The
// argument accepted says whether the user has reviewed it, which a dry run requires.
// The argument shown is the MappingDigest of the mapping that the form showed, or "" to
// replace any mapping. SetMapping returns Conflict if another mapping has been saved
// since, by another user or in another tab, unless that mapping is the same as the new one.
// It also returns Conflict if a run of the upload is in progress, and NotFound if this
// server does not have the files.
func (r *Runner) SetMapping(id, shown, text string, accepted bool) error {
	return r.change(id, func(u *Upload) error {
		if shown != "" && shown != MappingDigest(u.Mapping) && text != u.Mapping {
			return &store.Error{Kind: store.Conflict, Message: "The columns have been changed in the meantime. This page shows the latest choices: check them and continue."}
		}
		if text != u.Mapping {
			u.forgetRemembered()
		}
		u.Mapping, u.Matched, u.DryRun = text, accepted, nil
		return nil
	})
}

// Remove deletes an upload with its results and rejected rows. It returns Conflict if a
// run of the upload is in progress, and NotFound if this server does not have the
// upload.
func (r *Runner) Remove(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.Upload(id); err != nil {
		return err
	}
	if r.isRunning(id) {
		return &store.Error{Kind: store.Conflict, Message: "This import is running. Cancel it first."}
	}
	return os.RemoveAll(r.path(id))
}

// removeFiles deletes the uploaded files. The results stay.
func (r *Runner) removeFiles(u *Upload) error {
	if u.Removed {
		return nil
	}
	var failed error
	for i := range u.Files {
		if err := os.Remove(r.contentPath(u.ID, i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	u.Removed, u.Mapping = true, ""
	return r.save(u)
}
