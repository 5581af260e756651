package views

import (
	"net/url"
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// Partition is the page with the items of one partition.
type Partition struct {
	Page
	List
	Key   ui.Input
	Index string // "table", or the name of an index
	Rows  []store.Item
}

// PartitionPath returns the address of a partition of the table or of an index.
func PartitionPath(index, pk string) string {
	address := "/data/partitions?pk=" + url.QueryEscape(pk)
	if index != "table" {
		address += "&index=" + url.QueryEscape(index)
	}
	return address
}

// legend returns the entity types of the items in a list.
func legend(rows []store.Item) []string {
	var types []string
	for _, item := range rows {
		if t := plainText(item["EntityType"]); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// keyLinks writes a link to each partition that contains the item, in the table and in
// the indexes.
func keyLinks(item store.Item) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<ul class="keys">`)
		for _, index := range indexNames() {
			prefix := ""
			if index != "table" {
				prefix = index + "-"
			}
			pk, sk := plainText(item[prefix+"PK"]), plainText(item[prefix+"SK"])
			if pk == "" {
				continue
			}
			m.HTML(`<li><span class="muted">`)
			m.Text(index)
			m.HTML(`</span> <span><a href="`)
			m.Address(PartitionPath(index, pk))
			m.HTML(`"><code>`)
			m.Text(pk)
			m.HTML(`</code></a> <code>→ `)
			m.Text(sk)
			m.HTML(`</code></span></li>`)
		}
		m.HTML(`</ul>`)
	}
}
