package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// Layout of bbolt's pages. A page header contains the page number, the kind, the
// number of elements and the number of overflow pages.
const (
	pageHeaderLen = 16
	elementLen    = 16 // length of an element in a branch or leaf page
	bucketLen     = 16 // bucket value: root page and sequence

	kindBranch   = 0x01
	kindLeaf     = 0x02
	kindFreelist = 0x10

	bucketFlag = 0x01

	// countOverflow means that the first element of a freelist is its count.
	countOverflow = 0xFFFF
)

// structure checks all pages of the file. bbolt's own check trusts the numbers in the
// pages, so a damaged number can make it loop forever or crash. structure does not use
// bbolt's memory mapping of the file, and validates every number.
type structure struct {
	file    io.ReaderAt
	pages   uint64
	owner   []byte // use of each page: ownerNone, ownerTree or ownerFree
	problem func(error)
	step    func() error
	stopped error // the error of step that ended the check
	// hasCycle means that a tree may contain a cycle: a page is used twice, or the pages
	// below a damaged branch were not visited.
	hasCycle bool
}

// Uses of a page.
const (
	ownerNone byte = iota
	ownerTree
	ownerFree
)

// checkStructure checks that every page of a snapshot is either free or part of exactly
// one tree. During the check, either the snapshot must be open, or the file must not
// change. checkStructure calls step before each page of a tree, and stops if step returns
// an error. The result walkable is false if a tree may contain a cycle, in which bbolt
// would loop forever.
func checkStructure(file io.ReaderAt, snapshot header, problem func(error), step func() error) (walkable bool, err error) {
	s := &structure{file: file, pages: snapshot.pages, owner: make([]byte, snapshot.pages), step: step}
	s.owner[0], s.owner[1] = ownerTree, ownerTree
	problems := 0
	s.problem = func(err error) { problems++; problem(err) }
	s.tree(snapshot.root, nil, nil, nil)
	s.freelist(snapshot.freelist)
	if s.stopped != nil {
		return false, s.stopped
	}
	if problems > 0 {
		return !s.hasCycle, nil // do not look for unused pages: those below a damaged page were not visited
	}
	for page, owner := range s.owner {
		if owner == ownerNone {
			s.problem(damagedPage(uint64(page), "it is neither free nor part of a tree"))
		}
	}
	return true, nil
}

func damagedPage(page uint64, cause string) error {
	return &DamageError{Where: fmt.Sprintf("page %d of the file", page), Cause: cause}
}

// read reads a page with its overflow pages, and records owner as their use. The result
// ok is false if the page cannot be read, its header is invalid, or one of the pages is
// already in use.
func (s *structure) read(page uint64, owner byte) (content []byte, kind uint16, ok bool) {
	fail := func(cause string) ([]byte, uint16, bool) {
		s.problem(damagedPage(page, cause))
		return nil, 0, false
	}
	if page < 2 || page >= s.pages {
		return fail("there is no such page")
	}
	var header [pageHeaderLen]byte
	if _, err := s.file.ReadAt(header[:], int64(page)*pageSize); err != nil {
		return fail(err.Error())
	}
	if binary.NativeEndian.Uint64(header[:]) != page {
		return fail("it has the number of another page")
	}
	overflow := uint64(binary.NativeEndian.Uint32(header[12:]))
	if page+overflow >= s.pages {
		return fail("it extends beyond the file")
	}
	for i := page; i <= page+overflow; i++ {
		if s.owner[i] != ownerNone {
			s.hasCycle = true
			return fail("it is used twice")
		}
		s.owner[i] = owner
	}
	content = make([]byte, (overflow+1)*pageSize)
	if _, err := s.file.ReadAt(content, int64(page)*pageSize); err != nil {
		return fail(err.Error())
	}
	return content, binary.NativeEndian.Uint16(header[8:]), true
}

// tree checks a page and all pages below it. Their keys must be in [start, end). If the
// argument first is not nil, it must be equal to the page's first key. Each page is visited
// at most once, so tree always ends.
func (s *structure) tree(page uint64, first, start, end []byte) {
	if s.stopped == nil {
		s.stopped = s.step()
	}
	if s.stopped != nil {
		return
	}
	content, kind, ok := s.read(page, ownerTree)
	if !ok {
		return
	}
	if kind != kindBranch && kind != kindLeaf {
		s.problem(damagedPage(page, "it is not a page of a tree"))
		return
	}
	fail := func(cause string) {
		s.hasCycle = s.hasCycle || kind == kindBranch
		s.problem(damagedPage(page, cause))
	}
	count := int(binary.NativeEndian.Uint16(content[10:]))
	if pageHeaderLen+count*elementLen > len(content) {
		fail("it is too small for its elements")
		return
	}
	elements := make([]element, count)
	for i := range elements {
		var ok bool
		if elements[i], ok = elementAt(content, i, kind); !ok {
			fail("an element is outside the page")
			return
		}
		key := elements[i].key
		if i == 0 && first != nil && !bytes.Equal(key, first) {
			fail(firstKeyDiffers)
			return
		}
		low := i > 0 && bytes.Compare(elements[i-1].key, key) >= 0 || kind == kindLeaf && bytes.Compare(key, start) < 0
		if low || end != nil && bytes.Compare(key, end) >= 0 {
			fail("its keys are out of order")
			return
		}
	}
	for i, e := range elements {
		switch {
		case kind == kindBranch:
			below := end
			if i+1 < count {
				below = elements[i+1].key
			}
			if i > 0 {
				start = e.key
			}
			s.tree(e.page, e.key, start, below)
		case e.flags&bucketFlag != 0 && len(e.value) != bucketLen:
			fail("it has a bucket of the wrong size")
		case e.flags&bucketFlag != 0:
			s.tree(binary.NativeEndian.Uint64(e.value), nil, nil, nil)
		}
	}
}

// element is an element of a leaf page, or of a branch page, where it has a child page.
type element struct {
	key, value []byte
	page       uint64
	flags      uint32
}

func elementAt(content []byte, i int, kind uint16) (e element, ok bool) {
	start := pageHeaderLen + i*elementLen
	head := content[start : start+elementLen]
	field := func(at int) uint64 { return uint64(binary.NativeEndian.Uint32(head[at:])) }
	var at, keyLen, valueLen uint64
	if kind == kindBranch {
		at, keyLen = field(0), field(4)
		e.page = binary.NativeEndian.Uint64(head[8:])
	} else {
		e.flags = uint32(field(0))
		at, keyLen, valueLen = field(4), field(8), field(12)
	}
	at += uint64(start)
	if at+keyLen+valueLen > uint64(len(content)) {
		return e, false
	}
	e.key = content[at : at+keyLen]
	e.value = content[at+keyLen : at+keyLen+valueLen]
	return e, true
}

// freelist marks the free pages. They must not be part of a tree.
func (s *structure) freelist(page uint64) {
	content, kind, ok := s.read(page, ownerTree)
	if !ok {
		return
	}
	if kind != kindFreelist {
		s.problem(damagedPage(page, "it is not the freelist"))
		return
	}
	free, err := parseFreelist(page, content)
	if err != nil {
		s.problem(err)
		return
	}
	for _, free := range free {
		if free < 2 || free >= s.pages || s.owner[free] != ownerNone {
			s.problem(damagedPage(page, fmt.Sprintf("it lists page %d, which is not free", free)))
			continue
		}
		s.owner[free] = ownerFree
	}
}
