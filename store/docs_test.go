package store_test

import (
	"cmp"
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
	b.WriteString(notationDocs)
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
		b.WriteString("\n| Access pattern | Index | Keys |\n|---|---|---|\n")
		for _, p := range patterns[system] {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, readFrom(p), "`"+p.PK.String()+" → "+cmp.Or(p.SK.String(), "*")+"`")
		}
	}
	b.WriteString(wordsDocs)
	return b.String()
}

// notationDocs is the beginning of docs/table.md.
const notationDocs = `# The table

This page lists all keys and access patterns. [Terms](architecture.md#terms) explains words such as entity and shard. ` + "`" + `stockroom table model` + "`" + ` prints
the keys as JSON.

| Notation | Meaning |
|---|---|
| ` + "`" + `a → b` + "`" + ` | partition key ` + "`" + `a` + "`" + ` and sort key ` + "`" + `b` + "`" + ` |
| ` + "`" + `a → *` + "`" + ` | all sort keys of the partition |
| ` + "`" + `a → b*` + "`" + ` | sort keys that begin with ` + "`" + `b` + "`" + ` |
| ` + "`" + `a → b .. c` + "`" + ` | sort keys from ` + "`" + `b` + "`" + ` to ` + "`" + `c` + "`" + `, including those that begin with ` + "`" + `c` + "`" + ` |
| ` + "`" + `${value}` + "`" + ` | a value of the item, or a parameter of the query |
| ` + "`" + `A{B, C}` + "`" + ` | attribute ` + "`" + `A` + "`" + ` with the parts ` + "`" + `B` + "`" + ` and ` + "`" + `C` + "`" + ` |
| ` + "`" + `A{…}` + "`" + ` | an address with the parts Country, County, City, Street, Number and ZipCode |
| shards | the access pattern makes one query for each shard |
| descending | the access pattern returns the largest sort keys first |

* An access pattern with a complete primary key uses GetItem, and any other uses Query, unless its row names another operation.
* Every index contains all attributes of its items. An item without a value for an index key is not in that index.
* All items also have the attributes ` + "`" + `EntityType` + "`" + ` and ` + "`" + `Version` + "`" + `.

| Value | Meaning |
|---|---|
| ` + "`" + `${name}` + "`" + ` | the name in lowercase, without accents, with ` + "`" + `_` + "`" + ` for spaces and ` + "`" + `#` + "`" + `, at most 200 bytes. If the name is empty: the ID. For users and leases: the name itself |
| ` + "`" + `${bucket}` + "`" + ` | the first letter of the name, from a to z; ` + "`" + `0` + "`" + ` for a digit; ` + "`" + `_` + "`" + ` for any other character; ` + "`" + `archived` + "`" + ` for archived products |
| ` + "`" + `${category}` + "`" + ` | the name of the category in the form of ` + "`" + `${name}` + "`" + `, only for products that are not archived |
| ` + "`" + `${shard}` + "`" + ` | the number of the shard, usually computed from the ID |
| ` + "`" + `${phone}` + "`" + `, ` + "`" + `${phone2}` + "`" + `, ` + "`" + `${phone3}` + "`" + ` | the digits of the first, second and third phone number, in reverse |
| ` + "`" + `${phoneEnd}` + "`" + `, ` + "`" + `${phoneEnd2}` + "`" + `, ` + "`" + `${phoneEnd3}` + "`" + ` | the last four digits of these phone numbers, in reverse |
| ` + "`" + `${lowQuantity}` + "`" + ` | the quantity with 12 digits, only for stock at or below its reorder point |
| ` + "`" + `${total}` + "`" + ` | the OrderTotal of a quota in hundredths, with at least 15 digits |
| ` + "`" + `${bin}` + "`" + ` | the bin in the form of ` + "`" + `${name}` + "`" + `, only for stock with a bin |
| ` + "`" + `${dayAndSlot}` + "`" + ` | the day of the month and the slot, such as ` + "`" + `21#3` + "`" + `. For the first slot: only the day |
| ` + "`" + `${week}` + "`" + ` | the Monday of the week |
| ` + "`" + `${sheet}` + "`" + ` | the ID under which the rows of a count (stocktake) are stored, from its attribute Sheet |
| ` + "`" + `${entry}` + "`" + ` | the ID of the ledger entry in a shipment item. Items from an import or an earlier version can lack it |
| ` + "`" + `${shippedEntry}` + "`" + ` | the ID of the stock move, only if it is for a shipment (only earlier versions stored such stock moves) |
| ` + "`" + `${otherEntry}` + "`" + ` | the ID of the stock move, only if it is not for a shipment |
| ` + "`" + `${openDate}` + "`" + ` | the date of the order, only for lines with open pieces |
| ` + "`" + `${openDue}` + "`" + `, ` + "`" + `${openSent}` + "`" + ` | the day of the delivery or transfer, only while pieces are expected |
| ` + "`" + `${openKayak}` + "`" + ` | the kayak, only for open bookings |
| ` + "`" + `${failure}` + "`" + ` | the outcome of a result, only if it is not PAID, REMINDED, QUEUED or SKIPPED |
| ` + "`" + `${failed}` + "`" + `, ` + "`" + `${skipped}` + "`" + ` | the number of the row, only if the bulk change failed for this row, or skipped it |
| ` + "`" + `${unpaidAt}` + "`" + ` | the time of a charge, only while the charge is unpaid |
| ` + "`" + `${hash}` + "`" + ` | a hash of a session ID, or of a user's identity at the provider of single sign-on |
| ` + "`" + `${counter}` + "`" + ` | a hash of the source of the counted sign-ins, such as one user name from one network |
| ` + "`" + `${header}` + "`" + ` | a hash of the column names of an imported file |
| ` + "`" + `${importDay}` + "`" + ` | the day of the import (UTC), only for imported events |
| ` + "`" + `${newsMonth}` + "`" + ` | the month of the event (UTC), only for [news](architecture.md#terms). For notes: with the prefix ` + "`" + `notes-` + "`" + `. Examples: ` + "`" + `2026-11` + "`" + `, ` + "`" + `notes-2026-11` + "`" + ` |
| ` + "`" + `${newsShard}` + "`" + ` | one of four shards. For notes: always the same shard |
| ` + "`" + `${kind}` + "`" + ` | in totals: what is counted. Otherwise: a list, such as ` + "`" + `regions` + "`" + ` |
| ` + "`" + `${prefix}` + "`" + ` | the prefix of the keys of a list, such as ` + "`" + `r` + "`" + ` for regions |
| ` + "`" + `${subscription}` + "`" + ` | the subscription ID, ` + "`" + `#SKU#` + "`" + ` and the SKU. In results of notices, the kind of the notice replaces the subscription ID, and the recipient replaces the account ID |
| ` + "`" + `${partition}` + "`" + ` | for events: the partition key of their record. For saved views: that of the user, or ` + "`" + `views` + "`" + ` for shared ones |
`

// wordsDocs is the end of docs/table.md. It explains items that Amazon's published designs
// do not contain.
const wordsDocs = `
## Records of the same person

Users can join records of one person, such as a customer who was added twice. Each record then has an item ` + "`" + `samePerson` + "`" + ` with the IDs of the other
records, at most five.

## Search words

Search words (entity ` + "`" + `searchWord` + "`" + `) are additional items of a record. Each contains one or two words of the record's name (for warehouses and stores,
also of the city), or another value such as a code.

| Part of the key | Value |
|---|---|
| ` + "`" + `${group}` + "`" + ` | the kind of the words, such as ` + "`" + `people` + "`" + ` or ` + "`" + `codes` + "`" + ` (` + "`" + `store/search_word.go` + "`" + ` lists all) |
| ` + "`" + `${initials}` + "`" + ` | the first character of each word. For codes and email addresses: the first three characters. For phone numbers: the last four digits, in reverse. For closed customers: the year |
| ` + "`" + `${shard}` + "`" + ` | a number from 0 to 2 for words of people, otherwise 0 |
| ` + "`" + `${words}` + "`" + ` | one word; two words in alphabetical order; the code or email address; the digits of the phone number in reverse; or the day on which the customer was closed |
| ` + "`" + `${name}` + "`" + ` | all words of the name (for warehouses and stores, also of the city). For other values: the same as ` + "`" + `${words}` + "`" + ` |
| ` + "`" + `${later}` + "`" + ` | 0 if the words include the first word of the name, and for values that are not names; otherwise 1. Searches list records with 0 first |
| ` + "`" + `${type}` + "`" + ` | the kind of the record, such as ` + "`" + `c` + "`" + ` for a customer |
| ` + "`" + `${place}` + "`" + ` | the other IDs in the record's key, or an employee's warehouse; otherwise ` + "`" + `.` + "`" + ` |

* Words are in lowercase, without accents or apostrophes.
* Only the first four and the last two words of a name have search words.
* Only phone numbers of [renters](architecture.md#terms) (entity ` + "`" + `personMetadata` + "`" + `) have search words. Customers have indexes for phone numbers.
* Each change or import of a record also writes its search words. ` + "`" + `stockroom table rekey` + "`" + ` adds missing ones, and deletes those without a record.
`

// readFrom returns how the pattern reads the table, such as "GSI3, shards".
func readFrom(p *store.Pattern) string {
	text := p.Index
	if op := string(p.Operation); op != "GetItem" && op != "Query" {
		text += ", " + op
	}
	if p.Sharded {
		text += ", shards"
	}
	if p.Newest {
		text += ", descending"
	}
	return text
}

func written(k store.Keys) string { return "`" + k.PK.String() + " → " + k.SK.String() + "`" }

func indexesOf(d *store.Definition) string {
	var indexes []string
	for n := 1; n <= table.IndexCount; n++ {
		if !d.Index[n].PK.IsZero() {
			indexes = append(indexes, table.IndexName(n)+" "+written(d.Index[n]))
		}
	}
	return strings.Join(indexes, "<br>")
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
