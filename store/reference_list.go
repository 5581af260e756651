package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ListedReference is an entry of a reference list with what it lies within:
// nil where that is not named, or gone.
type ListedReference struct {
	Reference
	Parent *Reference `json:",omitempty"`
}

// ReferenceDetails are an entry and everything that it lies within, the
// nearest first: a department's location, country and region.
type ReferenceDetails struct {
	Reference
	Within []Reference `json:",omitempty"`
}

// References lists the entries of a kind whose names begin so, by name.
func (a Access) References(ctx context.Context, kind ReferenceKind, beginning string, page Page) (List[ListedReference], error) {
	if err := a.require(Browse); err != nil {
		return List[ListedReference]{}, err
	}
	q := table.Query{Pattern: getReferences, Values: key.Map{"kind": kind.List(), "name": key.Fold(beginning)}}
	found, err := list(ctx, a.store, q, page, func(item Item, r *ListedReference) error {
		return decodeAs(item, &r.Reference)
	})
	if err != nil {
		return List[ListedReference]{}, err
	}
	parents := make([]table.Lookup, len(found.Rows))
	for i := range found.Rows {
		row := &found.Rows[i]
		parents[i] = lookUpReference(kind.Within(), row.ParentID, &row.Parent)
	}
	return found, a.store.table.LookUp(ctx, parents, false)
}

// Reference finds an entry of a kind by ID.
func (a Access) Reference(ctx context.Context, kind ReferenceKind, id string) (*ReferenceDetails, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	r, err := readOne[*Reference](ctx, a.store, getReference, referenceValues(kind, id))
	if err != nil {
		return nil, err
	}
	d := &ReferenceDetails{Reference: *r}
	for within := kind.Within(); within != "" && r.ParentID != ""; within = within.Within() {
		r, err = readOne[*Reference](ctx, a.store, getReference, referenceValues(within, r.ParentID))
		if KindOf(err) == NotFound {
			break // what it names is gone, which is no reason not to show it
		}
		if err != nil {
			return nil, err
		}
		d.Within = append(d.Within, *r)
	}
	return d, nil
}

func referenceValues(kind ReferenceKind, id string) key.Map {
	return key.Map{"prefix": referenceForms[kind].prefix, "referenceID": id}
}

func lookUpReference(kind ReferenceKind, id string, to **Reference) table.Lookup {
	return lookUp(getReference, referenceValues(kind, id), to)
}
