package store

import (
	"fmt"
	"strings"
	"time"

	"stockroom/store/table"
)

// ImportState is the state of an import.
type ImportState string

// States of an import.
const (
	ImportRunning     ImportState = "RUNNING"
	ImportDone        ImportState = "DONE"
	ImportStopped     ImportState = "STOPPED"     // stopped by an error or by too many rejected rows
	ImportCancelled   ImportState = "CANCELLED"   // stopped by a user
	ImportInterrupted ImportState = "INTERRUPTED" // stopped because its server or command ended
)

// ImportRun is the record of an import from the browser or the command line. If an import
// stops early, the rows that it has already imported stay in the table.
type ImportRun struct {
	ID      string // a ULID; if the files were uploaded, the ID of the upload
	By      string // user name, or Program
	State   ImportState
	Upload  bool // the files were uploaded, and the server may still have them
	Options []string
	Began   time.Time
	Updated time.Time // time of the last heartbeat (see importHeartbeat), or of the end
	Files   []ImportFile
	Counts  []ImportCounts // counts by file and entity type; at most maxImportCounts
	Sum     ImportCounts   // sum of the counts of all rows
	Problem string         // why the import stopped
	Expires time.Time      `json:"-"` // TTL
	Version int
}

// ImportFile is an imported file. Size and Digest are not set for standard input that the
// import has not read to its end.
type ImportFile struct {
	Name   string
	Size   int    // bytes, before decompression
	Digest string // SHA-256 in hexadecimal
}

// NameAndDigest returns the name and the digest, or the name and why there is no digest.
func (f *ImportFile) NameAndDigest() string {
	if f.Digest == "" {
		return f.Name + " (not read to its end)"
	}
	return f.Name + " " + f.Digest
}

// ImportCounts counts the rows of one entity type in one file by outcome. Read is the sum
// of the other counts.
type ImportCounts struct {
	File      string `json:",omitempty"`
	Entity    string `json:",omitempty"`
	Read      int
	Added     int
	Unchanged int
	Updated   int
	Merged    int // order lines whose quantity was added to that of an earlier line
	Rejected  int
}

// Limits of the record of an import, so that it fits into one item of 400 KB.
const (
	maxImportFiles  = 100
	maxImportCounts = 200
	maxImportName   = 200 // maximum length of a file name in bytes
	importDays      = 366 // days after which TTL deletes the record
)

// importHeartbeat is how often a running import updates its record. After importSilence
// without an update, the import counts as interrupted.
const (
	importHeartbeat = 15 * time.Second
	importSilence   = time.Minute
)

func (*ImportRun) EntityType() string { return "importRun" }

func (r *ImportRun) KeyValue(name string) string {
	switch name {
	case "id":
		return r.ID
	case "year":
		return r.Began.UTC().Format("2006")
	}
	return ""
}

func (r *ImportRun) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "import#", &r.ID)
	a.Text("By", &r.By)
	a.Text("State", (*string)(&r.State))
	a.Flag("Upload", &r.Upload)
	a.Texts("Options", &r.Options)
	a.Time("Began", &r.Began)
	a.Time("Updated", &r.Updated)
	table.Slice(a, "Files", &r.Files, func(f *ImportFile, a *table.Attributes) {
		a.Text("Name", &f.Name)
		a.Count("Size", &f.Size)
		a.Text("Digest", &f.Digest)
	})
	table.Slice(a, "Counts", &r.Counts, (*ImportCounts).attributes)
	a.Nested("Sum", r.Sum.attributes)
	a.Text("Problem", &r.Problem)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.Version(&r.Version)
}

func (c *ImportCounts) attributes(a *table.Attributes) {
	a.Text("File", &c.File)
	a.Text("Entity", &c.Entity)
	a.Count("Read", &c.Read)
	a.Count("Added", &c.Added)
	a.Count("Unchanged", &c.Unchanged)
	a.Count("Updated", &c.Updated)
	a.Count("Merged", &c.Merged)
	a.Count("Rejected", &c.Rejected)
}

// String describes the counts, for the event of the import.
func (c *ImportCounts) String() string {
	return fmt.Sprintf("%d read, %d added, %d unchanged, %d updated, %d merged, %d rejected", c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected)
}

// StateAt returns the state of the import at a time. A running import counts as
// interrupted if its last heartbeat is too old.
func (r *ImportRun) StateAt(now time.Time) ImportState {
	if r.State == ImportRunning && now.Sub(r.Updated) > importSilence {
		return ImportInterrupted
	}
	return r.State
}

// FileNames returns the names of the first files, and how many more there are, such as
// "a.csv, b.csv, c.csv and 2 more".
func (r *ImportRun) FileNames() string {
	const first = 3
	var names []string
	for _, f := range r.Files[:min(first, len(r.Files))] {
		names = append(names, f.Name)
	}
	text := strings.Join(names, ", ")
	if more := len(r.Files) - first; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// digests returns the names and SHA-256 digests of the first 20 files, for the event of
// the import.
func (r *ImportRun) digests() string {
	const first = 20
	var all []string
	for _, f := range r.Files[:min(first, len(r.Files))] {
		all = append(all, f.NameAndDigest())
	}
	return strings.Join(all, ", ")
}

// limit shortens the lists and strings of the record, so that it fits into one item.
func (r *ImportRun) limit() {
	r.Files = r.Files[:min(len(r.Files), maxImportFiles)]
	r.Counts = r.Counts[:min(len(r.Counts), maxImportCounts)]
	for i := range r.Files {
		r.Files[i].Name = shorten(r.Files[i].Name, maxImportName)
	}
	for i := range r.Counts {
		r.Counts[i].File = shorten(r.Counts[i].File, maxImportName)
	}
	r.Problem = shorten(MaskCardNumbers(r.Problem), maxCheckText)
}
