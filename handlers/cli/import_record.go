package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// record imports the sources and keeps a record of it, unless it is a dry run.
func (r *importRun) record(ctx context.Context, s *store.Store, sources []exchange.Source) error {
	if r.dryRun {
		return r.importSources(ctx, s, sources)
	}
	run := store.ImportRun{Options: r.options()}
	for i := range r.imports {
		file, err := r.imports[i].input.describe()
		if err != nil {
			return withPath(err)
		}
		run.Files = append(run.Files, file)
	}
	program := s.As(&store.User{Name: store.Program, Role: store.Admin})
	return program.RecordImport(ctx, run, func(ctx context.Context, record *store.ImportRun) error {
		err := r.importSources(ctx, s, sources)
		for i := range record.Files {
			r.imports[i].input.describeStdin(&record.Files[i])
		}
		record.Counts, record.Sum = r.result.Record(func(file int) string { return r.imports[file].input.label() })
		switch record.State = store.ImportDone; {
		case errors.Is(err, context.Canceled):
			record.State = store.ImportInterrupted
		case err != nil:
			problem, _, _ := strings.Cut(err.Error(), "\ngoroutine ") // without the stack of a panic
			record.State, record.Problem = store.ImportStopped, problem
		}
		return err
	})
}

// options returns the flags of the import, for its record.
func (r *importRun) options() (names []string) {
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"map " + filepath.Base(r.mapping), r.mapping != ""},
		{"id-prefix " + r.idPrefix, r.idPrefix != ""},
		{"same-people", r.samePeople},
		{"merge-lines", r.mergeLines},
		{"lenient", r.lenient},
		{"update", r.update},
	} {
		if o.set {
			names = append(names, o.name)
		}
	}
	return names
}

func (f *inputFile) label() string {
	if f.name == "-" {
		return labelOf(f.name)
	}
	return filepath.Base(f.name)
}

// describe returns the name, size and digest of the file.
func (f *inputFile) describe() (d store.ImportFile, err error) {
	d.Name = f.label()
	if f.hash != nil {
		return d, nil
	}
	file, err := os.Open(f.name)
	if err != nil {
		return d, err
	}
	defer closeJoin(file, &err)
	sum := sha256.New()
	size, err := io.Copy(sum, file)
	d.Size, d.Digest = int(size), hex.EncodeToString(sum.Sum(nil))
	return d, err
}

// describeStdin sets the size and digest of standard input, after it was read.
func (f *inputFile) describeStdin(d *store.ImportFile) {
	if f.hash != nil {
		d.Size, d.Digest = int(f.read.Load()), hex.EncodeToString(f.hash.Sum(nil))
	}
}
