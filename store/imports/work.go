package imports

import (
	"context"
	"errors"
	"path/filepath"

	"stockroom/store"
	"stockroom/store/exchange"
)

// Work is a dry run or an import of opened files. Uploads and the command line are
// imported in the same way.
type Work struct {
	Access      store.Access
	Record      store.ImportRun // its ID, files and where they came from
	Mapping     string          // the name of the mapping's file; "" if there is none
	Sources     []exchange.Source
	Options     Options
	DryRun      bool
	MaxRejected int           // stop when more rows are rejected; 0 means no limit
	Rejected    RejectedFiles // Run closes them

	// These functions may be nil. Finished gets the result of one source, and
	// returns the error to report. Complete adds to the record what is only known
	// at the end: the problem, for example.
	Rejecting func([]exchange.RejectedRow) // before they are written
	Reading   func(*exchange.Source)
	Progress  func(rows int) // of the source
	Finished  func(*exchange.Source, exchange.ImportResult, error) error
	Complete  func(*store.ImportRun, error)

	Result exchange.ImportResult // of the sources that were read
}

// Run imports the sources in sequence, up to the first error. An import, unlike a dry
// run, is recorded in the store; its end leaves an event in the history. Rows
// imported before an error stay, and importing the files again continues.
func (w *Work) Run(ctx context.Context) error {
	if w.DryRun {
		return w.importSources(ctx)
	}
	w.Record.Options = w.Options.Names()
	if w.Mapping != "" {
		w.Record.Options = append(w.Record.Options, "map "+w.Mapping)
	}
	return w.Access.RecordImport(ctx, w.Record, func(ctx context.Context, record *store.ImportRun) error {
		err := w.importSources(ctx)
		record.Counts, record.Sum = w.Result.Record(func(file int) string { return w.Record.Files[file].Name })
		record.State = stateOf(ctx, err)
		if w.Complete != nil {
			w.Complete(record, err)
		}
		return err
	})
}

// stateOf returns the state of a run that ended with an error, or with nil.
func stateOf(ctx context.Context, err error) store.ImportState {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return store.ImportDone
	case cause == errCancelled:
		return store.ImportCancelled
	case cause != nil:
		return store.ImportInterrupted
	}
	return store.ImportStopped
}

// importSources imports all sources and closes the files of rejected rows. A panic
// becomes an error.
func (w *Work) importSources(ctx context.Context) error {
	known := exchange.NewKnown()
	err := store.Recovering(func() error {
		for i := range w.Sources {
			if err := w.importSource(ctx, &w.Sources[i], known); err != nil {
				return err
			}
		}
		return nil
	})()
	return errors.Join(err, w.Rejected.close())
}

func (w *Work) importSource(ctx context.Context, source *exchange.Source, known *exchange.Known) error {
	if w.Reading != nil {
		w.Reading(source)
	}
	o := &w.Options
	result, err := exchange.Import(ctx, w.Access, *source, exchange.ImportOptions{
		DryRun: w.DryRun, SamePeople: o.SamePeople, MergeLines: o.MergeLines, Lenient: o.Lenient, Update: o.Update, MaxRejected: w.MaxRejected,
		Why: "Imported from " + filepath.Base(w.Rejected.Names[source.File]), Known: known, Rejected: w.reject, Progress: w.Progress,
	})
	w.Result.Add(result)
	if w.Finished != nil {
		err = w.Finished(source, result, err)
	}
	return err
}

func (w *Work) reject(rows []exchange.RejectedRow) error {
	if w.Rejecting != nil {
		w.Rejecting(rows)
	}
	return w.Rejected.write(rows)
}
