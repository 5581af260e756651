package codec

import "math"

// reader steps through a stored item. Errors are sticky: after bad is set the
// results are zero values, so a caller may ask once after several steps.
type reader struct {
	src []byte
	at  int
	bad bool
}

func (r *reader) fail() int {
	r.bad = true
	return 0
}

func (r *reader) byte() byte {
	if r.bad || r.at >= len(r.src) {
		r.bad = true
		return 0
	}
	r.at++
	return r.src[r.at-1]
}

// uvarint reads a number; one of a single byte, as nearly all are, is inlined.
func (r *reader) uvarint() int {
	if !r.bad && r.at < len(r.src) && r.src[r.at] < 0x80 {
		r.at++
		return int(r.src[r.at-1])
	}
	return r.longUvarint()
}

func (r *reader) longUvarint() int {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		if r.bad {
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
	if r.bad || n > len(r.src)-r.at {
		r.bad = true
		return nil
	}
	r.at += n
	return r.src[r.at-n : r.at]
}

// count reads a number of elements. Each takes a byte at least, so a number
// that the rest cannot hold is refused before room is made for it.
func (r *reader) count() int {
	n := r.uvarint()
	if r.bad || n > len(r.src)-r.at {
		return r.fail()
	}
	return n
}

// container reads the length in front of a container's elements and returns
// where they end.
func (r *reader) container() int {
	if r.bad || len(r.src)-r.at < headerLen {
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

// skip steps over a tag and its value.
func (r *reader) skip() {
	switch r.byte() {
	case tagS, tagN, tagB:
		r.bytes()
	case tagFalse, tagTrue, tagNull:
	case tagSS, tagNS, tagBS, tagL, tagM:
		r.at = r.container()
	default:
		r.bad = true
	}
}
