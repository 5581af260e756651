package views

import "time"

// DataFile describes the file of the embedded store, for admins.
type DataFile struct {
	Bytes int64 // size of the file

	Checked    time.Time // end of the last check; zero before the first one
	Problems   int       // number of problems that the last check found
	First      []string  // the first of these problems
	CheckError string    // why the check failed
	Next       time.Time // when the next check begins; zero if none is planned

	Checking bool // a check is running
	Percent  int  // approximate progress of the running check

	Compacting    bool
	Compacted     time.Time // end of the last compaction; zero before the first one
	Before, After int64     // size of the file in bytes
	CompactError  string    // why the compaction failed
}

// CompactPath is the address of the form that compacts the file.
const CompactPath = "/admin/check/compact"

// checkText says when the file was last checked, and the result.
func checkText(p *Page, f *DataFile) string {
	switch {
	case f.Checking && f.Checked.IsZero():
		return "The first check since the server started is running."
	case f.Checked.IsZero():
		return "Not checked since the server started."
	case f.CheckError != "":
		return p.time(f.Checked) + ": the check failed"
	case f.Problems > 0:
		return p.time(f.Checked) + ": " + count(f.Problems, "problem", "problems")
	}
	return p.time(f.Checked) + ": no problems"
}

// megabytes formats a size.
func megabytes(bytes int64) string {
	return number(int((bytes+500_000)/1_000_000)) + " MB"
}
