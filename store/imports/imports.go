// Package imports makes dry runs and imports of files: Work is that of the command
// line and of uploads. A Runner keeps uploaded files on the disk of the server, and
// imports them in the background. Uploads belong to the server that received them;
// the records of imports are in the store.
package imports

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
)

// Limits of uploads. They bound the disk that uploads use. A model is kept in memory;
// other files are read in batches.
const (
	MaxFiles    = 20
	MaxSize     = 64 << 20  // bytes of all files of an upload, as sent
	MaxUnpacked = 256 << 20 // bytes of all files of an upload, after decompression
	MaxModel    = 16 << 20  // bytes of a NoSQL Workbench model, after decompression
	MaxUploads  = 10        // with files, on this server

	maxModelRows = 50_000 // rows of a model, which is kept in memory
	maxTotals    = 20_000 // totals and quotas of all files, which are kept in memory

	maxKept        = 50       // uploads whose rejected rows are kept
	MaxRejected    = 16 << 20 // bytes of the rejected rows of a run
	cleanInterval  = time.Hour
	maxMappingText = 1 << 20
)

// limits bound the memory of an import.
var limits = exchange.Limits{Model: MaxModel, ModelRows: maxModelRows, Totals: maxTotals}

// How long files and rejected rows are kept after the upload.
const (
	FilesLife    = 24 * time.Hour
	RejectedLife = 30 * 24 * time.Hour
)

// Config configures a Runner.
type Config struct {
	Store  *store.Store
	Folder string // of the uploads; it is created when it is needed. Each server has its own
	Log    *slog.Logger
}

// Runner keeps uploads and runs one dry run or import at a time.
type Runner struct {
	Config
	mu      sync.Mutex
	current *active // the running dry run or import; nil if there is none

	background sync.WaitGroup
	ctx        context.Context // of background work
	cancel     context.CancelCauseFunc
}

// Why a run was cancelled.
var (
	errClosing   = errors.New("the server ended")
	errCancelled = errors.New("cancelled by a user")
)

// New makes a runner and marks the runs that an earlier server process did not
// finish as interrupted. Call Close to stop its background work.
func New(config Config) *Runner {
	ctx, cancel := context.WithCancelCause(context.Background())
	r := &Runner{Config: config, ctx: ctx, cancel: cancel}
	interrupted := r.markInterrupted()
	r.background.Go(func() {
		r.recordInterrupted(interrupted)
		r.cleanRegularly()
	})
	return r
}

// Close interrupts a running import and waits until it has ended. It can be started
// again.
func (r *Runner) Close() error {
	r.cancel(errClosing)
	r.background.Wait()
	return nil
}

// markInterrupted marks the runs of an earlier process as interrupted, and returns
// the imports among them.
func (r *Runner) markInterrupted() (imports []*Upload) {
	all, err := r.all()
	if err != nil {
		r.Log.Error("cannot read uploads", "error", err)
	}
	for _, u := range all {
		changed := false
		for _, run := range []*Run{u.DryRun, u.Import} {
			if run != nil && run.State == store.ImportRunning {
				run.State, changed = store.ImportInterrupted, true
			}
		}
		if !changed {
			continue
		}
		if u.Import != nil && u.Import.State == store.ImportInterrupted {
			imports = append(imports, u)
		}
		if err := r.save(u); err != nil {
			r.Log.Error("cannot mark an import as interrupted", "import", u.ID, "error", err)
		}
	}
	return imports
}

// recordTimeout limits recording what an earlier process did not finish.
const recordTimeout = 30 * time.Second

// recordInterrupted records imports of an earlier process as interrupted, even if this
// process ends meanwhile: it does so only once.
func (r *Runner) recordInterrupted(uploads []*Upload) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), recordTimeout)
	defer cancel()
	for _, u := range uploads {
		if err := r.Store.MarkImportInterrupted(ctx, u.ID, u.Import.By); err != nil {
			r.Log.Error("cannot record that an import was interrupted", "import", u.ID, "error", err)
		}
	}
}

func (r *Runner) cleanRegularly() {
	ticker := time.NewTicker(cleanInterval)
	defer ticker.Stop()
	for {
		r.Clean()
		select {
		case <-r.ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Clean removes files and rejected rows whose time is over.
func (r *Runner) Clean() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(r.removeLeftovers(), r.clean()); err != nil {
		r.Log.Error("cannot remove old uploads", "error", err)
	}
}

func (r *Runner) clean() (failed error) {
	all, err := r.all() // newest first
	now := r.Store.Now()
	for n, u := range all {
		if r.isRunning(u.ID) {
			continue
		}
		age := now.Sub(u.When)
		switch {
		case age > RejectedLife || n >= maxKept || age > FilesLife && !u.hasRejected():
			err = errors.Join(err, os.RemoveAll(r.path(u.ID)))
		case age > FilesLife:
			err = errors.Join(err, r.removeFiles(u))
		}
	}
	return err
}

func (r *Runner) isRunning(id string) bool { return r.current != nil && r.current.upload.ID == id }

// notFound is the error of an upload that this server does not have.
func notFound() error {
	return &store.Error{Kind: store.NotFound, Message: fmt.Sprintf("This server does not have the files of this import. Files are kept for %d hours, by the server that received them.", int(FilesLife.Hours()))}
}
