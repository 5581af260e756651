package store

import "stockroom/store/table"

// Create adds a write of a new entity and its search words. The change fails if an item
// already has the key of the entity.
func (c *change) Create(e Entity) {
	c.Tx.Create(e)
	c.updateWords(nil, e)
}

// updateWords writes the new and changed search words of the entity in the argument after,
// and deletes those that only the entity in the argument before has. before is nil for a new
// entity. These writes need no condition, because the write of the entity in the same
// transaction has a condition.
func (c *change) updateWords(before, after Entity) {
	old := map[string]*SearchWord{}
	if before != nil {
		for _, word := range searchWords(before) {
			old[word.place()] = word
		}
	}
	for _, word := range searchWords(after) {
		if former := old[word.place()]; former == nil || *former != *word {
			c.Put(word, table.Condition{})
		}
		delete(old, word.place())
	}
	for _, word := range old {
		c.DeleteIfExists(word)
	}
}

// place returns the key of the search word's item as a string.
func (w *SearchWord) place() string { return table.KeyString(w.key()) }

func (w *SearchWord) key() Item {
	d, _ := schema.Definition(w.EntityType())
	pk, _ := d.Table.PK.Render(w)
	sk, _ := d.Table.SK.Render(w)
	return table.Key(pk, sk)
}
