package imports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
)

func rejectedPath(folder string, file int) string {
	return filepath.Join(folder, fmt.Sprintf("rejected-%02d", file))
}

func (r *Runner) createRejected(u *Upload) RejectedFiles {
	files := RejectedFiles{Limit: MaxRejected, Create: func(file int, _ string) (io.WriteCloser, error) {
		return os.OpenFile(rejectedPath(r.path(u.ID), file), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	}}
	for i := range u.Files {
		files.Names = append(files.Names, u.Files[i].Name)
	}
	return files
}

// Rejected opens the rejected rows of an uploaded file. The argument file is the index
// of the file. Rejected returns NotFound if no rows were rejected or this server does
// not have the upload, and Conflict if the run has not ended.
func (r *Runner) Rejected(id string, file int) (RejectedFile, io.ReadCloser, error) {
	u, err := r.Upload(id)
	if err != nil {
		return RejectedFile{}, nil, err
	}
	run := u.DryRun
	if u.Import != nil {
		run = u.Import
	}
	switch {
	case run == nil:
		return RejectedFile{}, nil, notFound()
	case run.State == store.ImportRunning:
		return RejectedFile{}, nil, &store.Error{Kind: store.Conflict, Message: "The run has not ended. Wait until it has, then download the rejected rows."}
	}
	for _, f := range run.Rejected {
		if f.File != file {
			continue
		}
		content, err := os.Open(rejectedPath(r.path(id), file))
		if errors.Is(err, os.ErrNotExist) {
			return f, nil, notFound()
		}
		return f, content, err
	}
	return RejectedFile{}, nil, &store.Error{Kind: store.NotFound, Message: "No rows of this file were rejected."}
}

// IsCSV reports whether the file is CSV. Otherwise it is JSON Lines.
func (f *RejectedFile) IsCSV() bool { return strings.HasSuffix(f.Name, ".csv") }
