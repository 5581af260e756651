package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"stockroom/store"
)

// catalogueHead is the start of the printed catalogue. It describes the table and the
// notation of the patterns.
type catalogueHead struct {
	Table struct {
		PartitionKey string   `json:"partitionKey"`
		SortKey      string   `json:"sortKey"`
		TTL          string   `json:"ttl"`
		Indexes      []string `json:"indexes"`
		IndexKeys    string   `json:"indexKeys"`
	} `json:"table"`
	Notation string `json:"notation"`
}

func newCatalogueHead() catalogueHead {
	var h catalogueHead
	h.Table.PartitionKey, h.Table.SortKey, h.Table.TTL = "PK", "SK", "TTL"
	for n := 1; n <= store.IndexCount; n++ {
		h.Table.Indexes = append(h.Table.Indexes, store.IndexName(n))
	}
	h.Table.IndexKeys = "GSIn-PK and GSIn-SK, both strings, projection ALL, every index sparse"
	h.Notation = "${name} is a value; 'a .. b' is BETWEEN a AND b, the upper bound followed by ~; 'a*' is begins_with(a); " +
		"'(x N)' is queried on each of the N shards in parallel, and the results are merged by sort key; an empty sort key means the whole partition; " +
		"order descending is newest or largest first"
	return h
}

func printPatterns(_ context.Context, c *call) error {
	if c.json {
		return writeCatalogue(c.stdout)
	}
	printColumns(c.stdout, func(row func(...string)) {
		row("SYSTEM", "NAME", "INDEX", "OPERATION", "PARTITION KEY", "SORT KEY", "ORDER")
		for i := range store.Patterns {
			r := store.Patterns[i].Row()
			row(r.System, r.Name, r.Index, r.Operation, r.PK, r.SK, r.Order)
		}
	})
	return nil
}

// writeCatalogue writes the catalogue of access patterns as JSON. Each pattern is one
// line, so that the catalogue is easy to read and to compare.
func writeCatalogue(to io.Writer) error {
	head := newCatalogueHead()
	table, err := json.Marshal(head.Table)
	if err != nil {
		return err
	}
	notation, err := json.Marshal(head.Notation)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(to, "{\n  \"table\": %s,\n  \"notation\": %s,\n  \"patterns\": [\n", table, notation); err != nil {
		return err
	}
	for i := range store.Patterns {
		row, err := json.Marshal(store.Patterns[i].Row())
		if err != nil {
			return err
		}
		comma := ","
		if i == len(store.Patterns)-1 {
			comma = ""
		}
		if _, err := fmt.Fprintf(to, "    %s%s\n", row, comma); err != nil {
			return err
		}
	}
	_, err = fmt.Fprint(to, "  ]\n}\n")
	return err
}
