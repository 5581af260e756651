package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// The layout of bbolt's pages. Every page opens with its number, its kind, how
// many elements it has and over how many further pages it extends.
const (
	pageHeaderLen = 16
	elementLen    = 16 // of branches and leaves alike
	bucketLen     = 16 // a nested tree as an element's value: its root and a sequence

	kindBranch   = 0x01
	kindLeaf     = 0x02
	kindFreelist = 0x10

	bucketFlag = 0x01

	// countElsewhere says that a freelist's count is its first number.
	countElsewhere = 0xFFFF
)

// structure is a walk over all pages of the file. bbolt has such a check of
// its own, but that trusts the numbers in the pages as the rest of bbolt does:
// a damaged one makes it loop or end the program. This one reads the file, not
// the mapping, and believes nothing.
type structure struct {
	file    io.ReaderAt
	pages   uint64
	owner   []byte // for each page, what it was found to be
	problem func(error)
	// maze tells that a tree may lead in a circle: a page is used twice, or the
	// pages below a damaged branch were not entered.
	maze bool
}

// What a page was found to be.
const (
	ownerNone byte = iota
	ownerTree
	ownerFree
)

// checkStructure looks whether every page is part of one tree, or free, and
// never both. The file must not change meanwhile. It tells whether all of the
// trees can be walked: bbolt would not come back from one that leads in a circle.
func checkStructure(file io.ReaderAt, problem func(error)) (walkable bool, err error) {
	newest, err := newestHeader(file)
	if err != nil {
		return false, err
	}
	s := &structure{file: file, pages: newest.pages, owner: make([]byte, newest.pages), problem: problem}
	s.owner[0], s.owner[1] = ownerTree, ownerTree
	before := 0
	s.problem = func(err error) { before++; problem(err) }
	s.tree(newest.root, nil, nil)
	s.freelist(newest.freelist)
	if before > 0 {
		return !s.maze, nil // pages behind the damage were not reached
	}
	for page, owner := range s.owner {
		if owner == ownerNone {
			s.problem(damagedPage(uint64(page), "it is lost: no tree has it, and it is not free"))
		}
	}
	return true, nil
}

func damagedPage(page uint64, cause string) error {
	return &DamageError{Where: "the structure of the file", Key: fmt.Sprint("page ", page), Cause: cause}
}

// read reads a page with those that it extends over, if it is what it should
// be and nobody else has it.
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
		return fail("it has another page's number")
	}
	further := uint64(binary.NativeEndian.Uint32(header[12:]))
	if page+further >= s.pages {
		return fail("it extends beyond the file")
	}
	for i := page; i <= page+further; i++ {
		if s.owner[i] != ownerNone {
			s.maze = true
			return fail("it is used twice")
		}
		s.owner[i] = owner
	}
	content = make([]byte, (further+1)*pageSize)
	if _, err := s.file.ReadAt(content, int64(page)*pageSize); err != nil {
		return fail(err.Error())
	}
	return content, binary.NativeEndian.Uint16(header[8:]), true
}

// tree walks a page whose keys must lie in [from, upto), and what is below it.
// Each page is entered once at most, so the walk ends.
func (s *structure) tree(page uint64, from, upto []byte) {
	content, kind, ok := s.read(page, ownerTree)
	if !ok {
		return
	}
	if kind != kindBranch && kind != kindLeaf {
		s.problem(damagedPage(page, "it is part of no tree"))
		return
	}
	fail := func(cause string) {
		s.maze = s.maze || kind == kindBranch
		s.problem(damagedPage(page, cause))
	}
	count := int(binary.NativeEndian.Uint16(content[10:]))
	if pageHeaderLen+count*elementLen > len(content) {
		fail("it has no room for its elements")
		return
	}
	elements := make([]element, count)
	for i := range elements {
		var ok bool
		if elements[i], ok = elementAt(content, i, kind); !ok {
			fail("an element lies outside of it")
			return
		}
		key := elements[i].key
		// The first key of a branch may stand above keys that came later.
		low := i > 0 && bytes.Compare(elements[i-1].key, key) >= 0 || kind == kindLeaf && bytes.Compare(key, from) < 0
		if low || upto != nil && bytes.Compare(key, upto) >= 0 {
			fail("its keys are out of order")
			return
		}
	}
	for i, e := range elements {
		switch {
		case kind == kindBranch:
			below := upto
			if i+1 < count {
				below = elements[i+1].key
			}
			if i > 0 {
				from = e.key
			}
			s.tree(e.page, from, below)
		case e.flags&bucketFlag != 0 && len(e.value) != bucketLen:
			fail("it holds a bucket that is none")
		case e.flags&bucketFlag != 0:
			s.tree(binary.NativeEndian.Uint64(e.value), nil, nil)
		}
	}
}

// element is an element of a branch, with the page below it, or of a leaf.
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

// freelist marks the free pages, which no tree may have.
func (s *structure) freelist(page uint64) {
	content, kind, ok := s.read(page, ownerTree)
	if !ok {
		return
	}
	if kind != kindFreelist {
		s.problem(damagedPage(page, "it is not the list of free pages"))
		return
	}
	count, at := uint64(binary.NativeEndian.Uint16(content[10:])), uint64(pageHeaderLen)
	if count == countElsewhere {
		count, at = binary.NativeEndian.Uint64(content[at:]), at+8
	}
	if count > (uint64(len(content))-at)/8 {
		s.problem(damagedPage(page, "it lists more free pages than it has room for"))
		return
	}
	for ; count > 0; count-- {
		free := binary.NativeEndian.Uint64(content[at:])
		at += 8
		if free < 2 || free >= s.pages || s.owner[free] != ownerNone {
			s.problem(damagedPage(page, fmt.Sprintf("it lists page %d, which is not free", free)))
			continue
		}
		s.owner[free] = ownerFree
	}
}
