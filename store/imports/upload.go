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
	ID      string // a ULID, also of the import's record
	By      string // the user's name
	When    time.Time
	Files   []File
	Mapping string // of CSV files with other columns, in YAML; "" if there are none
	Matched bool   // the mapping was accepted, or is not needed
	Options Options
	DryRun  *Run // nil before it
	Import  *Run // nil before it
	Removed bool // the files are not kept any more
}

// File is an uploaded file.
type File struct {
	Name     string
	Size     int64  // bytes, as sent
	Unpacked int64  // bytes, after decompression
	Digest   string // SHA-256, in hexadecimal
	Rows     int    // lines without the header; 0 if the format has no lines
	Own      bool   // it needs no mapping
}

// Options are the options of a dry run or import.
type Options struct {
	SamePeople, MergeLines, Lenient, Update bool

	Prefix string // of IDs; see exchange.Open
}

// Names returns the options that are set, by the names of their flags on the command
// line.
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

// Run is the result of a dry run or of an import.
type Run struct {
	State    store.ImportState
	By       string
	Began    time.Time
	Ended    time.Time
	Counts   []store.ImportCounts
	Sum      store.ImportCounts
	Problems []string // why files could not be read, or why the run stopped

	First    []RejectedRow // the first rejected rows
	Rejected []RejectedFile

	Warned      int
	Warnings    []RejectedRow // the first of them
	Corrected   int
	Corrections []exchange.Correction // the first of them
	Changed     int                   // values that an update changes
	Changes     []exchange.CellChange // the first of them
	Made        int                   // orders that were created from their lines
}

// RejectedRow is a row that was not imported, or a warning about one.
type RejectedRow struct {
	File   string
	Number int
	Reason string
}

// RejectedFile is a file with rejected rows, which can be downloaded.
type RejectedFile struct {
	Name string // for the download, such as orders.csv.rejected.csv
	Rows int
	Full int // rows for which there was no room
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

// IsOpen reports whether the upload still waits for its import.
func (u *Upload) IsOpen() bool {
	return !u.Removed && (u.Import == nil || u.Import.State != store.ImportDone)
}

// State returns the state of the import of the upload, or "" before it. running is what
// runs on this server; it may be nil.
func (u *Upload) State(running *Progress) store.ImportState {
	switch {
	case running != nil && running.ID == u.ID:
		return store.ImportRunning
	case u.Import == nil:
		return ""
	case u.Import.State == store.ImportRunning: // another process runs it or has ended
		return store.ImportInterrupted
	}
	return u.Import.State
}

// CanImport reports whether the dry run of these files, columns and options ended
// well.
func (u *Upload) CanImport() bool {
	return !u.Removed && u.DryRun != nil && u.DryRun.State == store.ImportDone && len(u.DryRun.Problems) == 0
}

func (u *Upload) hasRejected() bool {
	return u.Import != nil && len(u.Import.Rejected) > 0
}

// isUploadID matches the IDs of uploads, which are names of folders.
var isUploadID = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

const infoFile = "upload.json"

func (r *Runner) path(id string, parts ...string) string {
	return filepath.Join(append([]string{r.Folder, id}, parts...)...)
}

// contentPath returns the path of an uploaded file. Its own name is never part of a
// path.
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

// Open returns the uploads that wait for their import, newest first.
func (r *Runner) Open() ([]*Upload, error) {
	all, err := r.all()
	return slices.DeleteFunc(all, func(u *Upload) bool { return !u.IsOpen() }), err
}

// all returns all uploads, newest first. It skips uploads that cannot be read.
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

// save writes what is known about an upload, in one step.
func (r *Runner) save(u *Upload) error { return u.writeTo(r.path(u.ID)) }

// writeTo writes what is known about an upload to its folder, and syncs the file.
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

// change changes an upload that is not running.
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

// MappingDigest identifies the mapping that a form shows.
func (u *Upload) MappingDigest() string {
	sum := sha256.Sum256([]byte(u.Mapping))
	return hex.EncodeToString(sum[:])
}

// SetMapping sets the mapping of an upload. Once it is accepted, the next step is a dry
// run. It returns Conflict if shown is the digest of an earlier mapping, unless the
// upload has the new mapping already. An empty shown is not compared.
func (r *Runner) SetMapping(id, shown, text string, accepted bool) error {
	return r.change(id, func(u *Upload) error {
		if shown != "" && shown != u.MappingDigest() && text != u.Mapping {
			return &store.Error{Kind: store.Conflict, Message: "The columns were changed meanwhile. This page shows the latest choices: check them and continue."}
		}
		u.Mapping, u.Matched, u.DryRun = text, accepted, nil
		return nil
	})
}

// Remove removes an upload with its results and rejected rows. It returns Conflict
// while the import runs.
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

// removeFiles removes the uploaded files and keeps the results.
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
