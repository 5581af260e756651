package exchange

import (
	"encoding/binary"
	"slices"

	"stockroom/store"
	"stockroom/store/spill"
)

// itemJoin joins files of items. It sorts the items in a temporary file, so that an entity
// comes after those to which it refers, and the parts of an order are next to each other.
// Memory contains at most joinMemory bytes of the rows to sort, a few orders, the IDs of
// employees and, from files of other programs, the names of customers, products, jobs and
// employees.
type itemJoin struct {
	files   []int // indexes in the arguments of Open
	readers []func(*itemReader) error
	folder  string // folder for the temporary file

	data       *dataset // completes the items of other programs
	sorted     *spill.Sorter
	out        batcher
	employees  []string // IDs of employees
	consistent bool     // the files include totals, so they are a complete export by Stockroom
}

// itemReader reads one file of items.
type itemReader struct {
	*itemJoin
	file  string
	index int // index in the arguments of Open
}

func (j *itemJoin) add(index int, name, folder string, read func(*itemReader) error) {
	j.files, j.folder = append(j.files, index), folder
	j.readers = append(j.readers, func(r *itemReader) error {
		r.file, r.index = name, index
		return read(r)
	})
}

func (j *itemJoin) source() Source {
	return Source{File: j.files[0], others: j.files[1:], Batches: j.batches, mayHaveTotals: true}
}

func (j *itemJoin) batches(yield func(*Batch, error) bool) {
	j.data, j.out = newDataset(), batcher{yield: yield}
	if err := j.run(); err != nil && !j.out.stopped {
		yield(nil, err)
	}
}

func (j *itemJoin) run() (err error) {
	if j.sorted, err = spill.OpenTemp(j.folder, joinMemory); err != nil {
		return err
	}
	defer func() { _ = j.sorted.Close() }() // an error does not matter, because the temporary file is no longer needed
	for _, read := range j.readers {
		if err := read(&itemReader{itemJoin: j}); err != nil {
			return err
		}
	}
	j.out.flush()
	j.out.consistent = j.consistent
	j.out.current().employees = j.employees
	group := itemGroup{itemJoin: j}
	err = j.sorted.Sorted(func(fields []string) error {
		if j.out.stopped {
			return errStopped
		}
		if phase, name := fields[0], fields[1]; phase != group.phase || name != group.name || name == "" {
			group.flush()
			if phase != group.phase {
				j.out.flush() // later items may refer to these items, so they must be imported first
			}
			group = itemGroup{itemJoin: j, phase: phase, name: name}
		} else if len(group.rows) >= maxGroupRows {
			full := phase == orderPhase
			group.flushPart(full)
			group = itemGroup{itemJoin: j, phase: phase, name: name, full: full}
		}
		if group.full {
			j.out.reject(rowOfItem(fields), tooManyRows)
			return nil
		}
		group.add(fields)
		return nil
	})
	if err != nil {
		return err
	}
	group.flush()
	j.out.flush()
	return nil
}

func (r *itemReader) reject(row Row, reason string) {
	row.file = r.index + 1
	r.out.reject(row, reason)
}

// addItem adds an item to the items to sort. It leaves out derived items (see isDerived),
// and rejects items of unknown entities.
func (r *itemReader) addItem(row Row, item store.Item) error {
	if isDerived(typeOfItem(item)) {
		return nil
	}
	kind, known := findKind(item)
	if !known {
		r.reject(row, unknownKind(item))
		return nil
	}
	switch kind.name {
	case kindEmployee:
		r.employees = append(r.employees, idInKey(item, "PK", kind.pk))
	case (*store.Total)(nil).EntityType():
		r.consistent = true
	}
	group := ""
	if kind.isOrderPart() || kind.pk == accountPrefix {
		group = idInKey(item, "PK", kind.pk)
	}
	number := binary.BigEndian.AppendUint64(nil, uint64(r.index)<<40|uint64(row.Number))
	return r.sorted.Add(phaseOfKind(kind), group, string(number), row.Table, string(row.raw))
}

// phaseOfKind returns the phase in which a kind of item is imported, as a string. These
// strings sort in the order of the phases. Kinds to which others refer have an earlier
// phase.
func phaseOfKind(kind itemKind) string {
	phase := slices.Index(importSequence, kind.name)
	switch {
	case kind.isOrderPart():
		return orderPhase
	case phase < 0:
		phase = len(importSequence)
	}
	return string(rune(phase))
}

// orderPhase is the phase of orders and all their parts.
var orderPhase = string(rune(len(importSequence) + 1))

// idInKey returns the ID after a prefix in a key. It ignores the letter case of the prefix.
func idInKey(item store.Item, name, prefix string) string {
	id := textFold(item, name)
	if hasPrefixFold(id, prefix) {
		id = id[len(prefix):]
	}
	return id
}

// itemGroup contains one item, or the items of one order or billing account.
type itemGroup struct {
	*itemJoin
	phase, name string
	rows        []Row
	foreign     bool
	entities    []store.Entity
	full        bool // the order has too many rows, so further rows are rejected
}

func rowOfItem(fields []string) Row {
	number := binary.BigEndian.Uint64([]byte(fields[2]))
	return Row{file: int(number>>40) + 1, Number: int(number & (1<<40 - 1)), Table: fields[3], raw: []byte(fields[4])}
}

// flushPart flushes some of the rows of a group that is too large for memory. If reject is
// true, it rejects these rows, because an order must not be divided.
func (g *itemGroup) flushPart(reject bool) {
	if !reject {
		g.flush()
		return
	}
	for _, row := range g.rows {
		row.Item = nil
		g.out.reject(row, tooManyRows)
	}
}

func (g *itemGroup) add(fields []string) {
	row := rowOfItem(fields)
	row.Item, _ = parseItem(row.raw) // cannot fail, because the item has been parsed before
	entity := exportedEntity(row.Item)
	g.foreign = g.foreign || entity == nil
	g.rows, g.entities = append(g.rows, row), append(g.entities, entity)
}

// flush adds the items to the batches. If another program wrote one of them, it first
// completes them. Items that Stockroom wrote are complete.
func (g *itemGroup) flush() {
	if len(g.rows) == 0 {
		return
	}
	if g.foreign {
		b := newBuilder(g.data.withoutRows())
		for _, row := range g.rows {
			b.add(row)
		}
		g.out.addAll(b.build())
		return
	}
	for n := range g.rows {
		g.rows[n].Item = nil
	}
	batch := &Batch{Entities: g.entities, Rows: g.rows}
	batch.checkSums()
	g.out.current().Exported = true
	g.out.addAll(batch)
}

// checkSums sets the order ID of each row, and an objection for each order with wrong sums.
func (b *Batch) checkSums() {
	orders := map[string]*orderRows{}
	rows := make([]*parsedRow, len(b.Rows))
	for n, entity := range b.Entities {
		id := orderOf(entity)
		if id == "" {
			continue
		}
		if orders[id] == nil {
			orders[id] = &orderRows{}
		}
		rows[n] = &parsedRow{row: b.Rows[n], entity: entity}
		rows[n].row.order = id
		orders[id].addPart(rows[n])
	}
	for _, o := range orders {
		if len(o.orders) > 0 {
			o.checkSums(len(o.lines) > 0)
		}
	}
	for n, r := range rows {
		if r != nil {
			b.Rows[n] = r.row
		}
	}
}

// orderOf returns the ID of the order to which an entity belongs, or "".
func orderOf(entity store.Entity) string {
	switch e := entity.(type) {
	case *store.Order:
		return e.ID
	case *store.OrderItem:
		return e.OrderID
	case *store.Invoice:
		return e.OrderID
	case *store.CreditNote:
		return e.OrderID
	case *store.Shipment:
		return e.OrderID
	case *store.ShipmentItem:
		return e.OrderID
	}
	return ""
}
