package exchange

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"stockroom/store"
)

// mappingWriter writes a suggested mapping as YAML.
type mappingWriter struct {
	strings.Builder
	samples []*sample
	prefix  bool // employee IDs need a prefix
}

func writeMapping(to io.Writer, samples []*sample) error {
	w := mappingWriter{samples: samples, prefix: needsPrefix(samples)}
	w.WriteString("# Suggested by stockroom import -suggest. Check the lines with a comment, then run:\n#   stockroom import -dry-run -map FILE …\nfiles:\n")
	for _, s := range samples {
		w.file(s)
	}
	_, err := io.WriteString(to, w.String())
	return err
}

func (w *mappingWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *mappingWriter) file(s *sample) {
	w.printf("  %s:\n", yamlText(s.base()))
	if s.sheet == nil {
		w.printf("    entity: %s # no entity has columns like these: %s\n", noEntity, oneLineOf(s.names(nil)))
		return
	}
	if s.lines == nil {
		w.table(s, nil)
		return
	}
	for _, tables := range [][2]*sample{{s, s.lines}, {s.lines, s}} {
		block := mappingWriter{samples: w.samples, prefix: w.prefix}
		block.table(tables[0], tables[1])
		w.WriteString("    - " + strings.ReplaceAll(strings.TrimSpace(block.String()), "\n", "\n  ") + "\n")
	}
}

// table writes how the rows of a file become one entity. The argument other is a second
// entity that the same rows become, or nil.
func (w *mappingWriter) table(s, other *sample) {
	t := mappedTable{sheet: s.sheet, list: s.list}
	doubt := w.doubt(!slices.Equal(wordsOf(t.file()), s.words), "guessed from the columns and the file name")
	if other != nil {
		doubt = w.doubt(s.lines != nil, "the rows seem to hold orders together with their lines")
	}
	w.printf("    entity: %s%s\n", t.file(), doubt)
	if s.encoding != "" {
		w.printf("    encoding: %s\n", s.encoding)
	}
	w.formats(s)
	if len(s.empty) > 0 {
		w.printf("    empty: %s\n", yamlList(s.empty))
	}
	joins := s.joins()
	joined := slices.Concat(slices.Collect(maps.Values(joins))...)
	w.columns(s, joins, joined)
	if len(joins) > 0 {
		w.WriteString("    join:\n")
	}
	for _, name := range slices.Sorted(maps.Keys(joins)) {
		separator := ""
		if name == "Phones" {
			separator = `, separator: "; "`
		}
		w.printf("      %s: {columns: %s%s}\n", name, yamlList(s.names(joins[name])), separator)
	}
	w.missing(s, joins)
	if other == nil || other.lines == nil {
		w.ignored(s, other, joined)
	}
}

func (w *mappingWriter) formats(s *sample) {
	var decimals, dates []string
	doubt := false
	for i, c := range s.fits {
		switch {
		case c == nil:
		case c.kind == store.Money || c.kind == store.Whole:
			if sign := s.columns[i].decimalOf(); sign != "" && !slices.Contains(decimals, sign) {
				decimals = append(decimals, sign)
			}
		case c.kind == store.Instant || c.kind == store.Seconds || c.kind == store.Day:
			formats := s.columns[i].datesOf()
			if len(formats) > 0 && formats[0] != "" && !slices.Contains(dates, formats[0]) {
				dates = append(dates, formats[0])
				doubt = doubt || len(formats) > 1 && strings.HasPrefix(formats[0], "M/D") && strings.HasPrefix(formats[1], "D/M")
			}
		}
	}
	if len(decimals) == 1 {
		w.printf("    decimal: %q\n", decimals[0])
	}
	if len(dates) > 0 {
		w.printf("    dates: %s%s\n", yamlList(dates), w.doubt(doubt, "the day may come before the month"))
	}
}

func (w *mappingWriter) columns(s *sample, joins map[string][]int, joined []int) {
	first := true
	for i := range s.columns {
		c := s.fits[i]
		if c == nil || slices.Contains(joined, i) || joins[c.name] != nil {
			continue
		}
		if first {
			w.WriteString("    columns:\n")
			first = false
		}
		to := c.name
		if w.prefix && slices.Contains([]string{"EmployeeID", "ManagerID", "AccountRepID"}, c.name) {
			to = fmt.Sprintf("{to: %s, prefix: emp-}", c.name)
		}
		if discount := s.discount(); discount >= 0 && c.name == "Price" {
			to = fmt.Sprintf("{to: Price, discount: %s} # unsure: is it a fraction, such as 0.15?", yamlText(s.columns[discount].name))
		}
		if valid := statuses(s.sheet.entityType, c.name); valid != nil {
			to = w.statuses(c.name, &s.columns[i], valid)
		}
		w.printf("      %s: %s%s\n", yamlText(s.columns[i].name), to, w.doubt(s.score[i] < sure, s.columns[i].example()))
	}
}

// statuses returns the YAML for a status column: which status each of its values
// means. It leaves out values whose meaning is unknown, so that an import rejects their
// rows until somebody adds these values.
func (w *mappingWriter) statuses(name string, c *sampledColumn, valid []string) string {
	var pairs []string
	var unknown []string
	for _, value := range c.values[:min(len(c.values), 20)] {
		meant := meaning(value, valid)
		switch {
		case meant == "":
			unknown = append(unknown, yamlText(value))
		case meant != value:
			pairs = append(pairs, yamlText(value)+": "+meant)
		}
	}
	to := name
	if len(pairs) > 0 || len(unknown) > 0 {
		to = fmt.Sprintf("{to: %s, values: {%s}}", name, strings.Join(pairs, ", "))
	}
	if len(unknown) > 0 {
		to += " # unsure: add " + strings.Join(unknown, ", ") + " with one of " + strings.Join(valid, ", ")
	}
	return to
}

// missing writes a comment with the required attributes that no column contains. For orders
// without a column for the status, the comment also contains the status.
func (w *mappingWriter) missing(s *sample, joins map[string][]int) {
	heading, lines, names := "required, but no column has these", []string(nil), s.missing(w.samples)
	for _, name := range names {
		if joins[name] == nil {
			line := "    #   " + name + ":"
			if valid := statuses(s.sheet.entityType, name); valid != nil {
				line += " one of " + strings.Join(valid, ", ")
			}
			lines = append(lines, line+"\n")
		}
	}
	if s.lacksStatus() && !slices.Contains(names, "Status") {
		if len(lines) == 0 {
			heading = "no column has these"
		}
		lines = append(lines, "    #   Status: one of "+strings.Join(statuses(kindOrder, "Status"), ", ")+"; without it, the import computes the status of each order\n")
	}
	if len(lines) > 0 {
		w.printf("    # constants: # %s\n%s", heading, strings.Join(lines, ""))
	}
}

// ignored writes the columns that match no attribute. The argument other is a second
// entity that the same rows become, or nil.
func (w *mappingWriter) ignored(s, other *sample, joined []int) {
	first := true
	for i := range s.columns {
		if other != nil && (other.fits[i] != nil || i == other.discount()) {
			continue
		}
		if c := s.fits[i]; slices.Contains(joined, i) || c != nil && s.joins()[c.name] == nil || i == s.discount() {
			continue
		}
		if first {
			w.WriteString("    ignore: # no attribute matches these\n")
		}
		first = false
		w.printf("      - %s # %s%s\n", yamlText(s.columns[i].name), s.columns[i].example(), w.relation(s, i))
	}
}

// relation suggests, as a comment, what a column without an attribute may contain: IDs in
// the first column of another file, or an attribute of an entity that often shares a file
// with this one.
func (w *mappingWriter) relation(s *sample, i int) string {
	if also, found := sheetOf(alsoIn[s.sheet.entityType]); found {
		if closest := closestColumn(s.columns[i].name, also.columns); closest != "" {
			return fmt.Sprintf("; %s of %s?", closest, also.file)
		}
	}
	var files []string
	for _, other := range w.samples {
		if other.path != s.path && len(s.columns[i].values) > 1 && len(other.columns[0].values) > 1 && s.columns[i].isWithin(&other.columns[0]) {
			files = append(files, other.base())
		}
	}
	if len(files) == 0 {
		return ""
	}
	return "; IDs of " + oneLineOf(files) + "?"
}

// alsoIn contains, for some entities, the entity that often shares a file with them.
var alsoIn = map[string]string{kindProduct: kindWarehouseItem, kindOrder: kindShipment}

func (w *mappingWriter) doubt(unsure bool, why string) string {
	if !unsure {
		return ""
	}
	return " # unsure: " + why
}

// names returns the names of the columns with these indexes, or of all columns if columns
// is nil.
func (s *sample) names(columns []int) (names []string) {
	if columns == nil {
		for i := range s.columns {
			columns = append(columns, i)
		}
	}
	for _, i := range columns {
		names = append(names, s.columns[i].name)
	}
	return names
}

var plainYAML = regexp.MustCompile(`^[A-Za-zÀ-ÿ_][\wÀ-ÿ .()/-]*$`)

// yamlText writes a string as YAML, in quotes if necessary.
func yamlText(text string) string {
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(text)
	}
	if plainYAML.MatchString(text) && strings.TrimSpace(text) == text {
		return text
	}
	return quoteYAML(text)
}

// quoteYAML quotes a string. JSON strings are valid in YAML.
func quoteYAML(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "�") {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func yamlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = yamlText(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func oneLineOf(names []string) string { return inComment(strings.Join(names, ", ")) }
