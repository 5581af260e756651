package spill

import (
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/bits"
	"slices"
)

// Map maps digests to values. When the number of entries in memory reaches the limit of
// NewMap, it moves them to a temporary file, so its memory is bounded. Digests must be
// evenly distributed, such as hashes. A Map is not safe for concurrent use.
//
// The file is a hash table of pages. The first bits of a digest determine its page. If this
// page is full, the entry is in the next page that has space. New values are first
// collected in memory, and then written to the file in the order of the pages.
type Map struct {
	folder string
	limit  int // maximum number of entries in memory
	memory map[uint64]uint64

	file  *TempFile // nil while all entries are in memory
	bits  int       // the file has 1<<bits pages
	count int       // number of entries in the file

	page   [pageSize]byte // the page that was read last
	number int64          // number of that page; -1 if no page was read
	dirty  bool           // the page has changed since it was read

	filter filter // contains the digests in the file
}

// A page starts with the number of its entries. Entries are never removed.
const (
	pageSize    = 4096
	entrySize   = 16
	pageHeader  = entrySize
	pageEntries = (pageSize - pageHeader) / entrySize
)

// NewMap returns an empty map. When the map has limit entries, it creates a temporary
// file in the folder. If folder is "", this is the system's temporary folder.
func NewMap(folder string, limit int) *Map {
	return &Map{folder: folder, limit: limit, memory: map[uint64]uint64{}}
}

// Get returns the value of a digest.
func (m *Map) Get(digest uint64) (value uint64, found bool, err error) {
	if value, found = m.memory[digest]; found || m.file == nil || !m.filter.mayHave(digest) {
		return value, found, nil
	}
	at, found, err := m.find(digest)
	if err != nil || !found {
		return 0, false, err
	}
	_, value = m.entry(at)
	return value, true, nil
}

// Set sets the value of a digest.
func (m *Map) Set(digest, value uint64) error {
	m.memory[digest] = value
	if len(m.memory) < m.limit {
		return nil
	}
	if m.file == nil {
		if err := m.open(m.limit); err != nil {
			return err
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(m.memory)) { // write in the order of the pages
		if err := m.store(digest, m.memory[digest]); err != nil {
			return err
		}
	}
	clear(m.memory)
	return nil
}

// Close closes and deletes the file.
func (m *Map) Close() error {
	if m.file == nil {
		return nil
	}
	err := m.file.Close()
	m.file = nil
	return err
}

// find reads the page with the entry of a digest, and returns the position of the entry in
// the page. If there is no entry, at is the position for a new one.
func (m *Map) find(digest uint64) (at int, found bool, err error) {
	for number := int64(digest >> (64 - m.bits)); ; number = (number + 1) % (1 << m.bits) {
		if err := m.read(number); err != nil {
			return 0, false, err
		}
		count := m.entries()
		for at := range count {
			if other, _ := m.entry(at); other == digest {
				return at, true, nil
			}
		}
		if count < pageEntries {
			return count, false, nil
		}
	}
}

// read reads a page into m.page. Before that, it writes the page that is in m.page to the
// file if this page has changed.
func (m *Map) read(number int64) error {
	if m.number == number {
		return nil
	}
	if m.dirty {
		if _, err := m.file.WriteAt(m.page[:], m.number*pageSize); err != nil {
			return err
		}
	}
	m.number, m.dirty = -1, false
	n, err := m.file.ReadAt(m.page[:], number*pageSize)
	if err == io.EOF { // the file ends before the page or in it, because the rest was never written
		clear(m.page[n:])
	} else if err != nil {
		return err
	}
	m.number = number
	return nil
}

func (m *Map) entries() int { return int(binary.LittleEndian.Uint64(m.page[:])) }

func (m *Map) entry(n int) (digest, value uint64) {
	at := m.page[pageHeader+n*entrySize:]
	return binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
}

func (m *Map) store(digest, value uint64) error {
	if m.count >= (pageEntries<<m.bits)*3/4 {
		if err := m.grow(); err != nil {
			return err
		}
	}
	at, found, err := m.find(digest)
	if err != nil {
		return err
	}
	entry := m.page[pageHeader+at*entrySize:]
	binary.LittleEndian.PutUint64(entry, digest)
	binary.LittleEndian.PutUint64(entry[8:], value)
	if m.dirty = true; !found {
		m.filter.add(digest)
		m.count++
		binary.LittleEndian.PutUint64(m.page[:], uint64(at)+1)
	}
	return nil
}

// open creates a file with room for at least four times this number of entries.
func (m *Map) open(entries int) (err error) {
	if m.file, err = CreateTemp(m.folder); err != nil {
		return err
	}
	m.number, m.bits = -1, bits.Len(uint(4*entries/pageEntries))
	m.filter = make(filter, min(pageEntries<<m.bits, maxFilter))
	return nil
}

func (m *Map) grow() error {
	next := NewMap(m.folder, m.limit)
	if err := next.open(m.count); err != nil {
		return err
	}
	next.memory = m.memory
	for number := range int64(1) << m.bits {
		err := m.read(number)
		for at := 0; err == nil && at < m.entries(); at++ {
			err = next.store(m.entry(at))
		}
		if err != nil {
			return errors.Join(err, next.Close())
		}
	}
	if err := m.Close(); err != nil {
		return errors.Join(err, next.Close())
	}
	*m = *next
	return nil
}

// filter is a Bloom filter: it usually shows that a digest is not in the file, without
// reading the file. It has at least 10 bits for each entry, or maxFilter bytes.
type filter []byte

const maxFilter = 32 << 20

// bitsOf calls visit with the positions of a digest's bits. It stops when visit returns
// false.
func (f filter) bitsOf(digest uint64, visit func(at uint64, mask byte) bool) {
	for range 4 {
		digest *= 0x9E3779B97F4A7C15 // the factor is odd, so the product differs for different digests
		if at, _ := bits.Mul64(digest, uint64(len(f))); !visit(at, 1<<(digest&7)) {
			return
		}
		digest ^= digest >> 32
	}
}

func (f filter) add(digest uint64) {
	f.bitsOf(digest, func(at uint64, mask byte) bool {
		f[at] |= mask
		return true
	})
}

func (f filter) mayHave(digest uint64) (has bool) {
	f.bitsOf(digest, func(at uint64, mask byte) bool {
		has = f[at]&mask != 0
		return has
	})
	return has
}
