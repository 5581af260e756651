package imports

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"stockroom/store"
)

// Receiver receives the files of an upload. Always call Discard at the end: it does
// nothing after Finish has stored the upload.
type Receiver struct {
	runner   *Runner
	upload   *Upload
	folder   string
	size     int64
	unpacked int64
	lines    int
	mapping  []byte // the uploaded YAML file, or nil
}

// partSuffix is the suffix of the folder of an upload until all its files are received.
const partSuffix = ".part"

// maxName is the maximum length of a file name in bytes.
const maxName = 150

// Receive starts an upload. The argument id is the ULID of the form token, and becomes
// the ID of the upload. Receive first deletes old uploads and the files of finished
// imports. It returns Invalid if id is not a ULID, or if the server then still has
// MaxUploads uploads with files.
func (r *Runner) Receive(user *store.User, id string) (*Receiver, error) {
	if !isUploadID.MatchString(id) {
		return nil, store.InvalidField("", "This form has expired. Reload the page.")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.clean(); err != nil {
		r.Log.Error("cannot remove old uploads", "error", err)
	}
	if err := os.MkdirAll(r.Folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(r.Folder)
	if err != nil {
		return nil, err
	}
	kept := 0
	for _, entry := range entries {
		if r.keepsFiles(entry.Name()) {
			kept++
		}
	}
	if kept >= MaxUploads {
		return nil, store.InvalidField("files", "This server keeps at most %d uploads. Open one of those below and choose Delete files, or try again tomorrow.", MaxUploads)
	}
	folder, err := os.MkdirTemp(r.Folder, id+"-*"+partSuffix)
	if err != nil {
		return nil, err
	}
	return &Receiver{runner: r, folder: folder, upload: &Upload{ID: id, By: user.Name, When: r.Store.Now()}}, nil
}

// keepsFiles reports whether a folder contains uploaded files. If the import of the upload
// has finished, it first deletes the files. If the description of the upload cannot be
// read, keepsFiles returns true, because the files are still there.
func (r *Runner) keepsFiles(folder string) bool {
	if !isUploadID.MatchString(folder) {
		return strings.HasSuffix(folder, partSuffix)
	}
	u, err := r.Upload(folder)
	if err != nil {
		return true
	}
	if !u.IsOpen() && !r.isRunning(u.ID) {
		if err := r.removeFiles(u); err != nil {
			r.Log.Error("cannot remove the files of an import", "import", u.ID, "error", err)
		}
	}
	return !u.Removed
}

// Add receives one file. It returns Invalid if the file cannot be imported, exceeds a
// limit or has the name of another file.
func (x *Receiver) Add(name string, content io.Reader) error {
	name = cleanName(name)
	if ext := strings.ToLower(filepath.Ext(name)); ext == ".yaml" || ext == ".yml" {
		return x.addMapping(name, content)
	}
	switch {
	case len(x.upload.Files) == MaxFiles:
		return store.InvalidField("files", "Choose at most %d files.", MaxFiles)
	case len(name) > maxName:
		return store.InvalidField("files", "A file name can be at most %d bytes long. Rename %s…", maxName, strings.ToValidUTF8(name[:40], ""))
	}
	for _, other := range x.upload.Files {
		if sameFile(other.Name, name) {
			return store.InvalidField("files", "%s has the same name as another file: upper and lower case, .csv and .gz make no difference. Rename or remove one of them.", name)
		}
	}
	f, err := x.save(name, content)
	if err != nil {
		return err
	}
	x.upload.Files = append(x.upload.Files, f)
	return nil
}

func (x *Receiver) addMapping(name string, content io.Reader) (err error) {
	if x.mapping != nil {
		return store.InvalidField("files", "Choose only one mapping. %s is the second one.", name)
	}
	if x.mapping, err = io.ReadAll(io.LimitReader(content, maxMappingText+1)); err != nil {
		return err
	}
	if len(x.mapping) > maxMappingText {
		return store.InvalidField("files", "%s is larger than 1 MB.", name)
	}
	x.upload.MappingDigest = MappingDigest(string(x.mapping))
	return nil
}

// save writes a file to disk, and counts its bytes and rows.
func (x *Receiver) save(name string, content io.Reader) (f File, err error) {
	path := filepath.Join(x.folder, filepath.Base(x.runner.contentPath("", len(x.upload.Files))))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	f = File{Name: name}
	if f.Size, err = io.Copy(io.MultiWriter(file, sum), io.LimitReader(content, MaxSize-x.size+1)); err != nil {
		return f, err
	}
	if x.size += f.Size; x.size > MaxSize {
		return f, store.InvalidField("files", "The files can be at most %d MB in total.", MaxSize>>20)
	}
	f.Digest = hex.EncodeToString(sum.Sum(nil))
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	lines, err := f.measure(file, MaxUnpacked-x.unpacked, MaxLines-x.lines)
	if err != nil {
		return f, err
	}
	x.unpacked += f.Unpacked
	x.lines += lines
	switch plain := strings.TrimSuffix(strings.ToLower(name), ".gz"); {
	case strings.HasSuffix(plain, ".csv"):
		f.Rows = max(0, lines-1)
	case strings.HasSuffix(plain, ".jsonl"):
		f.Rows = lines
	}
	return f, nil
}

// measure decompresses the file and counts its bytes and lines. It returns Invalid if the
// file is damaged or not text, is larger than limit, has more than maxLines lines, or grows
// too much. It stops reading there, so a decompression bomb takes little time.
func (f *File) measure(file io.Reader, limit int64, maxLines int) (lines int, err error) {
	in := bufio.NewReaderSize(file, 64<<10)
	var unpacked io.Reader = in
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		zipped, err := gzip.NewReader(in)
		if err != nil {
			return 0, damaged(f.Name)
		}
		unpacked = zipped
	}
	buffer := make([]byte, 64<<10)
	start, err := io.ReadFull(unpacked, buffer)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, damaged(f.Name)
	}
	if isBinary(buffer[:start]) {
		return 0, store.InvalidField("files", "%s is not a text file. Choose CSV, JSON Lines or JSON; save a spreadsheet as CSV first.", f.Name)
	}
	unpacked = io.MultiReader(bytes.NewReader(bytes.Clone(buffer[:start])), unpacked)
	ended := true
	for {
		n, err := unpacked.Read(buffer)
		lines += bytes.Count(buffer[:n], []byte("\n"))
		if n > 0 {
			ended = buffer[n-1] == '\n'
		}
		if f.Unpacked += int64(n); f.Unpacked > limit {
			return 0, store.InvalidField("files", "Choose files with at most %d MB in total after decompression. With %s, the total is larger. Use the command line for larger files.", MaxUnpacked>>20, f.Name)
		}
		switch {
		case lines > maxLines:
			return 0, store.InvalidField("files", "Choose files with at most %d million lines in total. With %s, the total is larger. Import the data in parts, or use the command line.", MaxLines/1_000_000, f.Name)
		case f.Unpacked > max(freeGrowth, f.Size*maxGrowth):
			return 0, store.InvalidField("files", "%s would become more than %d times larger when decompressed. Decompress it on your computer, and choose the decompressed file.", f.Name, maxGrowth)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, damaged(f.Name)
		}
	}
	if !ended {
		lines++
	}
	return lines, nil
}

// isBinary reports whether the start of a file is not text, because it is a PDF file or
// more than 2 % of its bytes are control characters. UTF-16 counts as text even without a
// byte order mark, although up to half of its bytes are zero.
func isBinary(start []byte) bool {
	if bytes.HasPrefix(start, []byte("%PDF-")) {
		return true
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return false
	}
	controls, zeros := 0, [2]int{} // number of zeros at even and at odd positions
	for i, c := range start {
		switch {
		case c == 0:
			zeros[i%2]++
		case c < ' ' && (c < '\t' || c > '\r'):
			controls++
		}
	}
	if most := max(zeros[0], zeros[1]); most > len(start)*2/5 && min(zeros[0], zeros[1]) == 0 {
		return false
	}
	return (controls+zeros[0]+zeros[1])*50 > len(start)
}

func damaged(name string) error {
	return store.InvalidField("files", "%s is damaged or not complete: it can't be decompressed. Compress and choose it again.", name)
}

// Finish checks the files and stores the upload. It returns Invalid if there is no file with
// data, and FileErrors if files or the mapping cannot be read. If the form was already
// submitted with the same files, Finish returns the upload of the first submission. If it was
// submitted with other files, Finish returns Conflict.
func (x *Receiver) Finish(ctx context.Context, access store.Access) (*Upload, error) {
	if len(x.upload.Files) == 0 {
		return nil, store.InvalidField("files", "Choose at least one file with data, not only a mapping.")
	}
	if err := x.match(ctx, access); err != nil {
		return nil, err
	}
	_, recorded := access.Import(ctx, x.upload.ID)
	if recorded != nil && store.KindOf(recorded) != store.NotFound {
		return nil, recorded
	}
	r := x.runner
	r.mu.Lock()
	defer r.mu.Unlock()
	earlier, err := r.Upload(x.upload.ID)
	switch {
	case err == nil && earlier.sameContent(x.upload):
		return earlier, nil
	case err == nil || recorded == nil:
		return nil, &store.Error{Kind: store.Conflict, Message: "This form was already submitted with other files. Reload the page with the form and choose the files again."}
	case store.KindOf(err) != store.NotFound:
		return nil, err
	}
	if err := x.upload.writeTo(x.folder); err != nil {
		return nil, err
	}
	if err := os.Rename(x.folder, r.path(x.upload.ID)); err != nil {
		return nil, err
	}
	x.folder = ""
	return x.upload, nil
}

// sameContent reports whether two uploads have files with the same names and contents, and the
// same uploaded mapping.
func (u *Upload) sameContent(other *Upload) bool {
	return u.MappingDigest == other.MappingDigest && slices.EqualFunc(u.Files, other.Files, func(a, b File) bool { return a.Name == b.Name && a.Digest == b.Digest })
}

// Discard deletes the files of an upload that Finish has not stored.
func (x *Receiver) Discard() {
	if x.folder == "" {
		return
	}
	if err := os.RemoveAll(x.folder); err != nil {
		x.runner.Log.Error("cannot remove an upload", "error", err)
	}
}

// removeLeftovers deletes uploads that were not received completely within an hour. It also
// deletes uploads that are older than FilesLife and whose description cannot be read.
func (r *Runner) removeLeftovers() (failed error) {
	entries, err := os.ReadDir(r.Folder)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue
		}
		age := r.Store.Now().Sub(info.ModTime())
		old := strings.HasSuffix(entry.Name(), partSuffix) && age > cleanInterval
		if isUploadID.MatchString(entry.Name()) && age > FilesLife {
			_, err := r.Upload(entry.Name())
			old = err != nil
		}
		if old {
			failed = errors.Join(failed, os.RemoveAll(filepath.Join(r.Folder, entry.Name())))
		}
	}
	return failed
}

// cleanName removes folders from a file name. It also replaces invisible characters, which
// could make the name look like another one.
func cleanName(name string) string {
	name = strings.ToValidUTF8(name, "_")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return '_'
		}
		return r
	}, name)
}

// sameFile reports whether two names mean the same file in a mapping. It ignores case
// and the extensions .gz and .csv.
func sameFile(a, b string) bool {
	key := func(name string) string {
		return strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".csv")
	}
	return key(a) == key(b)
}
