package codec

import (
	"bytes"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/row"
)

// Decoder decodes stored items. It allocates strings and values for many items at once, so
// decoding a page of results needs few allocations besides those of the maps. Use one
// Decoder per page. It is not safe for concurrent use.
type Decoder struct {
	names    *Names
	selected *Selection
	expected int
	text     arena
	strings  slab[types.AttributeValueMemberS]
	numbers  slab[types.AttributeValueMemberN]
	values   row.Row // values of the rows that were decoded so far
}

// NewDecoder returns a decoder for all attributes.
func NewDecoder(names *Names) *Decoder { return &Decoder{names: names} }

// Decoder returns a decoder for the selected attributes.
func (s *Selection) Decoder() *Decoder { return &Decoder{names: s.names, selected: s} }

// Expect makes the next call of Item allocate memory for about this many items.
func (d *Decoder) Expect(items int) *Decoder {
	d.expected = items
	return d
}

// Item decodes an item. The result shares no memory with body. Item returns
// ErrMalformed if the bytes are invalid.
func (d *Decoder) Item(body []byte) (Item, error) {
	if len(body) < headerLen {
		return nil, ErrMalformed
	}
	in := reader{src: body, at: headerLen}
	count := in.count()
	room := d.room(count)
	if d.expected > 0 {
		d.strings.reserve(d.expected * room)
		d.text.reserve(d.expected * len(body) * room / max(count, 1))
		d.expected = 0
	}
	item := make(Item, room)
	for range count {
		name, selected := d.name(&in)
		if in.failed {
			return nil, ErrMalformed
		}
		if !selected {
			in.skip()
			continue
		}
		value := d.value(&in, 0)
		if in.failed {
			return nil, ErrMalformed
		}
		item[name] = value
		if d.selected != nil && len(item) == d.selected.count {
			return item, nil
		}
	}
	if in.failed || in.at != len(body) {
		return nil, ErrMalformed
	}
	return item, nil
}

func (d *Decoder) name(in *reader) (name string, selected bool) {
	id := in.uvarint()
	if id == 0 {
		inline := in.bytes()
		if d.selected == nil || d.selected.inline[string(inline)] {
			return d.text.add(inline), true
		}
		return "", false
	}
	id--
	if id >= len(d.names.list) {
		in.failed = true
		return "", false
	}
	return d.names.list[id], d.selected == nil || d.selected.known[id]
}

func (d *Decoder) value(in *reader, depth int) types.AttributeValue {
	switch tag := in.byte(); tag {
	case tagS:
		v := d.strings.next()
		v.Value = d.text.add(in.bytes())
		return v
	case tagN:
		v := d.numbers.next()
		v.Value = d.text.add(in.bytes())
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
		// A decoder that skips this value continues at end. A value that ends elsewhere is
		// therefore malformed.
		in.failed = in.failed || in.at != end
		return v
	}
	in.failed = true
	return nil
}

func (d *Decoder) container(in *reader, tag byte, depth int) types.AttributeValue {
	switch {
	case depth > maxDepth:
		in.failed = true
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
		if in.failed {
			return nil
		}
	}
	return &types.AttributeValueMemberL{Value: elements}
}

func (d *Decoder) document(in *reader, depth int) types.AttributeValue {
	count := in.count()
	elements := make(Item, count)
	for range count {
		name := d.text.add(in.bytes())
		elements[name] = d.value(in, depth)
		if in.failed {
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
		elements[i] = d.text.add(in.bytes())
	}
	if tag == tagNS {
		return &types.AttributeValueMemberNS{Value: elements}
	}
	return &types.AttributeValueMemberSS{Value: elements}
}

// arena copies bytes to strings in large chunks of memory. A strings.Builder never modifies
// bytes that it has written, so these strings are valid while the chunk is still being
// filled.
type arena struct {
	chunk strings.Builder
	size  int
}

const (
	chunkFirst = 1 << 10
	chunkMost  = 32 << 10
)

// reserve allocates memory for strings of size bytes in total, but at most one chunk.
func (a *arena) reserve(size int) {
	a.size = min(size, chunkMost)
	a.chunk.Grow(a.size)
}

func (a *arena) add(b []byte) string {
	if a.chunk.Cap()-a.chunk.Len() < len(b) {
		a.size = min(max(2*a.size, chunkFirst), chunkMost)
		if len(b) > a.size/4 {
			return string(b) // too large for a shared chunk
		}
		a.chunk = strings.Builder{}
		a.chunk.Grow(a.size)
	}
	start := a.chunk.Len()
	a.chunk.Write(b)
	return a.chunk.String()[start:]
}

// slab allocates values in slices. Each new slice has twice the size of the previous one,
// up to a limit. The limit is small, because one value in use keeps its whole slice in
// memory.
type slab[T any] struct{ free []T }

const (
	slabFirst = 16
	slabMost  = 256
)

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
