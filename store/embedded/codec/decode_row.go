package codec

import "stockroom/store/row"

// Row is like Item, but returns a flat list of attributes instead of maps.
func (d *Decoder) Row(body []byte) (row.Row, error) {
	if len(body) < headerLen {
		return nil, ErrMalformed
	}
	in := reader{src: body, at: headerLen}
	count := in.count()
	d.reserveRow(count)
	start, found := len(d.values), 0
	for range count {
		name, selected := d.name(&in)
		if in.failed {
			return nil, ErrMalformed
		}
		if !selected {
			in.skip()
			continue
		}
		d.addValue(&in, name, 0)
		if in.failed {
			return nil, ErrMalformed
		}
		if found++; d.selected != nil && found == d.selected.count {
			return d.values[start:len(d.values):len(d.values)], nil
		}
	}
	if in.failed || in.at != len(body) {
		return nil, ErrMalformed
	}
	return d.values[start:len(d.values):len(d.values)], nil
}

const (
	usualParts = 2  // usual number of parts in the lists and maps of the selected attributes
	moreRows   = 16 // number of rows for which memory is allocated when there is none left
)

// ExpectRows allocates memory for the rows of these stored items.
func (d *Decoder) ExpectRows(bodies [][]byte) *Decoder {
	values, text := 0, 0
	for _, body := range bodies {
		if len(body) < headerLen {
			continue // Row later returns the error
		}
		in := reader{src: body, at: headerLen}
		count := in.count()
		room := d.room(count)
		if d.selected == nil {
			values += in.rowValues(count)
		} else {
			values += room + usualParts
		}
		text += len(body) * room / max(count, 1)
	}
	d.values = make(row.Row, 0, values)
	d.text.reserve(text)
	return d
}

// room returns how many attributes the decoder decodes from an item with the given number
// of attributes. If it decodes only selected attributes, the result can be too high.
func (d *Decoder) room(count int) int {
	if d.selected != nil {
		return min(count, d.selected.count)
	}
	return count
}

// reserveRow ensures that there is memory for the values of a row. If it allocates
// memory, it does so for several rows.
func (d *Decoder) reserveRow(count int) {
	if room := d.room(count); cap(d.values)-len(d.values) < room {
		d.values = make(row.Row, 0, moreRows*(room+usualParts))
	}
}

func (d *Decoder) addValue(in *reader, name string, depth int) {
	at := len(d.values)
	d.values = append(d.values, row.Value{Name: name})
	tag := in.byte()
	d.values[at].Kind = kinds[min(tag, byte(len(kinds)-1))]
	switch tag {
	case tagS, tagN, tagB:
		d.values[at].Text = d.text.add(in.bytes())
	case tagFalse, tagNull:
	case tagTrue:
		d.values[at].True = true
	case tagSS, tagNS, tagBS, tagL, tagM:
		end := in.container()
		d.addParts(in, tag, depth+1)
		// A decoder that skips this value continues at end. A value that ends elsewhere is
		// therefore malformed.
		in.failed = in.failed || in.at != end
		d.values[at].Parts = int32(len(d.values) - at - 1)
	default:
		in.failed = true
	}
}

// kinds contains the kind of value for each type tag.
var kinds = [...]row.Kind{
	tagS: row.String, tagN: row.Number, tagB: row.Binary, tagFalse: row.Bool, tagTrue: row.Bool, tagNull: row.Null,
	tagSS: row.StringSet, tagNS: row.NumberSet, tagBS: row.BinarySet, tagL: row.List, tagM: row.Map,
}

// partKinds contains the kind of the members of each set.
var partKinds = map[byte]row.Kind{tagSS: row.String, tagNS: row.Number, tagBS: row.Binary}

func (d *Decoder) addParts(in *reader, tag byte, depth int) {
	if depth > maxDepth {
		in.failed = true
		return
	}
	for range in.count() {
		switch tag {
		case tagL:
			d.addValue(in, "", depth)
		case tagM:
			d.addValue(in, d.text.add(in.bytes()), depth)
		default:
			d.values = append(d.values, row.Value{Kind: partKinds[tag], Text: d.text.add(in.bytes())})
		}
		if in.failed {
			return
		}
	}
}
