package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EntityUpdate is an entity from a file. Update gives the stored entity the values in the
// file.
type EntityUpdate struct {
	Entity Entity
	Paths  [][]string // paths of the attributes in the file; nil means all attributes

	// ValueFreed means that another record had the entity's unique value, and that an
	// earlier update of this file gave that record another value. Update then does not check
	// that the value is unique, because the index can still list the other record.
	ValueFreed bool
}

// updateAdvice returns how to change an existing entity with Update, or "" if Update cannot
// change entities of its type.
func updateAdvice(e Entity) string {
	switch e.(type) {
	case *Customer, *Product, *Warehouse, *Employee, *WarehouseItem:
		return " To change it, use -update."
	}
	return ""
}

// UpdateOptions are the options of Update.
type UpdateOptions struct {
	DryRun bool   // report what would change without writing
	Why    string // reason, for the history

	Progress func(done int) // called from time to time; may be nil
}

// UpdateResult is the outcome of updating one entity.
type UpdateResult struct {
	Outcome Outcome // NotReached if the entity does not exist
	Reason  string  // why the entity was rejected; otherwise ""
	Changes []AttributeChange
}

// AttributeChange is an attribute whose value changed.
type AttributeChange struct{ Name, Before, After string }

// Update gives existing entities the values in a file. It supports customers, employees,
// products, warehouses, and the reorder points and bins of stock. Each change follows the
// rules of the edit page and records an event. Attributes that are not in the file do not
// change. Update rejects an entity if someone else changes it at the same time, or if an
// attribute differs that Update cannot change. Repeating an Update changes nothing.
func (a Access) Update(ctx context.Context, updates []EntityUpdate, options UpdateOptions) ([]UpdateResult, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	u := updater{access: a, options: options, results: make([]UpdateResult, len(updates))}
	u.access.why, u.access.importing = options.Why, true
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(loadWriters)
	for start := 0; start < len(updates); start += table.MaxActions {
		work.Go(table.Recovering(func() error { return u.update(ctx, updates, start, min(start+table.MaxActions, len(updates))) }))
	}
	return u.results, work.Wait()
}

// Update is Access.Update for the program instead of a user.
func (s *Store) Update(ctx context.Context, updates []EntityUpdate, options UpdateOptions) ([]UpdateResult, error) {
	return s.As(&User{Name: Program, Role: Admin}).Update(ctx, updates, options)
}

// updater is one call of Update.
type updater struct {
	access  Access
	options UpdateOptions
	results []UpdateResult

	mu   sync.Mutex // guards the fields below
	done int
}

func (u *updater) progress(entities int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.done += entities; u.options.Progress != nil {
		u.options.Progress(u.done)
	}
}

// update updates the entities with indexes from start to end-1, one after the other.
func (u *updater) update(ctx context.Context, updates []EntityUpdate, start, end int) error {
	items, keys := make([]Item, end-start), make([]Item, end-start)
	for i := range items {
		item, err := Encode(updates[start+i].Entity, key.DefaultShards)
		if err != nil {
			return err // cannot happen: the entities were encoded before
		}
		items[i], keys[i] = item, table.KeyOf(item)
	}
	existing, err := u.existing(ctx, keys)
	if err != nil {
		return err
	}
	defer u.progress(len(items))
	for i, item := range items {
		before := existing[table.KeyString(keys[i])]
		if before == nil {
			continue
		}
		result, err := u.changeOrRetry(ctx, &updates[start+i], before, item)
		if u.results[start+i] = result; err != nil {
			return err
		}
	}
	return nil
}

func (u *updater) existing(ctx context.Context, keys []Item) (items map[string]Item, err error) {
	err = retryBusy(ctx, func() error {
		items, err = u.access.store.table.GetKeys(ctx, keys)
		return err
	})
	return items, err
}

// changeOrRetry calls changeOne. While the table is busy, it reads the stored item
// again and repeats the call.
func (u *updater) changeOrRetry(ctx context.Context, update *EntityUpdate, before, after Item) (result UpdateResult, err error) {
	err = retryBusy(ctx, func() error {
		if before == nil { // read the item again in a repeated call
			place := table.KeyOf(after)
			items, err := u.access.store.table.GetKeys(ctx, []Item{place})
			if err != nil {
				return err
			}
			if before = items[table.KeyString(place)]; before == nil {
				return nil // the item was deleted
			}
		}
		result, err = u.changeOne(ctx, update, before, after)
		before = nil
		return err
	})
	return result, err
}

// changeOne compares the entity's item (after) with the stored item (before) and
// writes the differences.
func (u *updater) changeOne(ctx context.Context, update *EntityUpdate, before, after Item) (UpdateResult, error) {
	differences := differentPaths(before, after, update.Paths)
	if len(differences) == 0 {
		return UpdateResult{Outcome: OutcomeUnchanged}, nil
	}
	stored, err := Decode(before)
	if err != nil {
		return UpdateResult{}, err
	}
	saving, reason := u.saving(ctx, stored, update, differences)
	if reason != "" {
		return UpdateResult{Outcome: OutcomeRejected, Reason: reason}, nil
	}
	if err = saving.check(); err == nil && !u.options.DryRun && len(saving.changes) > 0 {
		err = saving.save()
	}
	var invalid *Error
	switch kind := KindOf(err); {
	case kind == Invalid && errors.As(err, &invalid):
		return UpdateResult{Outcome: OutcomeRejected, Reason: invalid.Message}, nil
	case kind == Conflict || kind == NotFound:
		return UpdateResult{Outcome: OutcomeRejected, Reason: "Someone else changed this record during the import. Import the row again."}, nil
	case err != nil:
		return UpdateResult{}, err
	case len(saving.changes) == 0:
		return UpdateResult{Outcome: OutcomeUnchanged}, nil
	}
	return UpdateResult{Outcome: OutcomeUpdated, Changes: saving.changes}, nil
}

// differentPaths returns the paths of the attributes that differ, as names joined
// with dots.
func differentPaths(before, after Item, paths [][]string) []string {
	if paths == nil {
		paths = slices.Concat(pathsOf(nil, before), pathsOf(nil, after))
	}
	var names []string
	for _, path := range paths {
		name := strings.Join(path, ".")
		if isIndexKey(name) || name == table.AttrVersion || isOfTable(before, name) || slices.Contains(names, name) {
			continue
		}
		if !reflect.DeepEqual(valueAt(before, path), valueAt(after, path)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// pathsOf returns the paths of all attributes of an item, including nested ones.
func pathsOf(path []string, item Item) (paths [][]string) {
	for name, value := range item {
		path := append(slices.Clone(path), name)
		if m, ok := value.(*types.AttributeValueMemberM); ok {
			paths = append(paths, pathsOf(path, m.Value)...)
		} else {
			paths = append(paths, path)
		}
	}
	return paths
}

// valueAt returns the value of the attribute at a path, or nil.
func valueAt(item Item, path []string) types.AttributeValue {
	for _, name := range path[:len(path)-1] {
		m, _ := item[name].(*types.AttributeValueMemberM)
		if m == nil {
			return nil
		}
		item = m.Value
	}
	return item[path[len(path)-1]]
}

func isIndexKey(name string) bool {
	return strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}

// saving is a prepared change of one entity.
type saving struct {
	changes []AttributeChange
	check   func() error // returns Invalid if the change breaks a rule; also sets changes
	save    func() error
}

// saving prepares the change of an entity, or returns the reason why an import cannot
// change it.
func (u *updater) saving(ctx context.Context, stored Entity, update *EntityUpdate, differences []string) (*saving, string) {
	row, freed := update.Entity, update.ValueFreed
	switch before := stored.(type) {
	case *Customer:
		e := customerEdit(ctx, u.access, before.ID, before.AccountRepID, "")
		if freed {
			e.unique = nil
		}
		return savingOf(ctx, u.access, before, row.(*Customer), e, differences, u.access.SaveCustomer)
	case *Product:
		e := productEdit(ctx, u.access, before.ID, "")
		if freed {
			e.unique = nil
		}
		return savingOf(ctx, u.access, before, row.(*Product), e, differences, u.access.SaveProduct)
	case *Warehouse:
		return savingOf(ctx, u.access, before, row.(*Warehouse), warehouseEdit(before.ID, ""), differences, u.access.SaveWarehouse)
	case *Employee:
		return savingOf(ctx, u.access, before, row.(*Employee), employeeEdit(ctx, u.access, before.ID, ""), differences, u.access.SaveEmployee)
	case *WarehouseItem:
		return u.savingStock(ctx, before, row.(*WarehouseItem), differences)
	}
	return nil, fmt.Sprintf("The item exists with different values of %s. An import can update customers, employees, products, warehouses, and the reorder points and bins of stock. Change the item on its page.", strings.Join(differences, ", "))
}

// savingOf prepares a change of the fields that differ. If no form can change one of the
// differences, it returns a reason instead.
func savingOf[T any, E editable[T]](ctx context.Context, a Access, before, row E, e edit[T], differences []string, save func(context.Context, T, string) error) (*saving, string) {
	after := *before
	var changed []*Field[T]
	for i := range e.fields {
		if f := &e.fields[i]; slices.Contains(differences, f.Column) {
			f.copy(&after, row)
			changed = append(changed, f)
		}
	}
	if len(changed) < len(differences) {
		differences = slices.DeleteFunc(differences, func(name string) bool {
			return slices.ContainsFunc(changed, func(f *Field[T]) bool { return f.Column == name })
		})
		return nil, notEditable(before, differences)
	}
	s := &saving{}
	s.check = func() error {
		if err := e.check(ctx, a, before, &after); err != nil {
			return err
		}
		for _, f := range changed {
			if from, to := f.format(before), f.format(&after); from != to {
				s.changes = append(s.changes, AttributeChange{f.Column, from, to})
			}
		}
		return nil
	}
	s.save = func() error { return save(ctx, after, "") }
	return s, ""
}

func (u *updater) savingStock(ctx context.Context, before, row *WarehouseItem, differences []string) (*saving, string) {
	after := *before
	s := &saving{}
	for _, name := range differences {
		switch name {
		case "ReorderPoint":
			after.ReorderPoint = row.ReorderPoint
			s.changes = append(s.changes, AttributeChange{name, formatReorderPoint(before), formatReorderPoint(&after)})
		case "Bin":
			after.Bin = row.Bin
			s.changes = append(s.changes, AttributeChange{name, before.Bin, after.Bin})
		default:
			return nil, notEditable(before, []string{name})
		}
	}
	s.check = func() error { return checkReorderPoint(after.ReorderPoint, &after.Bin) }
	s.save = func() error {
		return u.access.SetReorderPoint(ctx, StockForm{ProductID: before.ProductID, WarehouseID: before.WarehouseID, Seen: before.Version}, after.ReorderPoint, after.Bin)
	}
	return s, ""
}

func formatReorderPoint(item *WarehouseItem) string {
	if item.ReorderPoint == 0 {
		return "" // an empty cell
	}
	return strconv.Itoa(item.ReorderPoint)
}

// derivedFrom explains some of the attributes that no edit form can change: where the value
// comes from, or how to change it.
var derivedFrom = map[string]string{
	"warehouseItem Quantity": "To change it, count, receive or adjust the stock on its page.",
	"warehouseItem Name":     "Name is the name of the product. Change it in products.csv.",
	"employee JobTitle":      "JobTitle is the title of the job. Change JobID.",
	"product Unfinished":     "Stockroom sets Unfinished while it copies a new product name to the stock.",
	"customer Created":       "Created is the day on which the customer was added.",
}

// notEditable returns why an import cannot change these attributes of an entity, and what
// to do instead.
func notEditable(stored Entity, names []string) (reason string) {
	advice := "Remove the column, or enter the stored value."
	if len(names) > 1 {
		advice = "Remove these columns, or enter the stored values."
	}
	for _, name := range names {
		advice = cmp.Or(derivedFrom[stored.EntityType()+" "+name], advice)
	}
	return fmt.Sprintf("%s can't be changed by an import. %s", strings.Join(names, ", "), advice)
}
