package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
)

// Layout of bbolt's two header pages, which bbolt calls meta pages. The meta data follows
// the page header.
const (
	bboltMagic = 0xED0CDAED
	metaOffset = 16
	metaLen    = 64
	metaSumLen = 56 // number of bytes that the checksum covers
)

type header struct {
	pageSize, root, freelist, pages, transaction uint64
}

// checkHeaders checks the header of a file before bbolt maps the file. If the file is
// truncated, reading a page beyond its end would cause a memory fault. checkHeaders
// returns fs.ErrNotExist if there is no file.
func checkHeaders(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return notWritable(path, err)
	}
	defer f.Close()
	newest, err := newestHeader(f)
	if errors.Is(err, io.EOF) {
		return &FileError{path, ErrEmpty, "if it contained data, move it and restore a backup; otherwise delete it"}
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return notWritable(path, err)
	}
	if err != nil {
		return &FileError{path, ErrForeign, "choose another folder, or restore a backup if the file should be a store; nothing was changed"}
	}
	// Get the size after reading the header. Another process may be writing, and the file
	// grows before its header changes.
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	if uint64(info.Size()) < newest.pages*newest.pageSize {
		return &FileError{path, ErrDamaged, fmt.Sprintf("missing bytes at its end: %d; restore a backup", newest.pages*newest.pageSize-uint64(info.Size()))}
	}
	return nil
}

// newestHeader returns the header page with the higher transaction number. It ignores a
// header page that an interrupted write has made unreadable. It returns io.EOF for an empty
// file.
func newestHeader(f io.ReaderAt) (header, error) {
	var buffer [metaOffset + metaLen]byte
	if n, err := f.ReadAt(buffer[:], 0); n == 0 {
		return header{}, err
	}
	best, err := parseHeader(buffer[:])
	// The second header page begins after one page. If the first header page is damaged,
	// the page size is unknown. Therefore try all sizes.
	for size := int64(1 << 10); size <= 1<<16; size <<= 1 {
		if err == nil && uint64(size) != best.pageSize {
			continue
		}
		if _, readErr := f.ReadAt(buffer[:], size); readErr != nil {
			continue
		}
		second, secondErr := parseHeader(buffer[:])
		if secondErr == nil && second.pageSize == uint64(size) && (err != nil || second.transaction > best.transaction) {
			best, err = second, nil
		}
	}
	return best, err
}

// headerOf returns the header page that a transaction wrote, if the file still has it.
func headerOf(f io.ReaderAt, transaction uint64) (_ header, found bool, err error) {
	for page := range int64(2) {
		var buffer [metaOffset + metaLen]byte
		if _, err := f.ReadAt(buffer[:], page*pageSize); err != nil {
			return header{}, false, err
		}
		if h, err := parseHeader(buffer[:]); err == nil && h.transaction == transaction {
			return h, true, nil
		}
	}
	return header{}, false, nil
}

func parseHeader(page []byte) (header, error) {
	meta := page[metaOffset:]
	sum := fnv.New64a()
	sum.Write(meta[:metaSumLen])
	if binary.NativeEndian.Uint32(meta) != bboltMagic || binary.NativeEndian.Uint64(meta[metaSumLen:]) != sum.Sum64() {
		return header{}, ErrForeign
	}
	return header{
		pageSize:    uint64(binary.NativeEndian.Uint32(meta[8:])),
		root:        binary.NativeEndian.Uint64(meta[16:]),
		freelist:    binary.NativeEndian.Uint64(meta[32:]),
		pages:       binary.NativeEndian.Uint64(meta[40:]),
		transaction: binary.NativeEndian.Uint64(meta[48:]),
	}, nil
}
