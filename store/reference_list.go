package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ListedReference is a reference with its parent. Parent is nil if there is no parent,
// or if the parent is unknown.
type ListedReference struct {
	Reference
	Parent *Reference `json:",omitempty"`
}

// ParentName returns the name of the parent, or "" if it is unknown.
func (r ListedReference) ParentName() string {
	if r.Parent == nil {
		return ""
	}
	return r.Parent.Name
}

// ReferenceDetails is a reference with its ancestors, nearest first. For a
// department, these are its location, country and region.
type ReferenceDetails struct {
	Reference
	Within []Reference `json:",omitempty"`
}

// References lists the references of a kind, sorted by name. If prefix is not "", it lists
// only names that start with it. archived matters only for categories, because other
// references cannot be archived.
func (a Access) References(ctx context.Context, kind ReferenceKind, prefix string, archived Archived, page Page) (List[ListedReference], error) {
	if err := a.require(Browse); err != nil {
		return List[ListedReference]{}, err
	}
	q := table.Query{Pattern: getReferences, Values: key.Map{"kind": kind.List(), "name": key.Fold(prefix)}}
	decode := func(row Row, r *ListedReference) error { return decodeAs(row, &r.Reference) }
	var found List[ListedReference]
	var err error
	if kind == Category {
		found, err = listWhere(ctx, a.store, q, page, decode, func(r *ListedReference) bool { return archived.includes(r.Archived) })
	} else {
		found, err = list(ctx, a.store, q, page, decode)
	}
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

// Reference returns a reference with its ancestors, or NotFound.
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
			break // show the reference even if its parent is unknown
		}
		if err != nil {
			return nil, err
		}
		d.Within = append(d.Within, *r)
	}
	return d, nil
}

func referenceValues(kind ReferenceKind, id string) key.Map {
	return key.Map{"prefix": referenceDesigns[kind].prefix, "referenceID": id}
}

func lookUpReference(kind ReferenceKind, id string, to **Reference) table.Lookup {
	return lookUp(getReference, referenceValues(kind, id), to)
}
