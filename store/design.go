package store

import (
	"bytes"
	"encoding/json"

	"stockroom/store/table"
)

// PatternsFor returns the patterns that find items of the entity, in the order
// of the catalogue.
func PatternsFor(d *Definition) []*Pattern {
	var found []*Pattern
	for i := range Patterns {
		if Patterns[i].Matches(d) {
			found = append(found, &Patterns[i])
		}
	}
	return found
}

// SystemOf returns the system of the first pattern that finds the entity.
func SystemOf(d *Definition) string {
	if found := PatternsFor(d); len(found) > 0 {
		return found[0].System
	}
	return backOffice
}

// designed is an entity in the design as JSON.
type designed struct {
	fields []string // name, value, name, value …, in order
	notes  []string
}

func designOf(d *Definition) designed {
	e := designed{fields: []string{"entityType", d.Type}}
	for n := 1; n <= table.IndexCount; n++ {
		if k := d.Index[n]; !k.PK.IsZero() {
			pk, sk := table.KeyAttributes(table.IndexName(n))
			e.fields = append(e.fields, pk, k.PK.String(), sk, k.SK.String())
		}
	}
	for _, p := range PatternsFor(d) {
		e.notes = append(e.notes, p.Name+" asks "+asking(p))
	}
	return e
}

// asking is the pattern's key condition in a sentence.
func asking(p *Pattern) string {
	text := p.Index + " for " + p.PK.String()
	if p.SK.String() != "" {
		text += ", " + p.SK.String()
	}
	if p.Sharded {
		text += ", every shard at once"
	}
	if p.Newest {
		text += ", newest first"
	}
	return text
}

// DesignJSON is the whole design in the form in which access patterns are
// documented as JSON: the questions, and then by system the partition key, the
// sort key, and what lies there: its entityType, its keys in the indexes, and
// comments.
func DesignJSON() ([]byte, error) {
	var questions, systems []string
	under := map[string][]*Definition{}
	for i := range Patterns {
		questions = append(questions, Patterns[i].Name)
	}
	for i := range Definitions {
		d := &Definitions[i]
		if under[SystemOf(d)] == nil {
			systems = append(systems, SystemOf(d))
		}
		under[SystemOf(d)] = append(under[SystemOf(d)], d)
	}
	var b bytes.Buffer
	w := ordered{to: &b}
	w.open()
	w.value("accessPatterns", questions)
	for _, system := range systems {
		w.name(system)
		w.partitions(under[system])
	}
	w.shut()
	if w.err != nil {
		return nil, w.err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	pretty.WriteByte('\n')
	return pretty.Bytes(), nil
}

// ordered writes JSON objects whose names stay in the order of the design,
// where a map would sort them.
type ordered struct {
	to    *bytes.Buffer
	begun bool // something stands before the next name
	err   error
}

func (w *ordered) open() { w.to.WriteByte('{'); w.begun = false }

func (w *ordered) shut() { w.to.WriteByte('}'); w.begun = true }

func (w *ordered) json(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		w.err = err
	}
	w.to.Write(text)
	w.begun = true
}

func (w *ordered) name(name string) {
	if w.begun {
		w.to.WriteByte(',')
	}
	w.json(name)
	w.to.WriteByte(':')
}

func (w *ordered) value(name string, value any) {
	w.name(name)
	w.json(value)
}

// partitions writes entities under their partition keys, those that share
// one beside each other.
func (w *ordered) partitions(entities []*Definition) {
	w.open()
	done := map[string]bool{}
	for _, first := range entities {
		pk := first.Table.PK.String()
		if done[pk] {
			continue
		}
		done[pk] = true
		w.name(pk)
		w.open()
		for _, d := range entities {
			if d.Table.PK.String() == pk {
				w.name(d.Table.SK.String())
				w.entity(designOf(d))
			}
		}
		w.shut()
	}
	w.shut()
}

func (w *ordered) entity(e designed) {
	w.open()
	for i := 0; i < len(e.fields); i += 2 {
		w.value(e.fields[i], e.fields[i+1])
	}
	w.value("comments", e.notes)
	w.shut()
}
