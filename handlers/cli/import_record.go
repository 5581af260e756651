package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
)

// describeFiles adds the name of the mapping and the names, sizes and digests of the files
// to the record of the import. For standard input and pipes, completeRecord adds the size
// and the digest later.
func (r *importRun) describeFiles() error {
	if r.mapping != "" {
		r.work.Mapping = filepath.Base(r.mapping)
	}
	for i := range r.imports {
		if r.dryRun {
			continue // a dry run is not recorded
		}
		file, err := r.imports[i].input.describe()
		if err != nil {
			return withPath(err)
		}
		r.work.Record.Files = append(r.work.Record.Files, file)
	}
	return nil
}

// completeRecord adds the size and the digest of standard input and of pipes to the record
// of the import. If the import stopped with an error, it adds the error.
func (r *importRun) completeRecord(record *store.ImportRun, err error) {
	for i := range record.Files {
		r.imports[i].input.describeStream(&record.Files[i])
	}
	if record.State == store.ImportStopped {
		record.Problem, _, _ = strings.Cut(err.Error(), "\ngoroutine ") // omit the stack trace of a panic
	}
}

func (f *inputFile) label() string {
	if f.name == "-" {
		return labelOf(f.name)
	}
	return filepath.Base(f.name)
}

// describe returns the name, size and digest of the file. For standard input and pipes, it
// returns only the name.
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

// describeStream sets the size and the digest of standard input or a pipe. Both are known
// only if the import has read it to its end.
func (f *inputFile) describeStream(d *store.ImportFile) {
	if f.hash != nil && f.ended {
		d.Size, d.Digest = int(f.read.Load()), hex.EncodeToString(f.hash.Sum(nil))
	}
}
