package embedded

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"go.etcd.io/bbolt"
)

// bbolt trusts its pages. A damaged page could therefore hide items without an error,
// crash the program or make a search follow a cycle of pages forever. The engine reads the
// mapped pages itself, and verifies each page that it visits:
//
//   - A page contains its own number and kind.
//   - bbolt writes the keys and values of a page without gaps: those of the first
//     element follow the list of elements, and those of each element follow those
//     of the element before it. A changed count, offset or length breaks this.
//   - A branch contains, for each child page, the child's first key.
//
// Keys and values have checksums (see keyspace). A search that finds no key verifies
// the keys on both sides of it, so damaged keys cannot hide others.

// mapping is the mapped file, as a transaction sees it.
type mapping struct {
	base  unsafe.Pointer
	pages uint64
}

func mappingOf(tx *bbolt.Tx) mapping {
	// Turn the address, which bbolt returns as a number, into a pointer. Go does not manage
	// this memory. It stays mapped until tx ends. In a write transaction, it stays mapped
	// until the transaction needs more memory.
	address := tx.DB().Info().Data
	return mapping{base: *(*unsafe.Pointer)(unsafe.Pointer(&address)), pages: uint64(tx.Size()) / pageSize}
}

// treePage is a verified page of a tree.
type treePage struct {
	start  unsafe.Pointer
	number uint64
	count  int
	leaf   bool
}

// pageElement is an element of a page. Its fields in a leaf are the flags, the offset, the
// key length and the value length. Its fields in a branch are the offset, the key length,
// and the number of the child page, which takes two fields.
type pageElement [4]uint32

func (p *treePage) elements() []pageElement {
	return unsafe.Slice((*pageElement)(unsafe.Add(p.start, pageHeaderLen)), p.count)
}

func (p *treePage) bytes(offset, length uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p.start, offset)), length)
}

func (p *treePage) key(i int) []byte {
	at := uint32(pageHeaderLen + i*elementLen)
	e := &p.elements()[i]
	if p.leaf {
		return p.bytes(at+e[1], e[2])
	}
	return p.bytes(at+e[0], e[1])
}

func (p *treePage) value(i int) []byte {
	e := &p.elements()[i]
	return p.bytes(uint32(pageHeaderLen+i*elementLen)+e[1]+e[2], e[3])
}

func (p *treePage) child(i int) uint64 {
	return *(*uint64)(unsafe.Pointer(&p.elements()[i][2]))
}

// search returns the position of the first key that is not less than target.
func (p *treePage) search(target []byte) (at int, exact bool) {
	low, high := 0, p.count
	for low < high {
		middle := (low + high) / 2
		switch order := bytes.Compare(p.key(middle), target); {
		case order == 0:
			return middle, true
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// page returns a page of a tree after verifying it. If the page is a leaf, all its
// elements must have these flags.
func (m *mapping) page(number uint64, flags uint32) (treePage, error) {
	fail := func(cause string) (treePage, error) { return treePage{}, damagedPage(number, cause) }
	if number < 2 || number >= m.pages {
		return fail("there is no such page")
	}
	p := treePage{start: unsafe.Add(m.base, number*pageSize), number: number}
	header := unsafe.Slice((*byte)(p.start), pageHeaderLen)
	if binary.NativeEndian.Uint64(header) != number {
		return fail("it has the number of another page")
	}
	switch binary.NativeEndian.Uint16(header[8:]) {
	case kindLeaf:
		p.leaf = true
	case kindBranch:
	default:
		return fail("it is not a page of a tree")
	}
	p.count = int(binary.NativeEndian.Uint16(header[10:]))
	overflow := uint64(binary.NativeEndian.Uint32(header[12:]))
	if overflow >= m.pages-number {
		return fail("it extends beyond the file")
	}
	size := (overflow + 1) * pageSize
	end := uint64(pageHeaderLen + p.count*elementLen)
	if p.count == 0 || end > size {
		return fail("it has the wrong number of elements")
	}
	at := uint64(pageHeaderLen)
	for i := range p.elements() {
		e := &p.elements()[i]
		offset, length, rest := e[0], e[1], uint32(0)
		if p.leaf {
			offset, length, rest = e[1], e[2], e[3]
			if e[0] != flags {
				return fail("an element has the wrong flags")
			}
		}
		if at+uint64(offset) != end || length == 0 {
			return fail("an element is in the wrong place")
		}
		if end += uint64(length) + uint64(rest); end > size {
			return fail("an element is outside the page")
		}
		at += elementLen
	}
	// Older versions of bbolt added a page if the last one was exactly full.
	if overflow != (end-1)/pageSize && overflow != end/pageSize {
		return fail("it has the wrong size")
	}
	return p, nil
}
