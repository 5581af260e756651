package handlers

import (
	"stockroom/store"
	"stockroom/views"
)

// DataFileState is the state of a DataFile.
type DataFileState = views.DataFile

// DataFile gives pages access to the file of the embedded store.
type DataFile interface {
	// State returns the state of the file.
	State() DataFileState
	// Compact starts removing unused space from the file in the background. It does nothing
	// if this is already in progress.
	Compact() error
}

// dataFile returns the state of the data file for admins, or nil if there is no file.
func (r *request) dataFile() *views.DataFile {
	if r.site.dataFile == nil || !r.user.May(store.Administer) {
		return nil
	}
	state := r.site.dataFile.State()
	return &state
}

// compactDataFile starts removing unused space from the data file.
func compactDataFile(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if r.site.dataFile == nil {
		return &store.Error{Kind: store.NotFound, Message: "The data is in Amazon DynamoDB, so there is no data file."}
	}
	if err := r.site.dataFile.Compact(); err != nil {
		return err
	}
	return r.redirectWithFlash("Compaction of the data file started.", views.CheckPath)
}
