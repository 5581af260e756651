package store

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// importYears is the number of calendar years that the list of imports reads. TTL deletes
// older records.
const importYears = 2

// Imports lists the imports, newest first.
func (a Access) Imports(ctx context.Context, page Page) (List[ImportRun], error) {
	if err := a.require(Administer); err != nil {
		return List[ImportRun]{}, err
	}
	q := table.Query{Pattern: getImports, Values: key.Map{}, Segment: "year"}
	for i := range importYears {
		q.Segments = append(q.Segments, strconv.Itoa(a.store.now().UTC().Year()-i))
	}
	return list(ctx, a.store, q, page, decodeAs[ImportRun])
}

// Import returns the record of an import, or NotFound.
func (a Access) Import(ctx context.Context, id string) (*ImportRun, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return readConsistently[*ImportRun](ctx, a.store, getImport, key.Map{"importID": id})
}

// importRecordTimeout is the timeout for recording the end of an import. This timeout also
// applies if the context of the import was cancelled.
const importRecordTimeout = 30 * time.Second

// RecordImport runs an import: it calls the function work. It stores the record of the
// import before and during the work, so that the list of imports shows a running import. At
// the end it stores the result and an event. The function work must set the state, counts
// and problem of its ImportRun. An import that is repeated with the same ID replaces the
// earlier record.
//
// RecordImport returns Conflict if an import with the same ID is running. Otherwise, it
// returns the errors from work and from storing the result.
func (a Access) RecordImport(ctx context.Context, run ImportRun, work func(context.Context, *ImportRun) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	run.By, run.State, run.Problem = a.user.Name, ImportRunning, ""
	if run.ID == "" {
		run.ID = a.store.NewToken()
	}
	run.limit()
	r := &importRecorder{access: a, run: run}
	if err := r.begin(ctx); err != nil {
		return err
	}
	end := r.run
	working, stop := context.WithCancel(ctx)
	var heartbeats sync.WaitGroup
	heartbeats.Go(func() { r.sendHeartbeats(working) })
	err := work(ctx, &end)
	stop()
	heartbeats.Wait()
	end.Version, end.Began = r.run.Version, r.run.Began
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), importRecordTimeout)
	defer cancel()
	return errors.Join(err, r.end(recording, end))
}

// importRecorder writes the record of a running import.
type importRecorder struct {
	access Access
	run    ImportRun // the record as it is stored
}

// begin creates the record of the import, or replaces the record of an earlier import with
// the same ID.
func (r *importRecorder) begin(ctx context.Context) error {
	return retryOnConflict(ctx, func() error {
		before, err := r.access.Import(ctx, r.run.ID)
		if KindOf(err) == NotFound {
			before, err = &ImportRun{}, nil
		}
		now := r.access.store.now()
		switch {
		case err != nil:
			return err
		case before.StateAt(now) == ImportRunning && before.Version > 0:
			return fail(Conflict, "This import is already running.")
		}
		next := r.run
		next.Began, next.Updated, next.Expires, next.Version = now, now, now.AddDate(0, 0, importDays), before.Version+1
		return r.save(ctx, next, nil)
	})
}

// save stores the record and, unless event is nil, the event.
func (r *importRecorder) save(ctx context.Context, next ImportRun, event *Event) error {
	c, err := r.access.change(ctx, "")
	if err != nil {
		return err
	}
	if next.Version == 1 {
		c.Create(&next)
	} else {
		c.Replace(&next, next.Version-1)
	}
	if event != nil {
		c.recordEvent(*event)
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	r.run = next
	return nil
}

// sendHeartbeats updates the time in the record every importHeartbeat, until ctx ends. It
// continues after an update has failed.
func (r *importRecorder) sendHeartbeats(ctx context.Context) {
	ticker := time.NewTicker(importHeartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), importHeartbeat/2)
			next := r.run
			next.Updated, next.Version = r.access.store.now(), next.Version+1
			if err := r.save(writing, next, nil); err != nil {
				r.reread(writing)
			}
			cancel()
		}
	}
}

// reread sets the version of the record to the stored version. Call it after a failed
// write, which may have been stored nevertheless.
func (r *importRecorder) reread(ctx context.Context) {
	if stored, err := r.access.Import(ctx, r.run.ID); err == nil {
		r.run.Version = stored.Version
	}
}

func (r *importRecorder) end(ctx context.Context, result ImportRun) error {
	result.limit()
	result.Updated = r.access.store.now()
	event := Event{
		Partition: partitionOf(getImport, "importID", result.ID), What: importEvents[result.State], Subject: result.FileNames(),
		After: result.Sum.String(), Why: "SHA-256: " + result.digests(),
	}
	return retryOnConflict(ctx, func() error {
		next := result
		next.Version = r.run.Version + 1
		err := r.save(ctx, next, &event)
		if err != nil {
			r.reread(ctx)
		}
		return err
	})
}

// importEvents contains the event for each final state of an import.
var importEvents = map[ImportState]EventCode{
	ImportDone: EventImported, ImportStopped: EventImportStopped, ImportCancelled: EventImportCancelled, ImportInterrupted: EventImportInterrupted,
}

// MarkImportInterrupted records that a running import was interrupted because its
// server ended. It does nothing if the import is not running.
func (s *Store) MarkImportInterrupted(ctx context.Context, id, by string) error {
	access := s.As(&User{Name: by, Role: Admin})
	run, err := access.Import(ctx, id)
	if err != nil || run.State != ImportRunning {
		return ignoreNotFound(err)
	}
	r := importRecorder{access: access, run: *run}
	end := *run
	end.State = ImportInterrupted
	return r.end(ctx, end)
}
