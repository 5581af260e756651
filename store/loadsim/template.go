package loadsim

import (
	"strings"
	"sync"

	"stockroom/store"
	"stockroom/store/key"
)

// templateOf returns the template of a key, such as orders#${shard}. If sk is not "", the
// template also contains the sort key. If several templates match, templateOf returns the
// one with the longest fixed text at its start. If none matches, it returns pk.
func templateOf(index, pk, sk string) string {
	best, found := -1, pk
	for _, k := range templates()[index] {
		match := prefixLen(pk, k.PK)
		if more := prefixLen(sk, k.SK); sk != "" && match >= 0 {
			if more < 0 {
				continue
			}
			match += more
		}
		if match <= best {
			continue
		}
		best, found = match, k.PK.String()
		if sk != "" {
			found += " → " + k.SK.String()
		}
	}
	return found
}

// prefixLen returns the length of the fixed text at the start of the template, or -1 if the
// key does not begin with this text.
func prefixLen(text string, template key.Template) int {
	prefix, _, _ := strings.Cut(template.String(), "${")
	if !strings.HasPrefix(text, prefix) {
		return -1
	}
	return len(prefix)
}

// templates returns the key templates of all entities, by index.
var templates = sync.OnceValue(func() map[string][]store.Keys {
	all := map[string][]store.Keys{}
	for i := range store.Definitions {
		d := &store.Definitions[i]
		all[""] = append(all[""], d.Table)
		for n := 1; n <= store.IndexCount; n++ {
			if !d.Index[n].PK.IsZero() {
				all[indexName(n)] = append(all[indexName(n)], d.Index[n])
			}
		}
	}
	return all
})
