package codec

import "math"

// reader reads a stored item. Once a read has failed, all further reads return zero values,
// so callers may check the field failed after several reads.
type reader struct {
	src    []byte
	at     int
	failed bool
}

func (r *reader) fail() int {
	r.failed = true
	return 0
}

func (r *reader) byte() byte {
	if r.failed || r.at >= len(r.src) {
		r.failed = true
		return 0
	}
	r.at++
	return r.src[r.at-1]
}

// uvarint reads a number. It reads numbers of one byte itself, which most numbers are,
// and leaves the others to longUvarint. This makes uvarint small enough for the compiler
// to inline.
func (r *reader) uvarint() int {
	if !r.failed && r.at < len(r.src) && r.src[r.at] < 0x80 {
		r.at++
		return int(r.src[r.at-1])
	}
	return r.longUvarint()
}

func (r *reader) longUvarint() int {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		if r.failed {
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > math.MaxInt32 {
				return r.fail()
			}
			return int(v)
		}
	}
	return r.fail()
}

func (r *reader) bytes() []byte {
	n := r.uvarint()
	if r.failed || n > len(r.src)-r.at {
		r.failed = true
		return nil
	}
	r.at += n
	return r.src[r.at-n : r.at]
}

// count reads a number of elements. Each element takes at least one byte. A damaged
// count that exceeds the remaining length therefore fails before memory is allocated.
func (r *reader) count() int {
	n := r.uvarint()
	if r.failed || n > len(r.src)-r.at {
		return r.fail()
	}
	return n
}

// container reads the length of a container and returns where the container ends.
func (r *reader) container() int {
	if r.failed || len(r.src)-r.at < headerLen {
		return r.fail()
	}
	s := r.src[r.at : r.at+headerLen]
	r.at += headerLen
	n := int(s[0]) | int(s[1])<<8 | int(s[2])<<16 | int(s[3])<<24
	if n > len(r.src)-r.at {
		return r.fail()
	}
	return r.at + n
}

// rowValues returns how many values the row of an item with the given number of attributes
// has. Its receiver is a copy, so the position of the caller's reader does not change.
func (r reader) rowValues(count int) (values int) {
	for range count {
		if r.uvarint() == 0 {
			r.bytes() // a name that is not in the dictionary
		}
		values += r.values(0)
		if r.failed {
			break // decoding the item later returns the error
		}
	}
	return values
}

// values skips a value with its type tag. It returns the length of the value in a
// row.Row: one, plus one for each of its parts. It fails if the parts go beyond the end
// of the value, so the result never exceeds the number of bytes.
func (r *reader) values(depth int) int {
	if r.at >= len(r.src) || r.src[r.at] < tagSS || depth > maxDepth {
		r.skip()
		return 1
	}
	tag, end, values := r.byte(), r.container(), 1
	count := r.count()
	if tag != tagL && tag != tagM {
		if values += count; count > end-r.at {
			return r.fail()
		}
		r.at = end
		return values
	}
	for range count {
		if tag == tagM {
			r.bytes()
		}
		values += r.values(depth + 1)
		if r.failed || r.at > end {
			return r.fail()
		}
	}
	r.at = end
	return values
}

// skip skips a value with its type tag.
func (r *reader) skip() {
	switch r.byte() {
	case tagS, tagN, tagB:
		r.bytes()
	case tagFalse, tagTrue, tagNull:
	case tagSS, tagNS, tagBS, tagL, tagM:
		r.at = r.container()
	default:
		r.failed = true
	}
}
