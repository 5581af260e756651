package store

import (
	"context"
	"maps"
	"slices"

	"stockroom/store/table"
)

// related reads the items that are needed to check a page of items: the search words
// of each entity, and the record of each search word. The result maps the KeyString
// of an item to the item.
func (r *rekeyer) related(ctx context.Context, items []Item) (map[string]Item, error) {
	keys := map[string]Item{}
	for _, item := range items {
		entity, err := Decode(item)
		if err != nil {
			continue // repair reports this error
		}
		for _, k := range relatedKeys(entity) {
			keys[table.KeyString(k)] = k
		}
	}
	return r.store.table.GetKeys(ctx, slices.Collect(maps.Values(keys)))
}

// relatedKeys returns the keys of the search words of an entity, or the key of a
// search word's record.
func relatedKeys(e Entity) []Item {
	if word, ok := e.(*SearchWord); ok {
		if owner := word.ownerKey(); owner != nil {
			return []Item{owner}
		}
		return nil
	}
	var keys []Item
	for _, word := range searchWords(e) {
		keys = append(keys, word.key())
	}
	return keys
}

// ownerKey returns the key of a search word's record, or nil if there is no valid
// key.
func (w *SearchWord) ownerKey() Item {
	p, values := w.record()
	if p == nil {
		return nil
	}
	c, err := p.Condition(values)
	if err != nil {
		return nil
	}
	return table.Key(c.PK, c.SK)
}

// repairWords writes the missing search words of an entity. If e is a search word
// that its record does not have, it deletes e. It returns Conflict if the record has
// changed since it was read.
func (r *rekeyer) repairWords(ctx context.Context, e Entity, related map[string]Item) (repaired bool, err error) {
	if word, ok := e.(*SearchWord); ok {
		return r.repairWord(ctx, word, related)
	}
	c, err := r.store.change(ctx)
	if err != nil {
		return false, err
	}
	for _, word := range searchWords(e) {
		item, err := Encode(word, r.shards)
		if err != nil {
			return false, err
		}
		if stored := related[word.place()]; stored == nil || difference(item, stored) != "" {
			c.Put(word, table.Condition{})
		}
	}
	if c.Len() == 0 {
		return false, nil
	}
	item, err := Encode(e, r.shards)
	if err != nil {
		return false, err
	}
	c.CheckItem(item)
	return true, c.Commit(ctx)
}

// repairWord deletes a search word that its record does not have.
func (r *rekeyer) repairWord(ctx context.Context, word *SearchWord, related map[string]Item) (repaired bool, err error) {
	owner := word.ownerKey()
	item := related[table.KeyString(owner)]
	if item != nil {
		entity, err := Decode(item)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(searchWords(entity), func(own *SearchWord) bool { return own.place() == word.place() }) {
			return false, nil
		}
	}
	c, err := r.store.change(ctx)
	if err != nil {
		return false, err
	}
	c.DeleteIfExists(word)
	switch {
	case item != nil:
		c.CheckItem(item)
	case owner != nil:
		c.CheckKeyAbsent(owner)
	}
	return true, c.Commit(ctx)
}
