package store

import (
	"bytes"
	"encoding/json"

	"stockroom/store/table"
)

// PatternsFor returns the patterns that find items of the entity, in the order of
// Patterns.
func PatternsFor(d *Definition) []*Pattern {
	var found []*Pattern
	for i := range Patterns {
		if Patterns[i].Matches(d) {
			found = append(found, &Patterns[i])
		}
	}
	return found
}

// SystemOf returns the part of the business to which an entity belongs: the System of the
// first pattern that finds the entity, or backOffice if no pattern does.
func SystemOf(d *Definition) string {
	if found := PatternsFor(d); len(found) > 0 {
		return found[0].System
	}
	return backOffice
}

// designEntity is an entity in the JSON form of the design.
type designEntity struct {
	fields []string // alternating names and values
	notes  []string
}

func designOf(d *Definition) designEntity {
	e := designEntity{fields: []string{"entityType", d.Type}}
	for n := 1; n <= table.IndexCount; n++ {
		if k := d.Index[n]; !k.PK.IsZero() {
			pk, sk := table.KeyAttributes(table.IndexName(n))
			e.fields = append(e.fields, pk, k.PK.String(), sk, k.SK.String())
		}
	}
	for _, p := range PatternsFor(d) {
		e.notes = append(e.notes, p.Name+" reads "+keyConditionText(p))
	}
	return e
}

func keyConditionText(p *Pattern) string {
	text := p.Index + " for " + p.PK.String()
	if p.SK.String() != "" {
		text += ", " + p.SK.String()
	}
	if p.Sharded {
		text += ", all shards"
	}
	if p.Newest {
		text += ", newest first"
	}
	return text
}

// DesignJSON returns the design of the table in the JSON format of Amazon's published
// designs. The design consists of pattern names, and of entities by system, partition
// key and sort key. Each entity has its type, index keys and comments.
func DesignJSON() ([]byte, error) {
	var patterns, systems []string
	bySystem := map[string][]*Definition{}
	for i := range Patterns {
		patterns = append(patterns, Patterns[i].Name)
	}
	for i := range Definitions {
		d := &Definitions[i]
		if bySystem[SystemOf(d)] == nil {
			systems = append(systems, SystemOf(d))
		}
		bySystem[SystemOf(d)] = append(bySystem[SystemOf(d)], d)
	}
	var b bytes.Buffer
	w := orderedJSON{to: &b}
	w.begin()
	w.value("accessPatterns", patterns)
	for _, system := range systems {
		w.name(system)
		w.partitions(bySystem[system])
	}
	w.end()
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

// orderedJSON writes JSON objects whose names are in a given order. encoding/json
// would sort the names of a map.
type orderedJSON struct {
	to         *bytes.Buffer
	needsComma bool // write a comma before the next name
	err        error
}

func (w *orderedJSON) begin() { w.to.WriteByte('{'); w.needsComma = false }

func (w *orderedJSON) end() { w.to.WriteByte('}'); w.needsComma = true }

func (w *orderedJSON) json(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		w.err = err
	}
	w.to.Write(text)
	w.needsComma = true
}

func (w *orderedJSON) name(name string) {
	if w.needsComma {
		w.to.WriteByte(',')
	}
	w.json(name)
	w.to.WriteByte(':')
}

func (w *orderedJSON) value(name string, value any) {
	w.name(name)
	w.json(value)
}

func (w *orderedJSON) partitions(entities []*Definition) {
	w.begin()
	done := map[string]bool{}
	for _, first := range entities {
		pk := first.Table.PK.String()
		if done[pk] {
			continue
		}
		done[pk] = true
		w.name(pk)
		w.begin()
		for _, d := range entities {
			if d.Table.PK.String() == pk {
				w.name(d.Table.SK.String())
				w.entity(designOf(d))
			}
		}
		w.end()
	}
	w.end()
}

func (w *orderedJSON) entity(e designEntity) {
	w.begin()
	for i := 0; i < len(e.fields); i += 2 {
		w.value(e.fields[i], e.fields[i+1])
	}
	w.value("comments", e.notes)
	w.end()
}
