package imports

import (
	"context"
	"errors"
	"path/filepath"

	"stockroom/store"
	"stockroom/store/exchange"
)

// Work is a dry run or an import of open files, from the command line or an upload.
type Work struct {
	Access      store.Access
	Record      store.ImportRun // ID, files and origin of the import
	Mapping     string          // name of the mapping file; "" if there is none
	Sources     []exchange.Source
	Options     Options
	DryRun      bool
	MaxRejected int           // stop when more rows than this are rejected; 0 means no limit
	Rejected    RejectedFiles // closed by Run

	// The following functions may be nil. Finished gets the result and the error of each
	// source. The error that it returns replaces the error of the source. Complete adds to
	// the record what is only known at the end, such as the problem.
	Rejecting func([]exchange.RejectedRow) // gets rejected rows before they are written to a file
	Reading   func(*exchange.Source)
	Progress  func(rows int) // gets the number of rows of the current source
	Finished  func(*exchange.Source, exchange.ImportResult, error) error
	Complete  func(*store.ImportRun, error)

	Result exchange.ImportResult // sum of the results of the sources so far
}

// Run imports the sources one after the other, and stops at the first error. A dry run
// stores nothing. An import stores a record and, at its end, an event in the history. If it
// fails, the rows before the error stay in the table. Importing the same files again then
// imports the rest.
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

// stateOf returns the state of a run that has ended with err, which may be nil.
func stateOf(ctx context.Context, err error) store.ImportState {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return store.ImportDone
	case cause == errCancelled:
		return store.ImportCancelled
	case cause != nil && !errors.As(cause, new(*store.Error)):
		return store.ImportInterrupted
	}
	return store.ImportStopped
}

// importSources imports all sources, and closes the files of rejected rows. It turns
// a panic into an error.
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
	return errors.Join(err, known.Close(), w.Rejected.close())
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
