package store

import (
	"maps"
	"strconv"
	"strings"

	"stockroom/store/key"
)

// Operation is the call of the table that a pattern makes.
type Operation string

// The operations. What writes is in the catalogue for its keys, which are the
// entity's own; how it is written is the transactions' matter.
const (
	GetItem    Operation = "GetItem"
	Query      Operation = "Query"
	PutItem    Operation = "PutItem"
	UpdateItem Operation = "UpdateItem"
)

// A Pattern is one question that the program asks of the table. All reads
// run from these rows, and the catalogue and the footer of every page print
// them, so that what is written down and what runs cannot differ.
type Pattern struct {
	System    string // the design it belongs to
	Name      string
	Index     string // "table", or the name of an index
	Operation Operation
	Sharded   bool // asked of every shard in parallel, merged by sort key
	PK        key.Template
	SK        SortCondition
	Newest    bool     // descending: newest or largest first
	Secret    bool     // its items are never shown raw
	Kinds     []string // what the value named kind may be; nil where there is none
	Note      string   // what its keys do not say by themselves

	pkName, skName string
	asked          request // with the condition on the sort key
	whole          request // without it: a beginning that is empty, which every key has
}

// request is what a pattern's requests say in any case, made once.
type request struct {
	expression string
	projection *string // nil: all attributes
	names      map[string]string
}

// SortCondition is a pattern's condition on the sort key, parsed from the
// notation of the catalogue: "" is the whole partition, "a*" begins_with(a),
// "a .. b" BETWEEN a AND b followed by ~, and anything else an exact key.
type SortCondition struct {
	source   string
	operator string
	low      key.Template
	high     key.Template
}

// lastTail follows the upper bound of a range, so that keys which go on
// behind it (#id) are still inside.
const lastTail = "~"

func parseSort(source string) SortCondition {
	c := SortCondition{source: source}
	switch from, to, isRange := strings.Cut(source, " .. "); {
	case source == "":
	case isRange:
		c.operator, c.low, c.high = "between", key.Parse(from), key.Parse(to+lastTail)
	case strings.HasSuffix(source, "*"):
		c.operator, c.low = "begins_with", key.Parse(strings.TrimSuffix(source, "*"))
	default:
		c.operator, c.low = "=", key.Parse(source)
	}
	return c
}

// String returns the condition in the notation of the catalogue.
func (c SortCondition) String() string { return c.source }

// newPattern parses a row of the catalogue and prepares what its requests
// have in common.
func newPattern(system, name, index string, operation Operation, pk, sk string) Pattern {
	p := Pattern{System: system, Name: name, Index: index, Operation: operation, PK: key.Parse(pk), SK: parseSort(sk)}
	p.pkName, p.skName = keyAttributes(index)
	p.whole = request{expression: "#pk = :pk", names: map[string]string{"#pk": p.pkName}}
	p.asked = request{expression: p.whole.expression, names: maps.Clone(p.whole.names)}
	switch p.SK.operator {
	case "=":
		p.asked.expression += " AND #sk = :sk"
	case "begins_with":
		p.asked.expression += " AND begins_with(#sk, :sk)"
	case "between":
		p.asked.expression += " AND #sk BETWEEN :sk AND :to"
	}
	if p.SK.operator != "" {
		p.asked.names["#sk"] = p.skName
	}
	return p
}

// showing limits what a list reads of its items to the attributes that it
// shows. That costs no fewer read units, but less to carry and to decode.
func (p Pattern) showing(attributes ...string) Pattern {
	needed := append([]string{attrPK, attrSK, p.skName}, attributes...)
	p.asked, p.whole = p.asked.showing(needed), p.whole.showing(needed)
	return p
}

// showingAll is the pattern without such a limit.
func (p *Pattern) showingAll() *Pattern {
	all, fresh := *p, newPattern(p.System, p.Name, p.Index, p.Operation, p.PK.String(), p.SK.String())
	all.asked, all.whole = fresh.asked, fresh.whole
	return &all
}

func (r request) showing(attributes []string) request {
	names := maps.Clone(r.names)
	placeholders := make([]string, len(attributes))
	for i, name := range attributes {
		placeholders[i] = "#a" + strconv.Itoa(i)
		names[placeholders[i]] = name
	}
	projection := strings.Join(placeholders, ", ")
	return request{expression: r.expression, projection: &projection, names: names}
}

// PatternRow is a pattern as the published catalogue writes it.
type PatternRow struct {
	System    string   `json:"system"`
	Name      string   `json:"name"`
	Index     string   `json:"index"`
	Operation string   `json:"operation"`
	PK        string   `json:"pk"`
	SK        string   `json:"sk"`
	Order     string   `json:"order,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
	Note      string   `json:"note,omitempty"`
}

// Row is the pattern as the published catalogue writes it.
func (p *Pattern) Row() PatternRow {
	row := PatternRow{System: p.System, Name: p.Name, Index: p.Index, Operation: string(p.Operation), PK: p.PK.String(), SK: p.SK.String(), Kinds: p.Kinds, Note: p.Note}
	if p.Sharded {
		row.Operation += " (x N)"
	}
	if p.Newest {
		row.Order = "descending"
	}
	return row
}

// Names lists the values that the pattern asks for, except the shard where
// every one of them is asked.
func (p *Pattern) Names() []string {
	var names []string
	seen := map[string]bool{"shard": p.Sharded}
	for _, t := range []key.Template{p.PK, p.SK.low, p.SK.high} {
		for _, name := range t.Names() {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// PatternByName finds a row of the catalogue.
func PatternByName(name string) (*Pattern, bool) {
	for i := range Patterns {
		if Patterns[i].Name == name {
			return &Patterns[i], true
		}
	}
	return nil, false
}
