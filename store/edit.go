package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is how long a name, a category or a line of an address may be, in
// characters.
const maxName = 200

// short looks at a value of one line; it may be empty.
func short(field string, value *string) error {
	*value = strings.TrimSpace(*value)
	if utf8.RuneCountInString(*value) > maxName || !utf8.ValidString(*value) || strings.ContainsFunc(*value, unicode.IsControl) {
		return InvalidField(field, "Write one line of at most %d characters.", maxName)
	}
	return nil
}

// line is a value of one line that was typed into a field.
type line struct {
	field string
	value *string
}

// shortLines looks at many of them.
func shortLines(lines []line) error {
	for _, l := range lines {
		if err := short(l.field, l.value); err != nil {
			return err
		}
	}
	return nil
}

// lines are those of an address, by the fields of its form.
func (a *Address) lines() []line {
	return []line{
		{"street", &a.Street},
		{"number", &a.Number},
		{"zip", &a.ZipCode},
		{"city", &a.City},
		{"county", &a.County},
		{"country", &a.Country},
	}
}

// edits tell an event which fields of a thing changed, from what to what.
type edits struct{ before, after []string }

func (e *edits) field(name, before, after string) {
	if before != after {
		e.before = append(e.before, name+" "+quoted(before))
		e.after = append(e.after, name+" "+quoted(after))
	}
}

// event is what to tell of the edits; nothing was edited where ok is false.
func (e *edits) event(partition, what string) (Event, bool) {
	told := Event{Partition: partition, What: what, Before: strings.Join(e.before, ", "), After: strings.Join(e.after, ", ")}
	return told, len(e.before) > 0
}

// quoted is a value in a sentence, where an empty one would not be seen.
func quoted(value string) string {
	if value == "" {
		return "–"
	}
	return value
}
