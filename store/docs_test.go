package store_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/table"
)

var update = flag.Bool("update", false, "rewrite docs/table.md and docs/check.md")

const tableDocs = "../docs/table.md"

// TestTableDocsAreCurrent compares docs/table.md with the definitions from which it
// is generated. With -update, it writes docs/table.md.
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
		"This page lists all keys and access patterns of the table. [Terms](architecture.md#terms) explains the words entity, access pattern and shard.\n\n" +
		"To update the page after a change of `store/entities.go` or `store/patterns.go`, run `go test ./store -run TestTableDocsAreCurrent -update`.\n\n" +
		"`stockroom table model` prints the same design as JSON, and admins see it at `/data/model`.\n\n" +
		"| Notation | Meaning |\n|---|---|\n" +
		"| `a → b` | partition key `a` and sort key `b` |\n" +
		"| `${value}` | a value of the item, or a parameter of the query |\n" +
		"| `a*` | sort keys that begin with `a` |\n" +
		"| `a .. b` | sort keys from `a` to `b` |\n" +
		"| `A{B, C}` | attribute `A` with the parts `B` and `C` |\n" +
		"| `A{…}` | an address with the parts Country, County, City, Street, Number and ZipCode |\n" +
		"| (x N) | one query for each of N shards |\n" +
		"| descending | the largest sort keys first |\n\n" +
		"Every index projects all attributes. An item without a value for an index key is not in that index. " +
		"The attribute `Version`, to which each change adds 1, is not listed.\n\n" +
		"Some values are computed:\n\n" +
		"| Value | Meaning |\n|---|---|\n" +
		"| `${name}` | the name in lowercase, without accents |\n" +
		"| `${bucket}` | the first letter of the name. Names that begin with a digit share one value, and names that begin with any other character share another. For archived products: `archived` |\n" +
		"| `${shard}` | the number of the shard, usually computed from the ID of the record |\n" +
		"| `${phone}` | the digits of a phone number in reverse |\n" +
		"| `${phoneEnd}` | the last four digits of a phone number in reverse |\n" +
		"| `${lowQuantity}` | the quantity, if it is at or below the reorder point. Otherwise the key is left out |\n" +
		"| `${bin}` | the bin in lowercase. For stock without a bin: `-` |\n" +
		"| `${dayAndSlot}` | the day of the month and the slot, such as `21#3`. For the first slot: only the day |\n" +
		"| `${sheet}` | the ID that the rows of one count (stocktaking) share |\n" +
		"| `${openDate}` | the date of the order, if some units of the line are neither shipped nor cancelled. Otherwise the key is left out |\n" +
		"| `${openDue}`, `${openSent}` | the day of the delivery or transfer, if some units are still expected. Otherwise the key is left out |\n" +
		"| `${attemptDate}` | the day of the next attempt to charge the payment |\n" +
		"| `${reminderDate}` | the day of the next reminder |\n")
	var systems []string
	entities, patterns := map[string][]*store.Definition{}, map[string][]*store.Pattern{}
	for i := range store.Patterns {
		p := &store.Patterns[i]
		if patterns[p.System] == nil {
			systems = append(systems, p.System)
		}
		patterns[p.System] = append(patterns[p.System], p)
	}
	for i := range store.Definitions {
		d := &store.Definitions[i]
		entities[store.SystemOf(d)] = append(entities[store.SystemOf(d)], d)
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

Most entities come from [published designs](decisions.md#the-table). These attributes were added:

| Attribute | Entities | Meaning |
|---|---|---|
| ` + "`" + `Archived` + "`" + ` | products, warehouses, stores | Archived records keep their history and their pages. Lists and searches leave them out |
| ` + "`" + `Address` + "`" + ` | employees | private, so the history does not show its values |
| ` + "`" + `OnHand` + "`" + `, ` + "`" + `Committed` + "`" + `, ` + "`" + `Incoming` + "`" + ` | stock counts | the stock of a product in all warehouses, the quantity that open orders need, and the quantity that is expected or in transit. Each value is the sum of four items, called slots. Exports leave these items out, and imports compute them again |
| ` + "`" + `Counted` + "`" + ` | stock items | the day of the last count. A count can be limited to stock that was not counted in the last N days |
| ` + "`" + `Target` + "`" + ` | quotas | the sum that the account rep should reach |

* An archived product is in the partition ` + "`" + `products#archived` + "`" + ` of GSI3, and in no partition of a category. Archived warehouses and stores stay in their
  partitions, because there are only a few dozen.
* A kayak with the Status ` + "`" + `retired` + "`" + ` counts as archived.
* The entity ` + "`" + `employmentRelationship` + "`" + ` has two more index keys than published, in GSI1 and GSI4. They list the employments of a store or a person,
  newest first.
`

// searchWordsDocs explains the search words, which Amazon's published designs do not
// have.
const searchWordsDocs = `
## Search words

The published keys find a customer or a product only by the beginning of the whole name. So that a search finds any word of a name, each record has additional items, its
search words (entity ` + "`" + `searchWord` + "`" + `). A search word contains one word of the name, or two words in alphabetical order.

* A search for one word reads the search words that begin with it.
* A search for several words reads the search words that contain the two longest of these words. The key of a search word contains the whole name, so
  the search can compare the other words without reading the record.

The key of a search word has these parts:

| Part of the key | Value |
|---|---|
| ` + "`" + `${group}` + "`" + ` | the group of the record, from the table below |
| ` + "`" + `${initials}` + "`" + ` | the first character of each word. For codes and email addresses: the first three characters. For phone numbers: the last four digits, in reverse |
| ` + "`" + `${shard}` + "`" + ` | a number from 0 to 2 for words of people, otherwise 0 |
| ` + "`" + `${words}` + "`" + ` | the word, the two words, the code or email address, or the digits of the phone number in reverse |
| ` + "`" + `${later}` + "`" + ` | 0 if the name begins with the words, otherwise 1. A search therefore first lists the names that begin with the words |
| ` + "`" + `${name}` + "`" + ` | the name of the record |
| ` + "`" + `${type}` + "`" + ` | the kind of the record, such as ` + "`" + `c` + "`" + ` for a customer |
| ` + "`" + `${place}` + "`" + ` | the account, order, store or warehouse of the record, or ` + "`" + `.` + "`" + ` if it has none |
| ` + "`" + `${id}` + "`" + ` | the ID of the record |

| Group | Records | Words |
|---|---|---|
| ` + "`" + `people` + "`" + ` | customers, people who rent | words of the name |
| ` + "`" + `products` + "`" + `, ` + "`" + `kayaks` + "`" + `, ` + "`" + `staff` + "`" + ` | products, kayaks, employees | words of the name |
| ` + "`" + `places` + "`" + ` | stores, warehouses | words of the name and of the city |
| ` + "`" + `codes` + "`" + ` | products | SKU |
| ` + "`" + `codes` + "`" + ` | kayaks | ID |
| ` + "`" + `codes` + "`" + ` | subscriptions | ID and SKU |
| ` + "`" + `codes` + "`" + ` | shipments | tracking number |
| ` + "`" + `codes` + "`" + ` | orders, invoices, shipments | the ID, if it contains a lowercase letter or a space, or if it contains no digit |
| ` + "`" + `emails` + "`" + ` | people who rent, employees | email address |
| ` + "`" + `phones` + "`" + ` | people who rent | phone numbers |

* **Words are normalized.** They are in lowercase, without accents and apostrophes. The letters ß, ς and ı become ss, σ and i. In Chinese and Korean
  text, each character also begins a word, because such names have no spaces.
* **At most six words of a name are searched**: the first four and the last two. A name therefore has at most 21 search words: six with one word and
  15 with two.
* **No partition contains all words**, because the partition key contains the initials. Words of people are also divided into three shards.
* **Cost.** The search words of a new customer cost 6 write units for a name of two words, 12 for three words and 20 for four.
* **Search words are always up to date.** The transaction that changes a record also writes its search words. Imports write them, too.
  ` + "`" + `stockroom table rekey` + "`" + ` writes them for records of earlier versions, and deletes those whose record no longer exists.
`

func written(k store.Keys) string { return "`" + k.PK.String() + " → " + k.SK.String() + "`" }

func code(text string) string {
	if text == "" {
		return "the whole partition"
	}
	return "`" + text + "`"
}

func indexesOf(d *store.Definition) string {
	var indexes []string
	for n := 1; n <= table.IndexCount; n++ {
		if !d.Index[n].PK.IsZero() {
			indexes = append(indexes, table.IndexName(n)+" "+written(d.Index[n]))
		}
	}
	return strings.Join(indexes, " · ")
}

func attributesOf(attributes []store.Attribute) string {
	var names []string
	for _, a := range attributes {
		name := a.Name
		switch {
		case name == table.AttrVersion:
			continue
		case len(a.Parts) > 0 && a.Parts[0].Name == "Country":
			name += "{…}"
		case len(a.Parts) > 0:
			name += "{" + attributesOf(a.Parts) + "}"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
