package exchange

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/spill"
)

// rowSource contains what all rows of a CSV file have in common.
type rowSource struct {
	columns []*column
	lacks   []string // required columns that are missing in the file
}

// paths returns the paths of the attributes in the file. It returns nil for rows that are
// not from a CSV file; see store.EntityUpdate.
func (s *rowSource) paths() [][]string {
	if s == nil {
		return nil
	}
	paths := [][]string{}
	for _, c := range s.columns {
		if c.path != nil {
			paths = append(paths, c.path)
		}
	}
	return paths
}

// CellChange is a change of one value of an existing entity by an update.
type CellChange struct {
	File          int // index of the file in the arguments of Open
	Row           int
	Entity        string // such as "product 42"
	Column        string
	Before, After string // After is "" if the update removes the value
}

// CellChanges contains the number of changes, and the first ones.
type CellChanges struct {
	Total int
	First []CellChange
}

// maxChanges is the maximum number of changes in First.
const maxChanges = 100

func (c *CellChanges) add(other CellChanges) {
	c.Total += other.Total
	c.First = append(c.First, other.First[:min(len(other.First), maxChanges-len(c.First))]...)
}

var updateSeed = maphash.MakeSeed()

// update updates the entities of a batch that exist, and counts them. It returns a batch
// with the other rows, even if there is an error. These include totals and quotas, because
// an import only compares them with the counted values.
func (i *importer) update(ctx context.Context, b *Batch) (*Batch, error) {
	if i.seen == nil {
		i.seen = spill.NewMap(i.Known.folder, knownInMemory)
	}
	rest := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	groups := i.Known.inOrder(b)
	for _, rows := range groups {
		if err := i.updateRows(ctx, b, rows, rest); err != nil {
			return rest, err
		}
	}
	return rest, nil
}

// updateRows updates the given rows of a batch. It adds the other rows to the batch rest.
func (i *importer) updateRows(ctx context.Context, b *Batch, rows []int, rest *Batch) error {
	start, finished := i.rows, len(rows)+len(rest.Entities)
	updates, rows, err := i.toUpdate(b, rows, rest)
	if err != nil {
		return err
	}
	results, err := i.target.Update(ctx, updates, store.UpdateOptions{
		DryRun: i.DryRun, Why: i.Why,
		Progress: func(done int) {
			if i.Progress != nil {
				i.Progress(start + done)
			}
		},
	})
	var recategorized []*store.Product
	for u, result := range results {
		row := b.Rows[rows[u]]
		switch {
		case result.Outcome == store.OutcomeRejected:
			rest.Rejected = append(rest.Rejected, RejectedRow{row, result.Reason})
		case result.Outcome != store.NotReached:
			i.count(&row, result.Outcome)
			if learning := i.Known.claimUpdated(updates[u].Entity, &row); err == nil {
				err = learning
			}
			i.addChanges(&row, describe(updates[u].Entity), result.Changes)
			if p, ok := updates[u].Entity.(*store.Product); ok && slices.ContainsFunc(result.Changes, func(c store.AttributeChange) bool { return c.Name == "Category" }) {
				recategorized = append(recategorized, p)
			}
		case err != nil: // it is unknown whether the entity exists, so the row counts neither as added nor as rejected
		case row.source != nil && len(row.source.lacks) > 0:
			rest.Rejected = append(rest.Rejected, RejectedRow{row, notAdded(updates[u].Entity, row.source)})
		case row.source != nil && len(row.source.lacksRequired(updates[u].Entity)) > 0 && !i.Lenient:
			rest.Rejected = append(rest.Rejected, RejectedRow{row, notAdded(updates[u].Entity, row.source)})
		default:
			rest.Entities, rest.Rows = append(rest.Entities, updates[u].Entity), append(rest.Rows, row)
		}
	}
	i.rows += finished - len(rest.Entities)
	if err == nil && i.DryRun {
		err = i.addNewCategories(ctx, recategorized)
	}
	return err
}

// toUpdate returns the updates for the given rows of a batch, and the indexes of their
// rows. It adds totals and quotas to the batch in the argument rest, and counts rows that
// repeat earlier ones. It rejects rows that contradict an earlier row, and rows whose unique
// value still belongs to another record.
func (i *importer) toUpdate(b *Batch, all []int, rest *Batch) (updates []store.EntityUpdate, rows []int, err error) {
	for _, n := range all {
		entity, row := b.Entities[n], &b.Rows[n]
		switch entity.(type) {
		case *store.Total, *store.Quota:
			rest.Entities, rest.Rows = append(rest.Entities, entity), append(rest.Rows, *row)
			continue
		}
		name := describe(entity)
		key, digest := maphash.String(updateSeed, identify(entity)), maphash.String(updateSeed, fmt.Sprintf("%+v", entity))
		earlier, found, err := i.seen.Get(key)
		if err != nil {
			return nil, nil, err
		}
		if found {
			if earlier == digest {
				i.count(row, store.OutcomeRepeated)
			} else {
				rest.Rejected = append(rest.Rejected, RejectedRow{*row, fmt.Sprintf("The %s appears twice with different values. Remove one of the rows.", name)})
			}
			continue
		}
		if err := i.seen.Set(key, digest); err != nil {
			return nil, nil, err
		}
		taken, err := i.Known.stillTaken(entity, row)
		if err != nil {
			return nil, nil, err
		}
		if taken != "" {
			rest.Rejected = append(rest.Rejected, RejectedRow{*row, taken})
			continue
		}
		updates = append(updates, store.EntityUpdate{Entity: entity, Paths: row.source.paths(), ValueFreed: len(row.owners) > 0})
		rows = append(rows, n)
	}
	return updates, rows, nil
}

// notAdded returns the reason to reject a row whose record does not exist. An update cannot
// add the record, because the file lacks columns.
func notAdded(entity store.Entity, source *rowSource) (reason string) {
	lacks := slices.Clone(source.lacks)
	for _, column := range source.lacksRequired(entity) {
		if !slices.Contains(lacks, column) {
			lacks = append(lacks, column)
		}
	}
	columns := "column "
	if len(lacks) > 1 {
		columns = "columns "
	}
	return fmt.Sprintf("The %s does not exist. Correct its ID. To add it, the file needs the %s.", describe(entity), columns+strings.Join(lacks, ", "))
}

// lacksRequired returns the columns that the form of an entity requires and the file lacks.
func (s *rowSource) lacksRequired(entity store.Entity) []string {
	return slices.DeleteFunc(store.RequiredColumns(entity), s.has)
}

// identify returns a text that differs for each entity.
func identify(entity store.Entity) string {
	s, found := sheetOf(entity.EntityType())
	if !found {
		return entity.EntityType()
	}
	parts := []string{s.entityType}
	for _, name := range slices.Concat(s.definition.Table.PK.Names(), s.definition.Table.SK.Names()) {
		parts = append(parts, entity.KeyValue(name))
	}
	return strings.Join(parts, "\x00")
}

// describe returns the type and the IDs of an entity, for messages. Two entities can have the
// same description, because IDs can contain spaces; see identify.
func describe(entity store.Entity) string {
	s, found := sheetOf(entity.EntityType())
	if !found {
		return entity.EntityType()
	}
	words := []string{kindName(s.entityType)}
	for _, name := range slices.Concat(s.definition.Table.PK.Names(), s.definition.Table.SK.Names()) {
		if value := entity.KeyValue(name); value != "" && !slices.Contains(words, value) {
			words = append(words, value)
		}
	}
	return strings.Join(words, " ")
}

func (i *importer) addChanges(row *Row, entity string, changes []store.AttributeChange) {
	for _, c := range changes {
		to := &i.result.Changed
		if c.After == "" {
			to = &i.result.Removed
		}
		to.add(CellChanges{1, []CellChange{{i.fileOf(row), row.Number, entity, c.Name, c.Before, c.After}}})
	}
}
