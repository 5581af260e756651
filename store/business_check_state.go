package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"stockroom/store/spill"
	"stockroom/store/table"
)

// checkState is the progress of a check, stored in a file next to the file of facts.
type checkState struct {
	Table   string
	Shards  int
	Began   time.Time
	Items   int     // items that were read
	Segment int     // segment of the scan
	PK, SK  string  // key of the last item of the last checked partition; "" at the beginning
	Runs    []int64 // where the sorted runs in the file of facts end; see spill.Sorter
}

func (s checkState) from() Item {
	if s.PK == "" {
		return nil
	}
	return table.Key(s.PK, s.SK)
}

const (
	factBuffer   = 8 << 20 // maximum size of the facts in memory, in bytes
	factSuffix   = ".facts"
	itemsPerSave = 50_000
)

// open opens the file of facts of an interrupted check, or creates a new file.
func (c *businessChecker) open() (err error) {
	c.state = checkState{Table: c.store.Table(), Shards: c.settings.Shards, Began: c.store.now()}
	if c.how.Resume == "" {
		c.facts, err = spill.OpenTemp(c.how.Folder, factBuffer)
		return err
	}
	if err := c.readState(); err != nil {
		return err
	}
	if c.facts, err = spill.Open(c.how.Resume+factSuffix, c.state.Runs, factBuffer); err != nil {
		return err
	}
	c.result.Items = c.state.Items
	return nil
}

func (c *businessChecker) readState() error {
	text, err := os.ReadFile(c.how.Resume)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var earlier checkState
	switch err := json.Unmarshal(text, &earlier); {
	case c.how.ResumeWithin > 0 && (err != nil || earlier.Table != c.state.Table || earlier.Shards != c.state.Shards || c.state.Began.Sub(earlier.Began) > c.how.ResumeWithin):
		return nil
	case err != nil:
		return fail(Invalid, "%s does not contain the progress of a check (%v). Choose another file.", c.how.Resume, err)
	case earlier.Table == "":
		return fail(Invalid, "%s does not contain the progress of a check. Choose another file.", c.how.Resume)
	case earlier.Table != c.state.Table:
		return fail(Invalid, "%s contains the progress of a check of table %s. Delete this file, or choose another one.", c.how.Resume, earlier.Table)
	case earlier.Shards != c.state.Shards:
		return fail(Conflict, "The number of shards has changed since the check in %s was interrupted. Delete the file and start again.", c.how.Resume)
	}
	c.state, c.resumed = earlier, true
	return nil
}

func (c *businessChecker) save() (err error) {
	if c.how.Resume == "" {
		return nil
	}
	if c.state.Runs, err = c.facts.Flush(); err != nil {
		return err
	}
	text, err := json.Marshal(c.state)
	if err != nil {
		return err
	}
	next := c.how.Resume + ".next"
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, c.how.Resume)
}

// close deletes the files. If the check was interrupted and can be continued, close keeps
// them.
func (c *businessChecker) close(runErr error) error {
	err := errors.Join(runErr, c.facts.Close())
	if c.how.Resume == "" || runErr != nil {
		return err
	}
	for _, path := range []string{c.how.Resume, c.how.Resume + factSuffix} {
		if removeErr := os.Remove(path); !errors.Is(removeErr, fs.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
	}
	return err
}
