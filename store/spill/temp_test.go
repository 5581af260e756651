package spill_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"stockroom/store/spill"
)

// TestTempFile_ErrorsDoNotLookLikeInputFiles checks the errors of temporary files. They
// must contain the folder, but must not be PathErrors, which are usually about input files.
func TestTempFile_ErrorsDoNotLookLikeInputFiles(t *testing.T) {
	folder := t.TempDir()
	closed, err := spill.CreateTemp(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(folder, "missing")
	m := spill.NewMap(missing, 1)
	for want, failed := range map[string]func() error{
		"cannot write a temporary file in " + folder: func() error { _, err := closed.Write([]byte("a")); return err },
		"cannot read a temporary file in " + folder:  func() error { _, err := closed.ReadAt(make([]byte, 1), 0); return err },
		"cannot open a temporary file in " + missing: func() error { return m.Set(1, 2) },
	} {
		err := failed()
		var path *fs.PathError
		if err == nil || !strings.HasPrefix(err.Error(), want+": ") || errors.As(err, &path) {
			t.Errorf("got %v, want %q and no PathError", err, want)
		}
	}
}
