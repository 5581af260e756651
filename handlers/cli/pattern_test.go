package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// catalogue is the published JSON format. It does not use the types of the program, so that
// the test fails if these types change.
type catalogue struct {
	Table    map[string]any
	Notation string
	Patterns []map[string]any
}

func readCatalogue(t *testing.T, data []byte) catalogue {
	t.Helper()
	var c catalogue
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPatterns_MatchPublishedCatalogue(t *testing.T) {
	file, err := os.ReadFile("../../store/testdata/access-patterns.json")
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, "patterns", "-json")
	got.want(t, exitDone)
	published, printed := readCatalogue(t, file), readCatalogue(t, []byte(got.stdout))
	if printed.Notation != published.Notation {
		t.Errorf("got notation %s, want %s", printed.Notation, published.Notation)
	}
	if !equalJSON(t, printed.Table, published.Table) {
		t.Errorf("got table %v, want %v", printed.Table, published.Table)
	}
	rows := map[any]map[string]any{}
	for _, row := range printed.Patterns {
		rows[row["name"]] = row
	}
	if len(rows) != len(store.Patterns) {
		t.Errorf("got %d patterns, want %d", len(rows), len(store.Patterns))
	}
	for _, want := range published.Patterns {
		switch want["name"] { // add what the published catalogue does not contain
		case "getReferenceByKind":
			kinds, _ := want["kinds"].([]any)
			want["kinds"] = append(kinds, "categories")
		case "getInvoicesByStatusForDateRange":
			want["note"] = "status is TO_REFUND for an invoice that has the status PAID and an amount to refund"
		}
		if got := rows[want["name"]]; !equalJSON(t, got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	left, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	right, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(left) == string(right)
}

func TestPatterns_Columns(t *testing.T) {
	got := run(t, "patterns")
	got.want(t, exitDone, "PARTITION KEY", "getOrdersByStatusForDateRange", "Query (x N)", "${status}#${from} .. ${status}#${to}", "descending")
	if lines := strings.Count(got.stdout, "\n"); lines != len(store.Patterns)+1 {
		t.Errorf("got %d lines, want one for each of %d patterns and one more", lines, len(store.Patterns))
	}
}

// TestPatterns_HeadMatchesTable compares the description of the table in the catalogue
// with a table that the program has created.
func TestPatterns_HeadMatchesTable(t *testing.T) {
	db := storetest.Embedded(t, clock)
	s := store.New(db, "OnlineShop", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	created, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("OnlineShop")})
	if err != nil {
		t.Fatal(err)
	}
	ttl, err := db.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("OnlineShop")})
	if err != nil {
		t.Fatal(err)
	}
	head := newCatalogueHead().Table
	var keys []string
	for _, k := range created.Table.KeySchema {
		keys = append(keys, aws.ToString(k.AttributeName))
	}
	if got := strings.Join(keys, " "); got != head.PartitionKey+" "+head.SortKey {
		t.Errorf("got keys %s, want %s %s", got, head.PartitionKey, head.SortKey)
	}
	if got := aws.ToString(ttl.TimeToLiveDescription.AttributeName); got != head.TTL {
		t.Errorf("got TTL attribute %s, want %s", got, head.TTL)
	}
	if len(created.Table.GlobalSecondaryIndexes) != len(head.Indexes) {
		t.Errorf("got %d indexes, want %d", len(created.Table.GlobalSecondaryIndexes), len(head.Indexes))
	}
	for _, index := range created.Table.GlobalSecondaryIndexes {
		if index.Projection.ProjectionType != types.ProjectionTypeAll {
			t.Errorf("%s: got projection %s, want ALL", aws.ToString(index.IndexName), index.Projection.ProjectionType)
		}
	}
}
