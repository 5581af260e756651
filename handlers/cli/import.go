package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/exchange"
	"stockroom/store/imports"
)

// importFiles imports files. It first reads the start of every file, and NoSQL Workbench
// models completely. If one of the files is invalid, it imports nothing. With -suggest, it
// only prints a mapping.
func importFiles(ctx context.Context, c *call) (err error) {
	if c.args, err = exchange.ExpandFolders(c.args); err != nil {
		return withPath(err)
	}
	mapping, err := c.readMapping()
	if err != nil {
		return err
	}
	c.printAbsent(mapping)
	if c.maxRefused < 0 {
		return usagef("invalid -max-refused %d: enter a number of rows, or 0 for no limit", c.maxRefused)
	}
	if err := exchange.CheckIDPrefix(c.idPrefix); err != nil {
		return usageError("invalid -id-prefix: " + err.Error())
	}
	if c.encoding != "" && !slices.Contains(exchange.Encodings(), c.encoding) {
		return usagef("invalid -encoding %q: choose %s", c.encoding, strings.Join(exchange.Encodings(), ", "))
	}
	if err := c.checkRejectedFiles(); err != nil {
		return err
	}
	run := importRun{call: c, imports: make([]fileImport, len(c.args)), files: mapping}
	files := make([]exchange.File, len(c.args))
	for i, name := range c.args {
		input, err := c.openInput(name)
		if err != nil {
			return err
		}
		defer closeJoin(input, &err)
		run.imports[i] = fileImport{input: input, rejected: rejectedFile{name: name, dryRun: c.dryRun}}
		if files[i] = (exchange.File{Content: input, Mapping: mapping, Partial: c.update, Encoding: c.encoding, Folder: c.tempFolder()}); name != "-" {
			files[i].Name = name
		}
	}
	if c.suggest {
		return withPath(exchange.Suggest(files, c.stdout))
	}
	sources, err := exchange.Open(files, c.idPrefix)
	if err != nil {
		return withPath(err)
	}
	defer exchange.LimitMemory(c.env)()
	return c.withImportStore(ctx, func(s *store.Store) error {
		if err := setCurrency(ctx, s, mapping); err != nil {
			return err
		}
		err := run.importSources(ctx, s, sources)
		if printed := run.printReport(); err == nil {
			err = printed
		}
		if err != nil {
			return err
		}
		return run.checkRejected()
	})
}

// withImportStore opens the store and calls run. If the store is missing, an import creates
// it. A dry run prints a note instead, and uses an empty table in a temporary folder.
func (c *call) withImportStore(ctx context.Context, run func(*store.Store) error) (err error) {
	if _, err := os.Stat(filepath.Join(c.data, embedded.FileName)); !c.dryRun || c.dynamodb || !errors.Is(err, fs.ErrNotExist) {
		return c.withStore(ctx, true, run)
	}
	fmt.Fprintf(c.stderr, "The folder %s has no store, so the dry run compares the files with an empty table.\n", c.data)
	empty := *c
	if empty.data, err = os.MkdirTemp("", "stockroom-dry-run-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(empty.data)) }()
	return empty.withStore(ctx, true, run)
}

type importRun struct {
	*call
	work    *imports.Work
	imports []fileImport      // one element for each argument, in the same order
	files   *exchange.Mapping // mapping of the columns; nil without -map
	bar     *progress         // progress of the current source
}

// fileImport is the import of one file. It differs from an exchange.Source: a source can
// read several files, and several sources can read the same file. For example, the last
// source reads the totals of all files.
type fileImport struct {
	input    *inputFile
	rejected rejectedFile
	result   exchange.ImportResult
	done     bool
}

// importSources imports the sources and prints the counts of each file. It writes the
// rejected rows of each file to a rejectedFile.
func (r *importRun) importSources(ctx context.Context, s *store.Store, sources []exchange.Source) error {
	r.work = &imports.Work{
		Access:      s.As(&store.User{Name: store.Program, Role: store.Admin}),
		Sources:     sources,
		Options:     imports.Options{SamePeople: r.samePeople, MergeLines: r.mergeLines, Lenient: r.lenient, Update: r.update, Prefix: r.idPrefix},
		DryRun:      r.dryRun,
		MaxRejected: r.maxRefused,
		Rejected: imports.RejectedFiles{Create: func(file int, extension string) (io.WriteCloser, error) {
			return r.imports[file].rejected.create(extension)
		}},
		Reading: func(source *exchange.Source) {
			r.bar = r.newProgress(r.label(source.File), r.imports[source.File].input)
		},
		Progress: func(rows int) { r.bar.show(rows) },
		Finished: r.finishSource,
		Complete: r.completeRecord,
	}
	for i := range r.args {
		r.work.Rejected.Names = append(r.work.Rejected.Names, r.label(i))
	}
	if err := r.describeFiles(); err != nil {
		return err
	}
	err := r.work.Run(ctx)
	if err == nil {
		r.printSkipped()
	}
	return err
}

// finishSource prints the counts of each file that is complete after this source. The
// argument err is the error of the source; finishSource adds the name of the file to
// it.
func (r *importRun) finishSource(source *exchange.Source, result exchange.ImportResult, err error) error {
	r.bar.clear()
	r.imports[source.File].result.Add(result)
	for _, file := range source.Files() {
		if f := &r.imports[file]; !f.done && (err != nil || source.IsComplete(file)) {
			f.done, f.result.Counts = true, r.work.Result.OfFile(file)
			r.printFile(r.label(file), f.result)
		}
	}
	err = withPath(err)
	kept := "rows imported so far are kept; import the file again to continue"
	if r.dryRun {
		kept = "nothing was changed"
	}
	switch label := r.label(source.File); {
	case errors.Is(err, exchange.ErrTooManyRejected):
		return fmt.Errorf("%s: stopped: %w (-max-refused is %d); %s; see the reasons in %s", label, err, r.maxRefused, kept, r.imports[source.File].rejected.path)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted: %s", label, kept)
	}
	return err
}

// checkRejected returns an error with the names of the files of rejected rows, or nil if no
// rows were rejected. After an import, it also removes such files of earlier imports,
// unless the import has replaced them.
func (r *importRun) checkRejected() error {
	var paths []string
	for i := range r.imports {
		f := &r.imports[i].rejected
		if f.path != "" {
			paths = append(paths, f.path)
		} else if r.dryRun {
			continue
		} else if err := f.removeOld(); err != nil {
			return err
		}
	}
	if rejected := r.work.Rejected.Count(); rejected > 0 {
		return fmt.Errorf("rejected rows: %d; see the reasons in %s", rejected, strings.Join(paths, ", "))
	}
	return nil
}

// inputFile is a file to import. It counts the bytes that have been read.
type inputFile struct {
	io.ReadCloser
	name string
	size int64 // bytes; 0 if unknown
	read atomic.Int64

	// hash is the hash of the bytes that were read. It is nil for a regular file, which is
	// read once more for its digest.
	hash  hash.Hash
	ended bool // the file was read to its end
}

func (f *inputFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	f.read.Add(int64(n))
	if f.hash != nil {
		_, _ = f.hash.Write(p[:n]) // never fails
	}
	f.ended = f.ended || err == io.EOF
	return n, err
}

// Seek returns an error if the file has a hash, because the hash must contain each byte
// once.
func (f *inputFile) Seek(offset int64, whence int) (int64, error) {
	seeker, ok := f.ReadCloser.(io.Seeker)
	if !ok || f.hash != nil {
		return 0, errors.ErrUnsupported
	}
	position, err := seeker.Seek(offset, whence)
	if err == nil {
		f.read.Store(position)
	}
	return position, err
}

func (c *call) openInput(name string) (*inputFile, error) {
	if name == "-" {
		return &inputFile{ReadCloser: io.NopCloser(c.stdin), name: name, hash: sha256.New()}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, readError(name, err)
	}
	input := &inputFile{ReadCloser: file, name: name}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		input.size = info.Size()
	} else {
		input.hash = sha256.New()
	}
	return input, nil
}

// withPath adds the path of the file to an error of the file system.
func withPath(err error) error {
	var pathError *fs.PathError
	switch {
	case errors.As(err, &pathError) && errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("cannot write %s: %w", pathError.Path, fileError(err))
	case pathError != nil:
		return readError(pathError.Path, err)
	}
	return err
}

func readError(name string, err error) error {
	return fmt.Errorf("cannot read %s: %w", name, fileError(err))
}

// label returns the name of a file in messages.
func (r *importRun) label(file int) string { return labelOf(r.args[file]) }

// tempFolder returns the folder for temporary files. It is the data folder, because the
// files contain business data. If there is no data folder, tempFolder returns "", which
// means the temporary folder of the operating system.
func (c *call) tempFolder() string {
	if info, err := os.Stat(c.data); err == nil && info.IsDir() {
		return c.data
	}
	return ""
}

func labelOf(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
