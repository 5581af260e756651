package store

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"stockroom/store/table"
)

var update = flag.Bool("update", false, "rewrite docs/table.md and docs/check.md")

const tableDocs = "../docs/table.md"

// TestTableDocsAreCurrent compares docs/table.md with the definitions from which it
// is generated. With -update, it rewrites docs/table.md.
func TestTableDocsAreCurrent(t *testing.T) {
	want := documented()
	if *update {
		if err := os.WriteFile(tableDocs, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(tableDocs)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/table.md differs from the definitions: run go test ./store -run TestTableDocsAreCurrent -update")
	}
}

// documented returns the design of the table as Markdown.
func documented() string {
	var b strings.Builder
	b.WriteString("# The table\n\n" +
		"Generated from `store/entities.go` and `store/patterns.go` by `go test ./store -run TestTableDocsAreCurrent -update`. " +
		"`stockroom table model` prints the same design as JSON, and `/data/model` shows it. " +
		"[Terms](architecture.md#terms) explains entities, access patterns and shards.\n\n" +
		"| Notation | Meaning |\n|---|---|\n" +
		"| `a → b` | partition key `a` and sort key `b` |\n" +
		"| `${name}` | a value of the item or of the query |\n" +
		"| `a*` | sort keys that begin with `a` |\n" +
		"| `a .. b` | sort keys from `a` to `b` |\n" +
		"| (x N) | one query per shard |\n\n" +
		"Every index holds whole items. An item that lacks a value of an index key is not in that index.\n")
	var systems []string
	entities, patterns := map[string][]*Definition{}, map[string][]*Pattern{}
	for i := range Patterns {
		p := &Patterns[i]
		if patterns[p.System] == nil {
			systems = append(systems, p.System)
		}
		patterns[p.System] = append(patterns[p.System], p)
	}
	for i := range Definitions {
		d := &Definitions[i]
		entities[SystemOf(d)] = append(entities[SystemOf(d)], d)
	}
	for _, system := range systems {
		fmt.Fprintf(&b, "\n## %s%s\n", strings.ToUpper(system[:1]), system[1:])
		if len(entities[system]) > 0 {
			b.WriteString("\n| Entity | Table | Indexes | Attributes |\n|---|---|---|---|\n")
		}
		for _, d := range entities[system] {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", d.Type, written(d.Table), indexesOf(d), attributesOf(d.Attributes()))
		}
		b.WriteString("\n| Access pattern | Index | Operation | Partition key | Sort key |\n|---|---|---|---|---|\n")
		for _, p := range patterns[system] {
			row := p.Row()
			operation := row.Operation
			if p.Newest {
				operation += ", descending"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s |\n", row.Name, row.Index, operation, row.PK, code(row.SK))
		}
	}
	b.WriteString(additionsDocs)
	b.WriteString(searchWordsDocs)
	return b.String()
}

// additionsDocs explains attributes that Amazon's published designs do not have.
const additionsDocs = `
## Additions to the published entities

* **` + "`Archived`" + `** on products, warehouses and stores. Archived records keep their keys, history and pages. An archived product is in the partition
  ` + "`products#archived`" + ` instead of that of its first letter, and in no category, so lists of a million products skip no rows. There are only a few dozen
  warehouses and stores; their lists read archived ones too and leave them out. Archived records have no search words, so forms do not suggest them.
  A retired kayak is an archived kayak. It can be restored too.
* **Two index keys on ` + "`employmentRelationship`" + `**, in GSI1 and GSI4: periods of employment by first day, newest first. The published keys list them person
  by person or store by store, which does not show who worked at a store last year. A store's history grows with every season, so it is paged and not
  sorted in memory. The rentals of a store and a person have the same two keys. No key contains both ends of a period: a list of one year reads the
  periods that began until its end, and leaves out those that ended before. ` + "`stockroom table rekey`" + ` adds the keys to items of earlier versions.
* **` + "`Address`" + `** on employees, as the published rental design has it. It is private, and the history says only that it changed.
* **` + "`Target`" + `** on quotas: the published quotas have a total only, and nobody can enter what a rep should sell. Sales never change it, and a quarter
  without sales can have one.
`

// searchWordsDocs explains the search words, which Amazon's published designs do not
// have.
const searchWordsDocs = `
## Search words

The published keys find a customer or a product by the beginning of the whole name only. People ask for any word of a name, in any order. Each record
therefore has items of its own, its search words (entity ` + "`searchWord`" + `). ` + "`${words}`" + ` is one word of the name, or two of them in alphabetical order. A
search for one word reads the items that begin with it. A search for several words reads the items of two of them and compares the rest of the name,
which the key contains. Few names have both words, so this reads few items even if each word is frequent.

The rest of a key names the record: ` + "`${type}`" + `, ` + "`${place}`" + ` (its account, order, store or warehouse; ` + "`.`" + ` without one) and ` + "`${id}`" + `. ` + "`${later}`" + ` is 0 if the
name begins with the words, so that the search lists such records first.

| Group | Records | Words |
|---|---|---|
| ` + "`people`" + ` | customers, people who rent | of the name |
| ` + "`products`" + `, ` + "`kayaks`" + `, ` + "`staff`" + ` | products, kayaks, employees | of the name |
| ` + "`places`" + ` | stores, warehouses | of the name and the city |
| ` + "`codes`" + ` | products, kayaks, subscriptions, shipments, orders, invoices | SKU, ID of a kayak or subscription, SKU of a subscription, tracking number, and IDs that contain lowercase letters or spaces, or no digit |
| ` + "`emails`" + ` | people who rent, employees | email address |
| ` + "`phones`" + ` | people who rent | phone numbers |

* **Words are folded**: they are in lowercase, without accents and apostrophes, and letters such as ß, ς and ı have one form (ss, σ, i). In
  Chinese and Korean characters, a word also begins at each character, because names have no blanks.
* **A name has at most six words**: the first four and the last two. It then has at most 21 items: six for one word and 15 for two.
* **No partition holds all words.** ` + "`${initials}`" + ` is the first character of each word. Words of people are also spread over three shards by ID, because one
  initial can begin 40 % of the family names of a country. For codes and email addresses, ` + "`${initials}`" + ` is the first three characters; for phone numbers, the first four digits of the word.
* **Writes.** A new customer with an email address, a phone number and an account rep costs 10 write units: 2 each for the item and its event, because
  they are in a transaction, and 6 for their index keys. The search words of a name of two words cost 6 more, of three words 12, of four words 20. A new
  name also deletes the former words. Other changes of a customer write no search words.
* **Search words are derived.** They are written in the transaction of their record, exports leave them out, and imports derive them.
  ` + "`stockroom table rekey`" + ` writes them for records of earlier versions, and deletes those without a record.
`

func written(k Keys) string { return "`" + k.PK.String() + " → " + k.SK.String() + "`" }

func code(text string) string {
	if text == "" {
		return "the whole partition"
	}
	return "`" + text + "`"
}

func indexesOf(d *Definition) string {
	var indexes []string
	for n := 1; n <= table.IndexCount; n++ {
		if !d.Index[n].PK.IsZero() {
			indexes = append(indexes, table.IndexName(n)+" "+written(d.Index[n]))
		}
	}
	return strings.Join(indexes, " · ")
}

func attributesOf(attributes []Attribute) string {
	var names []string
	for _, a := range attributes {
		name := a.Name
		if len(a.Parts) > 0 {
			name += "{" + attributesOf(a.Parts) + "}"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
