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

// bboltMagic opens both header pages of a bbolt file, behind the page's own
// header of 16 bytes.
const (
	bboltMagic  = 0xED0CDAED
	metaOffset  = 16
	metaLen     = 64
	metaSumming = 56 // the bytes that the header's checksum covers
)

// header is what a header page says about the file.
type header struct {
	pageSize, root, freelist, pages, transaction uint64
}

// inspect looks at a file before bbolt maps it into memory, where a page
// beyond the end of a truncated file would be a fault rather than an error. A
// file that is not there, or empty, is one to be made.
func inspect(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unwritable(path, err)
	}
	defer f.Close()
	newest, err := newestHeader(f)
	if errors.Is(err, io.EOF) {
		return nil
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return unwritable(path, err)
	}
	if err != nil {
		return &FileError{path, ErrForeign, "choose another folder, or restore a backup if this file should be one; nothing was changed"}
	}
	// The size is asked for after the header was read: another process may be
	// writing, and a file grows before its header says so.
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	if uint64(info.Size()) < newest.pages*newest.pageSize {
		return &FileError{path, ErrDamaged, fmt.Sprintf("%d bytes are missing from its end; restore a backup", newest.pages*newest.pageSize-uint64(info.Size()))}
	}
	return nil
}

// newestHeader reads the header page with the higher transaction number. A
// write that was cut off can leave one of the two unreadable. io.EOF means an
// empty file.
func newestHeader(f io.ReaderAt) (header, error) {
	var buffer [metaOffset + metaLen]byte
	if n, err := f.ReadAt(buffer[:], 0); n == 0 {
		return header{}, err
	}
	best, err := parseHeader(buffer[:])
	// Where the second page is follows from the page size, which only the
	// first one says for certain; every size is tried if that is damaged.
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

func parseHeader(page []byte) (header, error) {
	meta := page[metaOffset:]
	sum := fnv.New64a()
	sum.Write(meta[:metaSumming])
	if binary.NativeEndian.Uint32(meta) != bboltMagic || binary.NativeEndian.Uint64(meta[metaSumming:]) != sum.Sum64() {
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
