// Package imports runs dry runs and imports of files. Both the command line and uploads use
// Work. For uploads, Runner stores the files on the server's disk, and imports them in the
// background. Other servers do not have these files. The store keeps a record of every
// import.
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

// Limits of uploads, so that they do not use too much disk space and memory. A model is
// read into memory as a whole. Other files are read in batches.
const (
	MaxFiles    = 20
	MaxSize     = 64 << 20  // bytes of all files of an upload, before decompression
	MaxUnpacked = 256 << 20 // bytes of all files of an upload, after decompression
	MaxModel    = 16 << 20  // bytes of a NoSQL Workbench model, after decompression
	MaxLines    = 1_000_000 // lines of all files of an upload, after decompression
	MaxUploads  = 10        // uploads with files on this server

	// Files with real records rarely compress to less than a twentieth of their size. A
	// file that grows much more by decompression may be a decompression bomb. Its many rows
	// would take long to check.
	maxGrowth  = 100      // maximum size after decompression, as a multiple of the size before it
	freeGrowth = 16 << 20 // bytes after decompression up to which maxGrowth does not matter

	maxModelRows = 50_000 // rows of a model, which are all in memory
	maxTotals    = 20_000 // totals and quotas of all files, which are all in memory

	maxKept        = 50       // uploads that a server keeps, with or without their files
	MaxRejected    = 16 << 20 // bytes of the rejected rows of a run
	cleanInterval  = time.Hour
	maxMappingText = 1 << 20
)

// limits contains the memory limits of an import.
var limits = exchange.Limits{Model: MaxModel, ModelRows: maxModelRows, Totals: maxTotals}

// MaxRun is how long a dry run or an import may take.
const MaxRun = 4 * time.Hour

// How long the files and the rejected rows of an upload are kept.
const (
	FilesLife    = 24 * time.Hour
	RejectedLife = 30 * 24 * time.Hour
)

// Config configures a Runner.
type Config struct {
	Store  *store.Store
	Folder string // folder for uploads; created if necessary; each server needs its own
	Log    *slog.Logger
}

// Runner stores uploads. It runs one dry run or import at a time.
type Runner struct {
	Config
	mu      sync.Mutex
	current *active // the dry run or import in progress, or nil

	userInterval time.Duration // see the constant; shorter in tests

	background sync.WaitGroup
	ctx        context.Context // parent of the contexts of background work
	cancel     context.CancelCauseFunc
}

// Causes with which the contexts of runs are cancelled. If the cause is a store.Error, the
// page of the run shows its message.
var (
	errClosing   = errors.New("the server stopped")
	errCancelled = errors.New("cancelled by a user")
	errTooLong   = store.InvalidField("", "This took more than %d hours and was stopped. Import the data in parts, or use the command line.", MaxRun/time.Hour)
)

// userInterval is how often a run checks that its user still has the permission.
const userInterval = 15 * time.Second

// New returns a runner. If an earlier process did not finish a run, New marks the run as
// interrupted. Call Close to stop background work.
func New(config Config) *Runner {
	ctx, cancel := context.WithCancelCause(context.Background())
	r := &Runner{Config: config, userInterval: userInterval, ctx: ctx, cancel: cancel}
	interrupted := r.markInterrupted()
	r.background.Go(func() {
		r.recordInterrupted(interrupted)
		r.cleanRegularly()
	})
	return r
}

// Close interrupts an import in progress and waits until it has stopped. The user
// can start the import again later.
func (r *Runner) Close() error {
	r.cancel(errClosing)
	r.background.Wait()
	return nil
}

// markInterrupted marks runs of an earlier process as interrupted if they had not
// finished. It returns the uploads whose import was interrupted.
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

// recordTimeout is the timeout for recording the interrupted imports in the store.
const recordTimeout = 30 * time.Second

// recordInterrupted records in the store that these imports were interrupted. It continues
// while the server stops, because the next process would not do it.
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

// Clean removes files, rejected rows and uploads that need not be kept any longer.
func (r *Runner) Clean() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(r.removeLeftovers(), r.clean()); err != nil {
		r.Log.Error("cannot remove old uploads", "error", err)
	}
}

func (r *Runner) clean() error {
	all, err := r.all() // sorted newest first
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

// notFound returns the error for an upload that this server does not have.
func notFound() error {
	return &store.Error{Kind: store.NotFound, Message: fmt.Sprintf("This server does not have the files of this import. Only the server that received them keeps them, for at most %d hours. Upload the files again.", int(FilesLife.Hours()))}
}
