package codec

import (
	"bytes"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decoder builds items from their stored form. What its items hold is
// allocated together: their strings in chunks, their values in slabs, so a
// page costs a handful of allocations besides its maps. It is for one
// goroutine and one page.
type Decoder struct {
	names   *Names
	wanted  *Wanted
	expects int
	text    arena
	strings slab[types.AttributeValueMemberS]
	numbers slab[types.AttributeValueMemberN]
}

// NewDecoder makes a decoder of whole items.
func NewDecoder(names *Names) *Decoder { return &Decoder{names: names} }

// Decoder makes a decoder of the chosen attributes only.
func (w *Wanted) Decoder() *Decoder { return &Decoder{names: w.names, wanted: w} }

// Expect says how many items will be decoded, about, so that room is made at
// once.
func (d *Decoder) Expect(items int) *Decoder {
	d.expects = items
	return d
}

// Item decodes one item. Nothing of it refers to body.
func (d *Decoder) Item(body []byte) (Item, error) {
	if len(body) < headerLen {
		return nil, ErrMalformed
	}
	in := reader{src: body, at: headerLen}
	count := in.count()
	room := count
	if d.wanted != nil {
		room = min(count, d.wanted.count)
	}
	if d.expects > 0 {
		d.strings.reserve(d.expects * room)
		d.text.reserve(d.expects * len(body) * room / max(count, 1))
		d.expects = 0
	}
	item := make(Item, room)
	for range count {
		name, wanted := d.name(&in)
		if in.bad {
			return nil, ErrMalformed
		}
		if !wanted {
			in.skip()
			continue
		}
		value := d.value(&in, 0)
		if in.bad {
			return nil, ErrMalformed
		}
		item[name] = value
		if d.wanted != nil && len(item) == d.wanted.count {
			return item, nil
		}
	}
	if in.bad || in.at != len(body) {
		return nil, ErrMalformed
	}
	return item, nil
}

func (d *Decoder) name(in *reader) (name string, wanted bool) {
	id := in.uvarint()
	if id == 0 {
		inline := in.bytes()
		if d.wanted == nil || d.wanted.inline[string(inline)] {
			return d.text.keep(inline), true
		}
		return "", false
	}
	id--
	if id >= len(d.names.list) {
		in.bad = true
		return "", false
	}
	return d.names.list[id], d.wanted == nil || d.wanted.known[id]
}

func (d *Decoder) value(in *reader, depth int) types.AttributeValue {
	switch tag := in.byte(); tag {
	case tagS:
		v := d.strings.next()
		v.Value = d.text.keep(in.bytes())
		return v
	case tagN:
		v := d.numbers.next()
		v.Value = d.text.keep(in.bytes())
		return v
	case tagB:
		return &types.AttributeValueMemberB{Value: bytes.Clone(in.bytes())}
	case tagFalse, tagTrue:
		return &types.AttributeValueMemberBOOL{Value: tag == tagTrue}
	case tagNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case tagSS, tagNS, tagBS, tagL, tagM:
		end := in.container()
		v := d.container(in, tag, depth+1)
		// What is stepped over and what is decoded must agree on the end.
		in.bad = in.bad || in.at != end
		return v
	}
	in.bad = true
	return nil
}

func (d *Decoder) container(in *reader, tag byte, depth int) types.AttributeValue {
	switch {
	case depth > Depth:
		in.bad = true
		return nil
	case tag == tagL:
		return d.list(in, depth)
	case tag == tagM:
		return d.document(in, depth)
	}
	return d.set(in, tag)
}

func (d *Decoder) list(in *reader, depth int) types.AttributeValue {
	elements := make([]types.AttributeValue, in.count())
	for i := range elements {
		elements[i] = d.value(in, depth)
		if in.bad {
			return nil
		}
	}
	return &types.AttributeValueMemberL{Value: elements}
}

func (d *Decoder) document(in *reader, depth int) types.AttributeValue {
	count := in.count()
	elements := make(Item, count)
	for range count {
		name := d.text.keep(in.bytes())
		elements[name] = d.value(in, depth)
		if in.bad {
			return nil
		}
	}
	return &types.AttributeValueMemberM{Value: elements}
}

func (d *Decoder) set(in *reader, tag byte) types.AttributeValue {
	if tag == tagBS {
		elements := make([][]byte, in.count())
		for i := range elements {
			elements[i] = bytes.Clone(in.bytes())
		}
		return &types.AttributeValueMemberBS{Value: elements}
	}
	elements := make([]string, in.count())
	for i := range elements {
		elements[i] = d.text.keep(in.bytes())
	}
	if tag == tagNS {
		return &types.AttributeValueMemberNS{Value: elements}
	}
	return &types.AttributeValueMemberSS{Value: elements}
}

// arena copies bytes into strings that lie in common chunks. Nothing written
// to a strings.Builder changes, so its strings may be taken on the way.
type arena struct {
	chunk strings.Builder
	size  int
}

const (
	chunkFirst = 1 << 10
	chunkMost  = 32 << 10
)

// reserve makes room for a page's strings before the first of them.
func (a *arena) reserve(size int) {
	a.size = min(size, chunkMost)
	a.chunk.Grow(a.size)
}

func (a *arena) keep(b []byte) string {
	if a.chunk.Cap()-a.chunk.Len() < len(b) {
		a.size = min(max(2*a.size, chunkFirst), chunkMost)
		if len(b) > a.size/4 {
			return string(b) // it is worth an allocation of its own
		}
		a.chunk = strings.Builder{}
		a.chunk.Grow(a.size)
	}
	start := a.chunk.Len()
	a.chunk.Write(b)
	return a.chunk.String()[start:]
}

// slab hands out addresses into slices that double, so that values are
// allocated by the dozen. A value keeps its slice alive, which is why slices
// stay small.
type slab[T any] struct{ free []T }

const (
	slabFirst = 16
	slabMost  = 256
)

// reserve makes room for a page's values before the first of them.
func (s *slab[T]) reserve(count int) {
	s.free = make([]T, 0, min(count, 4*slabMost))
}

func (s *slab[T]) next() *T {
	if len(s.free) == cap(s.free) {
		s.free = make([]T, 0, min(max(slabFirst, 2*cap(s.free)), slabMost))
	}
	s.free = s.free[:len(s.free)+1]
	return &s.free[len(s.free)-1]
}
