package embedded

import (
	"os"
	"time"
)

// Stats describes the file of the store, and the commits since the store was opened.
type Stats struct {
	FileBytes  int64 // size of the file; 0 if it cannot be read
	Commits    int64
	CommitTime time.Duration // total duration of writing and syncing
}

// Stats returns the current statistics.
func (db *DB) Stats() Stats {
	s := Stats{Commits: db.commits.Load(), CommitTime: time.Duration(db.committing.Load())}
	if info, err := os.Stat(db.path); err == nil {
		s.FileBytes = info.Size()
	}
	return s
}
