package views

import (
	"slices"
	"strings"

	"stockroom/store"
)

// Check is the page of the last check of the books, and of the checks and the size of
// the data file.
type Check struct {
	Page
	List
	Report store.CheckReport
	Done   bool      // a check has been completed
	On     bool      // the scheduler is on
	File   *DataFile // nil if there is no data file
	Token  string    // token of the forms

	Running bool // a server is checking the books
	Items   int  // number of items that this server has checked so far; 0 if another server runs the check
}

// FindingPages returns the paths of the pages on which an admin sees the records that a
// finding is about. Pass the partition keys of these records.
func FindingPages(about []string) []string {
	var paths []string
	for _, partition := range about {
		if path := RecordPath(&store.User{Role: store.Admin}, partition); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// CheckPath is the address of the page of the last check. CheckNowPath is the path of the
// form that starts a check.
const (
	CheckPath    = "/admin/check"
	CheckNowPath = "/admin/check/now"
)

// findingName returns the text of a link to a record: the part of the partition key
// after the last #.
func findingName(partition string) string {
	return partition[strings.LastIndexByte(partition, '#')+1:]
}

func findingCount(n int) string {
	if n == 1 {
		return "1 finding"
	}
	return number(n) + " findings"
}

// progress says how many items the running check has read. It takes the number of items in
// the last check as an estimate of the total.
func (p *Check) progress() string {
	switch {
	case p.Items == 0:
		return "A check is running."
	case p.Report.Items > p.Items:
		return "A check is running: " + number(p.Items) + " of about " + number(p.Report.Items) + " items."
	}
	return "A check is running: " + count(p.Items, "item", "items") + " so far."
}
