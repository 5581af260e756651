package embedded

import (
	"os"
	"time"
)

// Stats describes the store's file and the commits since it was opened.
type Stats struct {
	FileBytes  int64 // size of the file; 0 if it cannot be read
	Commits    int64
	CommitTime time.Duration // total time of writing and syncing
}

// Stats returns the current values.
func (db *DB) Stats() Stats {
	s := Stats{Commits: db.commits.Load(), CommitTime: time.Duration(db.committing.Load())}
	if info, err := os.Stat(db.path); err == nil {
		s.FileBytes = info.Size()
	}
	return s
}
