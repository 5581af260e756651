package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// reference returns the kind of reference data to which a form field refers. ok is
// false if the field refers to another kind of record.
func (k ChoiceKind) reference() (kind ReferenceKind, ok bool) {
	kind = ReferenceKind(k)
	return kind, slices.Contains(ReferenceKinds, kind)
}

// maxReferenceChoices is the maximum number of references that referenceChoices finds by
// name.
const maxReferenceChoices = 20

// referenceChoices returns the reference whose ID is the text, and up to maxReferenceChoices
// references whose names have words that start with the words of the text. It reads the list
// by name and filters it, because references have no search words.
func (a Access) referenceChoices(ctx context.Context, kind ReferenceKind, text string) ([]Choice, error) {
	text = strings.TrimSpace(text)
	var all []Choice
	if key.CheckID(text) == nil {
		found, err := a.choicesWithID(ctx, ChoiceKind(kind), text)
		if err != nil {
			return nil, err
		}
		all = found
	}
	words := key.Words(text)
	if len(words) == 0 {
		return all, nil
	}
	q := table.Query{Pattern: getReferences, Values: key.Map{"kind": kind.List(), "name": ""}}
	found, err := listWithWords(ctx, a.store, q, Page{Limit: maxReferenceChoices}, words, decodeAs[Reference], func(r *Reference) string { return r.Name })
	if err != nil {
		return nil, err
	}
	for i := range found.Rows {
		if r := &found.Rows[i]; !r.Archived {
			all = append(all, r.choice())
		}
	}
	return uniquely(all, func(c Choice) string { return c.ID }), nil
}

func (r *Reference) choice() Choice {
	if r.Kind == Category { // products refer to a category by its name
		return Choice{ID: nameOrID(r.Name, r.ID), Name: nameOrID(r.Name, r.ID), codes: []string{r.ID}}
	}
	return Choice{ID: r.ID, Name: nameOrID(r.Name, r.ID), Note: r.ID}
}
