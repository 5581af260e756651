package table

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"stockroom/store/key"
)

// Operation is the DynamoDB operation of an access pattern.
type Operation string

// The operations. A pattern with a write operation is only documentation: the program
// uses patterns only to read.
const (
	OpGetItem    Operation = "GetItem"
	OpQuery      Operation = "Query"
	OpPutItem    Operation = "PutItem"
	OpUpdateItem Operation = "UpdateItem"
)

// Pattern is an access pattern: one kind of query that the program makes. Pages use
// Patterns to read items. The catalog of patterns and the footer of each page therefore
// show the real queries.
type Pattern struct {
	System    string // the part of the business, such as "online shop"
	Name      string
	Index     string // TableIndex or the name of an index
	Operation Operation
	Sharded   bool // queries all shards in parallel and merges the results by sort key
	PK        key.Template
	SK        SortCondition
	Newest    bool     // descending: newest or largest first
	Secret    bool     // its items are never shown in raw form
	Kinds     []string // the possible values of ${kind}, if the pattern has this placeholder
	Note      string   // a remark for the catalog

	pkName, skName string
	withSK         requests // requests with the condition on the sort key
	withoutSK      requests // requests without this condition, for an empty prefix
}

// requests contains two requests of a pattern: request reads its attributes, and keys reads
// only the keys.
type requests struct{ request, keys request }

type request struct {
	expression string
	projection *string // names of the attributes to read; nil for all
	names      map[string]string
}

// SortCondition is a pattern's condition on the sort key, in the notation of the catalog of
// patterns. "" matches the whole partition. "a*" means begins_with(a). "a .. b" means
// BETWEEN a AND b, with KeyEnd appended to b. Any other text means equality.
type SortCondition struct {
	source    string
	operator  string
	low, high key.Template
}

// KeyEnd sorts after all other ASCII characters of a key. It is appended to the upper
// bound of a range, so that the range includes longer keys that begin with the bound,
// such as bound#id.
const KeyEnd = "~"

// The operators of key conditions. "" stands for no condition on the sort key.
const (
	opEqual      = "="
	opBeginsWith = "begins_with"
	opBetween    = "between"
)

func parseSort(source string) SortCondition {
	c := SortCondition{source: source}
	switch from, to, isRange := strings.Cut(source, " .. "); {
	case source == "":
	case isRange:
		c.operator, c.low, c.high = opBetween, key.Parse(from), key.Parse(to+KeyEnd)
	case strings.HasSuffix(source, "*"):
		c.operator, c.low = opBeginsWith, key.Parse(strings.TrimSuffix(source, "*"))
	default:
		c.operator, c.low = opEqual, key.Parse(source)
	}
	return c
}

// String returns the condition in the notation of the catalog; see SortCondition.
func (c SortCondition) String() string { return c.source }

// NewPattern returns a pattern with these key conditions. It panics if a key
// template is malformed.
func NewPattern(system, name, index string, operation Operation, pk, sk string) Pattern {
	p := Pattern{System: system, Name: name, Index: index, Operation: operation, PK: key.Parse(pk), SK: parseSort(sk)}
	p.pkName, p.skName = KeyAttributes(index)
	withoutSK := request{expression: "#pk = :pk", names: map[string]string{"#pk": p.pkName}}
	withSK := request{expression: withoutSK.expression, names: maps.Clone(withoutSK.names)}
	switch p.SK.operator {
	case opEqual:
		withSK.expression += " AND #sk = :sk"
	case opBeginsWith:
		withSK.expression += " AND begins_with(#sk, :sk)"
	case opBetween:
		withSK.expression += " AND #sk BETWEEN :sk AND :to"
	}
	if p.SK.operator != "" {
		withSK.names["#sk"] = p.skName
	}
	p.withSK, p.withoutSK = requests{withSK, withSK.project(p.keyNames())}, requests{withoutSK, withoutSK.project(p.keyNames())}
	return p
}

// keyNames returns the attributes that every list needs to continue after a row.
func (p *Pattern) keyNames() []string {
	if p.skName == AttrSK {
		return []string{AttrPK, AttrSK}
	}
	return []string{AttrPK, AttrSK, p.skName}
}

// Project returns a copy of the pattern that reads only the given attributes and the
// keys. It consumes the same read units, but transfers and decodes less.
func (p Pattern) Project(attributes ...string) Pattern {
	all := append(p.keyNames(), attributes...)
	p.withSK.request, p.withoutSK.request = p.withSK.request.project(all), p.withoutSK.request.project(all)
	return p
}

// ProjectAll returns the pattern without a projection, so that it reads all
// attributes.
func (p *Pattern) ProjectAll() *Pattern {
	all, fresh := *p, NewPattern(p.System, p.Name, p.Index, p.Operation, p.PK.String(), p.SK.String())
	all.withSK, all.withoutSK = fresh.withSK, fresh.withoutSK
	return &all
}

func (r request) project(attributes []string) request {
	names := maps.Clone(r.names)
	placeholders := make([]string, len(attributes))
	for i, name := range attributes {
		placeholders[i] = "#a" + strconv.Itoa(i)
		names[placeholders[i]] = name
	}
	projection := strings.Join(placeholders, ", ")
	return request{expression: r.expression, projection: &projection, names: names}
}

// KeyCondition is the key condition of a pattern with its values filled in.
type KeyCondition struct {
	PK       string // partition key; for a sharded pattern, that of the first shard
	SK       string // the lower bound, the prefix or the exact sort key
	To       string // the upper bound of a range
	Operator string // "=", "begins_with", "between"; "" for a whole partition
}

// Maximum lengths of key values in bytes; no item can have a longer key. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	maxPKBytes = 2048
	maxSKBytes = 1024
)

// Condition returns the key condition with these values. It returns NotFound if a
// value is missing or too long, because no key can match.
func (p *Pattern) Condition(values key.Values) (KeyCondition, error) {
	var c KeyCondition
	var missing string
	c.PK, missing = p.PK.Render(values)
	if missing == "" && p.SK.operator != "" {
		c.Operator = p.SK.operator
		c.SK, missing = p.SK.renderLow(values)
	}
	if missing == "" && p.SK.operator == opBetween {
		c.To, missing = p.SK.high.Render(values)
	}
	if missing != "" {
		return KeyCondition{}, Errorf(NotFound, "Not found: the %s is empty.", missing)
	}
	if len(c.PK) > maxPKBytes || len(c.SK) > maxSKBytes || len(c.To) > maxSKBytes {
		return KeyCondition{}, Errorf(NotFound, "That ID is too long.")
	}
	if p.SK.operator == opBeginsWith && c.SK == "" {
		c.Operator = ""
	}
	return c, nil
}

// StartAt returns the exclusive start key with which a query of the pattern in ascending
// order begins after the sort key sk.
func (p *Pattern) StartAt(values key.Values, sk string) (Item, error) {
	c, err := p.Condition(values)
	from := Key(KeyEnd, KeyEnd)
	from[p.pkName], from[p.skName] = StringValue(c.PK), StringValue(sk)
	return from, err
}

// renderLow renders the exact key, the prefix or the lower bound. A prefix that
// consists of one placeholder may be empty, so that a list by name can be read without
// a name.
func (c SortCondition) renderLow(values key.Values) (rendered, missing string) {
	rendered, missing = c.low.Render(values)
	if missing != "" && c.isOptionalPrefix(missing) {
		return "", ""
	}
	return rendered, missing
}

func (c SortCondition) isOptionalPrefix(name string) bool {
	return c.operator == opBeginsWith && c.low.String() == "${"+name+"}"
}

// Names returns the names of the pattern's placeholders, except the shard of a
// sharded pattern.
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

// IsRead reports whether the pattern reads items.
func (p *Pattern) IsRead() bool { return p.Operation == OpGetItem || p.Operation == OpQuery }

// Missing returns the names of the required values that the map given does not contain. The
// bounds of a range are optional, and so is a prefix that consists of one placeholder.
func (p *Pattern) Missing(given map[string]string) []string {
	var missing []string
	for _, name := range p.Names() {
		optional := name == "from" || name == "to" || p.SK.isOptionalPrefix(name)
		if given[name] == "" && !optional {
			missing = append(missing, name)
		}
	}
	return missing
}

// PatternRow is a pattern as a row of the catalog, in the notation of Amazon's published
// designs.
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

// Row returns the pattern as a row of the catalog.
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

// placeholder matches a placeholder in a key template. Matches ignores the names of
// placeholders, because ${orderID} in a pattern corresponds to ${id} in an order.
var placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// Matches reports whether the pattern can find items of the entity: the partition keys of
// both are equal, and the sort keys have the same beginning.
func (p *Pattern) Matches(d *Definition) bool {
	keys := d.Table
	for n := 1; n <= IndexCount; n++ {
		if p.Index == IndexName(n) {
			keys = d.Index[n]
		}
	}
	if p.Kinds != nil && slices.Contains(p.Kinds, keys.PK.String()) {
		return true
	}
	if keys.PK.IsZero() || placeholder.ReplaceAllString(keys.PK.String(), "$") != placeholder.ReplaceAllString(p.PK.String(), "$") {
		return false
	}
	wanted, _, _ := strings.Cut(p.SK.low.String(), "${")
	prefix, _, variable := strings.Cut(keys.SK.String(), "${")
	return strings.HasPrefix(prefix, wanted) || variable && prefix == "" && wanted != "" && p.SK.operator == opEqual
}
