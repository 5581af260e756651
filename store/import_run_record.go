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

// importYears is the number of years that the list of imports covers. TTL deletes
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

// importRecordTimeout is the timeout for recording the end of an import, even of a
// cancelled import.
const importRecordTimeout = 30 * time.Second

// RecordImport runs an import by calling the function work, and stores a record and,
// at the end, an event. The list of imports shows the record during the import. The
// function work must set the record's state, counts and problem. A repeated import
// has the same ID and replaces the earlier record. RecordImport returns Conflict if
// an import with the same ID is running. Otherwise, it returns the error from work,
// or from storing the record or the event.
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

// begin creates the record, or replaces the record of an earlier run.
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

// save stores the record, with an event unless event is nil.
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

// sendHeartbeats stores a heartbeat every importHeartbeat, until ctx ends. It continues
// after a failed heartbeat.
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

// reread sets the version to the version of the stored record. Call it if the outcome of
// the last write is unknown.
func (r *importRecorder) reread(ctx context.Context) {
	if stored, err := r.access.Import(ctx, r.run.ID); err == nil {
		r.run.Version = stored.Version
	}
}

// end stores the result of the import and an event.
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
