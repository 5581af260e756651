package cli

import (
	"errors"
	"time"

	"stockroom/handlers"
	"stockroom/store/embedded"
)

// Times of the checks of the data file. The first check is some minutes after the start, so
// that it does not slow down the start.
const (
	firstFileCheck = 10 * time.Minute
	fileCheckEvery = 24 * time.Hour
)

// dataFile gives pages access to the file of this server's embedded store.
type dataFile struct{ engine *embedded.DB }

// dataFile returns the data file, or nil if the backend is Amazon DynamoDB.
func (b *backend) dataFile() handlers.DataFile {
	if b.engine == nil {
		return nil
	}
	return dataFile{b.engine}
}

func (f dataFile) State() handlers.DataFileState {
	checks, compaction := f.engine.CheckStatus(), f.engine.CompactStatus()
	state := handlers.DataFileState{
		Bytes:      f.engine.Stats().FileBytes,
		Next:       checks.Next,
		Checking:   checks.Running,
		Percent:    checks.Percent,
		Compacting: compaction.Running,
		Compacted:  compaction.Ended,
		Before:     compaction.Result.Before,
		After:      compaction.Result.After,
	}
	if last := checks.Last; last != nil {
		state.Checked, state.Problems, state.First = last.Ended, last.Problems, last.First
		state.CheckError = problemText(last.Err)
	}
	state.CompactError = problemText(compaction.Err)
	return state
}

func (f dataFile) Compact() error {
	if err := f.engine.CompactInBackground(); !errors.Is(err, embedded.ErrCompacting) {
		return err
	}
	return nil
}

// problemText returns the text that admins see for an error. For most errors, it only
// refers to the log, which contains the complete error.
func problemText(err error) string {
	var stated interface{ Problem() string }
	switch {
	case err == nil:
		return ""
	case errors.As(err, &stated):
		return stated.Problem()
	}
	return "See the log of the server."
}
