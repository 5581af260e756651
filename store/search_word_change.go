package store

import "stockroom/store/table"

// Create writes a new entity and its search words, on condition that no item has
// its key.
func (c *change) Create(e Entity) {
	c.Tx.Create(e)
	c.updateWords(nil, e)
}

// updateWords writes the search words of after that before does not have, and
// deletes those that only before has. before is nil for a new entity. The words
// need no conditions, because the entity in the same transaction has one.
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

// place returns the key of the word's item as a text.
func (w *SearchWord) place() string { return table.KeyString(w.key()) }

// key returns the key of the word's item.
func (w *SearchWord) key() Item {
	d, _ := schema.Definition(w.EntityType())
	pk, _ := d.Table.PK.Render(w)
	sk, _ := d.Table.SK.Render(w)
	return table.Key(pk, sk)
}
