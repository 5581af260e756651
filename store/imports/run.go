package imports

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
)

// active is the dry run or import in progress.
type active struct {
	runner *Runner
	upload *Upload // the upload as it was saved at the start
	user   *store.User
	dryRun bool
	cancel context.CancelCauseFunc
	began  time.Time // start by the system clock, from which the rate is computed

	mu     sync.Mutex
	file   string // the file that is being read
	before int    // records of the sources that are finished
	rows   int    // records read so far, from all sources
	total  int    // expected number of records; 0 if unknown
}

// Progress is the progress of a dry run or import.
type Progress struct {
	ID     string
	DryRun bool
	File   string
	Rows   int
	Total  int // 0 if unknown
	Rate   int // rows per second
	Left   time.Duration
	ByName string
}

// Running returns the progress of the dry run or import in progress, or nil.
func (r *Runner) Running() *Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current.progressed()
}

// Status returns an upload, and the progress of the dry run or import in progress, or
// nil. The progress may belong to another upload. Status returns NotFound if this
// server does not have the upload.
func (r *Runner) Status(id string) (*Upload, *Progress, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u, err := r.Upload(id)
	return u, r.current.progressed(), err
}

// progressed returns the progress of the run. It returns nil if a is nil.
func (a *active) progressed() *Progress {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p := &Progress{ID: a.upload.ID, DryRun: a.dryRun, File: a.file, Rows: a.rows, Total: a.total, ByName: a.user.Name}
	if elapsed := time.Since(a.began).Seconds(); elapsed > 0 {
		p.Rate = int(float64(a.rows) / elapsed)
	}
	if p.Total > p.Rows && p.Rate > 0 {
		p.Left = time.Duration((p.Total-p.Rows)/p.Rate) * time.Second
	}
	if p.Total < p.Rows { // a mapping has made several records from one row, so the total is unknown
		p.Total = 0
	}
	return p
}

// ErrRunning is the error if the same run of an upload is already in progress, for example
// because the form was submitted twice.
var ErrRunning = errors.New("this run is already in progress")

// StartDryRun starts a dry run of an upload in the background. It returns ErrRunning if the
// same dry run is in progress, Conflict if another run is in progress on this server, and
// Invalid if the columns of the upload are not matched yet. It returns NotFound if this
// server does not have the files, and Busy if the server is shutting down.
func (r *Runner) StartDryRun(user *store.User, id string, options Options) error {
	return r.start(user, id, &options, true, func(u *Upload, run *Run) error {
		if !u.Matched {
			return store.InvalidField("", "Match the columns first.")
		}
		u.Options, u.DryRun, u.Import = options, run, nil
		return nil
	})
}

// StartImport starts the import of an upload, or continues an interrupted one. It returns
// Invalid if no dry run with the same options has succeeded. If options is nil,
// StartImport uses the options of the dry run. It returns ErrRunning if this import is in
// progress. It returns Conflict if the files are already imported, or if another run is in
// progress on this server. It can also return NotFound or Busy, like StartDryRun.
func (r *Runner) StartImport(user *store.User, id string, options *Options) error {
	return r.start(user, id, options, false, func(u *Upload, run *Run) error {
		if !u.IsOpen() {
			return &store.Error{Kind: store.Conflict, Message: "These files are already imported. To import them again, start another dry run."}
		}
		if !u.CanImport() {
			return store.InvalidField("", "These files have no finished dry run with the current columns and options. Start a dry run, check its result, then import.")
		}
		if options != nil && *options != u.Options {
			return store.InvalidField("", "You changed the options after the dry run. Start the dry run again.")
		}
		u.Import = run
		return nil
	})
}

func (r *Runner) start(user *store.User, id string, options *Options, dryRun bool, prepare func(*Upload, *Run) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	u, err := r.Upload(id)
	switch {
	case err != nil:
		return err
	case u.Removed:
		return notFound()
	case r.isRunning(id) && r.current.dryRun && !dryRun:
		return &store.Error{Kind: store.Conflict, Message: "Another dry run of these files is running. When it has ended, check its result. Then import."}
	case r.isRunning(id) && dryRun && !r.current.dryRun:
		return &store.Error{Kind: store.Conflict, Message: "These files are being imported. A dry run can't start until the import has ended."}
	case r.isRunning(id) && options != nil && *options != u.Options:
		return &store.Error{Kind: store.Conflict, Message: "These files are already being processed, with other options. When that run has ended, check its result. Then submit the form again."}
	case r.isRunning(id):
		return ErrRunning
	case r.current != nil:
		return &store.Error{Kind: store.Conflict, Message: fmt.Sprintf("An import or dry run by %s is running on this server. A server runs only one at a time: try again when it has ended.", r.current.user.Name)}
	case r.ctx.Err() != nil:
		return &store.Error{Kind: store.Busy, Message: "This server is shutting down. Try again in a moment."}
	}
	run := &Run{State: store.ImportRunning, By: user.Name, Began: r.Store.Now()}
	total := u.Total()
	if !dryRun && u.DryRun != nil {
		total = u.DryRun.Sum.Read
	}
	if err := prepare(u, run); err != nil {
		return err
	}
	if err := r.save(u); err != nil {
		return err
	}
	limited, stop := context.WithTimeoutCause(store.WithCostJob(r.ctx, store.CostImports), MaxRun, errTooLong)
	ctx, cancel := context.WithCancelCause(limited)
	a := &active{runner: r, upload: u, user: user, dryRun: dryRun, cancel: cancel, began: time.Now(), total: total}
	r.current = a
	r.background.Go(func() {
		defer stop()
		a.run(ctx, run)
	})
	r.background.Go(func() { a.watchUser(ctx) })
	return nil
}

// watchUser stops the run when its user is locked or no longer an admin. It returns when the
// run ends.
func (a *active) watchUser(ctx context.Context) {
	ticker := time.NewTicker(a.runner.userInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_, err := a.runner.Store.CurrentUser(ctx, a.user.Name, store.Administer)
			if store.KindOf(err) == store.Forbidden {
				a.cancel(err)
			}
		}
	}
}

// Cancel asks the run of an upload to stop. Imported rows remain. Cancel reports
// whether the upload has a run in progress.
func (r *Runner) Cancel(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	running := r.isRunning(id)
	if running {
		r.current.cancel(errCancelled)
	}
	return running
}

// run executes a dry run or import, and saves its result.
func (a *active) run(ctx context.Context, run *Run) {
	defer a.cancel(nil)
	err := store.Recovering(func() error { return a.execute(ctx, run) })()
	run.finish(ctx, err, a.runner.Store.Now(), a.dryRun)
	if run.State == store.ImportStopped && store.KindOf(err) == store.Internal {
		a.runner.Log.Error("an import failed", "import", a.upload.ID, "dry run", a.dryRun, "error", err)
	}
	r := a.runner
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current = nil
	if err := r.save(a.upload); err != nil {
		r.Log.Error("cannot save the result of an import", "import", a.upload.ID, "error", err)
	}
}

// finish sets the end time, the state and the problems of a run.
func (run *Run) finish(ctx context.Context, err error, now time.Time, dryRun bool) {
	run.Ended = now
	problems, other := asFileErrors(err)
	for _, p := range problems {
		run.Problems = append(run.Problems, store.MaskLikelyCards(p.Error()))
	}
	var known *store.Error
	if cause := context.Cause(ctx); err != nil && errors.As(cause, &known) {
		other = cause
	}
	switch run.State = stateOf(ctx, err); {
	case run.State != store.ImportStopped:
	case errors.As(other, &known) && known.Kind != store.Internal:
		run.Problems = append(run.Problems, known.Message)
	case other != nil:
		message := "Something went wrong on our side. Choose Continue import to import the remaining rows."
		if dryRun {
			message = "Something went wrong on our side. Start the dry run again."
		}
		run.Problems = append(run.Problems, message)
	}
}

// execute opens the files and runs the dry run or import.
func (a *active) execute(ctx context.Context, run *Run) error {
	defer exchange.LimitMemory(os.Getenv)() // limits the memory of Open
	u := a.upload
	files, err := a.runner.openUpload(ctx, u)
	if err != nil {
		return err
	}
	defer files.close()
	sources, err := exchange.Open(files, u.Options.Prefix)
	if err != nil {
		return err
	}
	defer exchange.LimitMemory(os.Getenv)() // raises the limit by what Open has read
	w := &Work{
		Access:   a.runner.Store.As(a.user),
		Record:   store.ImportRun{ID: u.ID, Upload: true},
		Sources:  sources,
		Options:  u.Options,
		DryRun:   a.dryRun,
		Rejected: a.runner.createRejected(u),
		Reading:  func(source *exchange.Source) { a.reading(u.Files[source.File].Name) },
		Progress: a.progress,
	}
	if u.Mapping != "" {
		w.Mapping = MappingName
	}
	for _, f := range u.Files {
		w.Record.Files = append(w.Record.Files, store.ImportFile{Name: f.Name, Size: int(f.Size), Digest: f.Digest})
	}
	w.Rejecting = func(rows []exchange.RejectedRow) {
		for n := range rows {
			rows[n].Reason = optionTexts.Replace(rows[n].Reason)
		}
		run.addRejected(rows, u)
	}
	w.Finished = func(_ *exchange.Source, _ exchange.ImportResult, err error) error {
		a.finished(w.Result.Sum().Read)
		return err
	}
	w.Complete = func(record *store.ImportRun, err error) {
		run.finish(ctx, err, a.runner.Store.Now(), a.dryRun)
		record.Problem = strings.Join(run.Problems, " ")
		run.Problems = nil // finish sets the problems again when the import ends
	}
	defer func() {
		run.set(&w.Result, u)
		run.Rejected = w.Rejected.List()
	}()
	return w.Run(ctx)
}

func (a *active) reading(file string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.file = file
}

func (a *active) progress(rows int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rows = a.before + rows
}

func (a *active) finished(rows int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.before, a.rows = rows, rows
}

// optionTexts replaces names of command-line flags in the reasons of rejected rows with the
// names of the same options on the page.
var optionTexts = strings.NewReplacer(
	"use -lenient", "use the option to import such rows",
	"use -merge-lines", "use the option to merge lines",
	"use -update", "choose the option to change existing records",
	"Use -same-people", "Choose 'Merge people'",
	"Use -id-prefix", "Use a prefix",
	"or -id-prefix", "or use a prefix",
)

// maxShown is the maximum number of rejected rows that a page shows. The files with
// rejected rows contain more.
const maxShown = 100

func (run *Run) addRejected(rows []exchange.RejectedRow, u *Upload) {
	for _, row := range rows[:min(len(rows), maxShown-len(run.First))] {
		run.First = append(run.First, RejectedRow{u.Files[row.File].Name, row.Number, row.MaskedReason()})
	}
}

func (run *Run) set(sum *exchange.ImportResult, u *Upload) {
	run.Counts, run.Sum = sum.Record(func(file int) string { return u.Files[file].Name })
	run.Warned, run.Corrected, run.Corrections = sum.Warned, sum.Corrected, sum.Corrections
	run.Changed, run.Removed, run.Made = shownChanges(sum.Changed), shownChanges(sum.Removed), sum.Made
	run.Categories = sum.NewCategories()
	run.MoreCategories = max(len(run.Categories)-maxShown, 0)
	run.Categories = run.Categories[:len(run.Categories)-run.MoreCategories]
	for _, w := range sum.Warnings {
		w.Reason = optionTexts.Replace(w.Reason)
		run.Warnings = append(run.Warnings, RejectedRow{u.Files[w.File].Name, w.Number, store.MaskLikelyCards(w.Reason)})
	}
}

func shownChanges(changes exchange.CellChanges) exchange.CellChanges {
	changes.First = slices.Clone(changes.First)
	for i := range changes.First {
		c := &changes.First[i]
		c.Before, c.After = shorten(exchange.MaskValue(c.Column, c.Before)), shorten(exchange.MaskValue(c.Column, c.After))
	}
	return changes
}

func shorten(value string) string {
	const limit = 200
	if runes := []rune(value); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return value
}
