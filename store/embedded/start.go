package embedded

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
)

// checkStart checks what bbolt has read without verification: the two header pages and
// the list of free pages. It records a damaged header page as a warning. bbolt has
// locked the file, so no other process can change it.
func (db *DB) checkStart() error {
	file, err := os.Open(db.path)
	if err != nil {
		return notWritable(db.path, err)
	}
	defer file.Close()
	problems, err := damagedHeaders(file)
	if err != nil {
		return err
	}
	db.warnings = problems
	for _, problem := range problems {
		db.log.Warn("a header page of the embedded store is damaged", "problem", problem)
	}
	newest, err := newestHeader(file)
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	if err := checkFreelist(file, newest); err != nil {
		return &FileError{db.path, ErrDamaged, err.Error()}
	}
	return nil
}

// Warnings returns problems that did not prevent Open from opening the store, such as
// a damaged header page, or a folder that other users can open.
func (db *DB) Warnings() []string { return db.warnings }

const headerPage = "header page "

// IsHeaderProblem reports whether a problem that Check reports is a damaged header page. The
// next writes replace this page, and all data can be read.
func IsHeaderProblem(problem string) bool { return strings.HasPrefix(problem, headerPage) }

// damagedHeaders returns a sentence for each damaged header page. If only one is damaged,
// Open uses the other one and returns no error. The last write may then be missing.
func damagedHeaders(file *os.File) (problems []string, err error) {
	for page := range int64(2) {
		var buffer [metaOffset + metaLen]byte
		if _, err := file.ReadAt(buffer[:], page*pageSize); err != nil {
			return nil, fmt.Errorf("embedded: %w", err)
		}
		if _, err := parseHeader(buffer[:]); err != nil {
			problems = append(problems, fmt.Sprintf("%s%d of %s is damaged. After a power failure, nothing is missing. Otherwise, the last write before the store was opened may be missing", headerPage, page, file.Name()))
		}
	}
	return problems, nil
}

// checkFreelist checks the list of free pages, because writes use these pages. It does not
// check that the pages are really free, because this would require reading all pages.
func checkFreelist(file *os.File, newest header) error {
	page := newest.freelist
	fail := func(cause string) error { return damagedPage(page, cause) }
	var head [pageHeaderLen]byte
	if page < 2 || page >= newest.pages {
		return fail("there is no such page")
	}
	if _, err := file.ReadAt(head[:], int64(page)*pageSize); err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	overflow := uint64(binary.NativeEndian.Uint32(head[12:]))
	if binary.NativeEndian.Uint64(head[:]) != page || binary.NativeEndian.Uint16(head[8:]) != kindFreelist || overflow >= newest.pages-page {
		return fail("it is not the freelist")
	}
	content := make([]byte, (overflow+1)*pageSize)
	if _, err := file.ReadAt(content, int64(page)*pageSize); err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	free, err := parseFreelist(page, content)
	if err != nil {
		return err
	}
	last := uint64(1)
	for _, number := range free {
		if number <= last || number >= newest.pages || number >= page && number <= page+overflow {
			return fail(fmt.Sprintf("it lists page %d, which is not free", number))
		}
		last = number
	}
	// bbolt computes the size of the list before it takes the pages for the list from the
	// free pages. The list can therefore have more space than it needs.
	room := func(count uint64) uint64 { return (pageHeaderLen + 8*count) / pageSize }
	count := uint64(len(free))
	if overflow < room(count) || overflow > room(count+overflow+2) {
		return fail("it has the wrong size")
	}
	return nil
}

// parseFreelist returns the page numbers in a list of free pages.
func parseFreelist(page uint64, content []byte) ([]uint64, error) {
	count, at := uint64(binary.NativeEndian.Uint16(content[10:])), uint64(pageHeaderLen)
	if count == countOverflow {
		count, at = binary.NativeEndian.Uint64(content[at:]), at+8
	}
	if count > (uint64(len(content))-at)/8 {
		return nil, damagedPage(page, "it states more free pages than it has room for")
	}
	free := make([]uint64, count)
	for i := range free {
		free[i] = binary.NativeEndian.Uint64(content[at+8*uint64(i):])
	}
	return free, nil
}
