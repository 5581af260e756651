package codec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decoder builds items from their stored form. The values of all items that
// one Decoder makes share slabs, and their strings share the memory of the
// string they were decoded from, so a page costs a handful of allocations
// besides its maps. It is for one goroutine and one page.
type Decoder struct {
	names   *Names
	wanted  *Wanted
	strings slab[types.AttributeValueMemberS]
	numbers slab[types.AttributeValueMemberN]
}

// NewDecoder makes a decoder of whole items.
func NewDecoder(names *Names) *Decoder { return &Decoder{names: names} }

// Decoder makes a decoder of the chosen attributes only.
func (w *Wanted) Decoder() *Decoder { return &Decoder{names: w.names, wanted: w} }

// Item decodes one item. Its values keep body in memory.
func (d *Decoder) Item(body string) (Item, error) {
	if len(body) < headerLen {
		return nil, ErrMalformed
	}
	in := reader{src: body, at: headerLen}
	count := in.count()
	room := count
	if d.wanted != nil {
		room = min(count, d.wanted.count)
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
		name = in.bytes()
		return name, d.wanted == nil || d.wanted.inline[name]
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
		v.Value = in.bytes()
		return v
	case tagN:
		v := d.numbers.next()
		v.Value = in.bytes()
		return v
	case tagB:
		return &types.AttributeValueMemberB{Value: []byte(in.bytes())}
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
	return set(in, tag)
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
		name := in.bytes()
		elements[name] = d.value(in, depth)
		if in.bad {
			return nil
		}
	}
	return &types.AttributeValueMemberM{Value: elements}
}

func set(in *reader, tag byte) types.AttributeValue {
	elements := make([]string, in.count())
	for i := range elements {
		elements[i] = in.bytes()
	}
	switch tag {
	case tagSS:
		return &types.AttributeValueMemberSS{Value: elements}
	case tagNS:
		return &types.AttributeValueMemberNS{Value: elements}
	}
	binaries := make([][]byte, len(elements))
	for i, element := range elements {
		binaries[i] = []byte(element)
	}
	return &types.AttributeValueMemberBS{Value: binaries}
}

// slab hands out addresses into slices that double, so that values are
// allocated by the dozen. A value keeps its slice alive, which is why slices
// stay small.
type slab[T any] struct{ free []T }

const (
	slabFirst = 16
	slabMost  = 256
)

func (s *slab[T]) next() *T {
	if len(s.free) == cap(s.free) {
		s.free = make([]T, 0, min(max(slabFirst, 2*cap(s.free)), slabMost))
	}
	s.free = s.free[:len(s.free)+1]
	return &s.free[len(s.free)-1]
}
