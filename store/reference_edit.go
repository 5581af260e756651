package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ReferenceFields returns the editable fields of a reference of a kind.
func ReferenceFields(kind ReferenceKind) Fields[Reference] {
	fields := Fields[Reference]{
		textField("name", "Name", func(r *Reference) *string { return &r.Name }).required(),
	}
	if within := kind.Within(); within != "" {
		fields = append(fields, pickField("parent", within.Title(), ChoiceKind(within), func(r *Reference) *string { return &r.ParentID }))
	}
	return fields
}

func (r *Reference) version() *int { return &r.Version }

// Partition returns the partition of the reference and its events.
func (r *Reference) Partition() string { return referencePartition(r.Kind, r.ID) }

func referenceEdit(ctx context.Context, a Access, kind ReferenceKind, id, formerParent, token string) edit[Reference] {
	return edit[Reference]{
		fields:    ReferenceFields(kind),
		added:     EventReferenceAdded,
		edited:    EventReferenceEdited,
		partition: referencePartition(kind, id),
		token:     token,
		validate: func(r *Reference) error {
			if r.ParentID == "" || r.ParentID == formerParent { // the former parent may be missing, because a lenient import accepts that
				return nil
			}
			_, err := readOne[*Reference](ctx, a.store, getReference, referenceValues(kind.Within(), r.ParentID))
			if KindOf(err) == NotFound {
				return InvalidField("parent", "No %s has the ID %s.", kind.Within(), r.ParentID)
			}
			return err
		},
	}
}

// AddReference adds a reference and returns its ID. The ID of a category comes from its
// name. Other IDs come from the form token. AddReference returns Invalid if a field is
// invalid, or if there is already a category with this name.
func (a Access) AddReference(ctx context.Context, r Reference, token string) (id string, err error) {
	if err := a.require(SetUp); err != nil {
		return "", err
	}
	if r.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	if r.Kind == Category {
		if r.ID, err = CategoryID(r.Name), checkCategory("name", r.Name); err != nil {
			return "", err
		}
		if _, err := a.store.requireFree(ctx, r.Name, "There is already a category with this name."); err != nil {
			return r.ID, a.store.okIfApplied(ctx, referencePartition(Category, r.ID), token, err)
		}
	}
	return r.ID, createFromForm(ctx, a, &r, referenceEdit(ctx, a, r.Kind, r.ID, "", token))
}

// SaveReference changes a reference. If the title of a job changes, it copies the
// title to the job's employees. If the name of a category changes, it copies the name to
// the category's products. It returns NotFound, Invalid, or Conflict if the form
// showed another version. It returns Unfinished if some employees or products still have
// the earlier title or name; saving the record again updates them.
func (a Access) SaveReference(ctx context.Context, r Reference, token string) error {
	if r.Kind == Category {
		return a.saveCategory(ctx, r, token)
	}
	before, err := a.ReferenceForChange(ctx, r.Kind, r.ID)
	if err != nil {
		return err
	}
	if err := saveFromForm(ctx, a, before, &r, referenceEdit(ctx, a, r.Kind, r.ID, before.ParentID, token)); err != nil || r.Kind != Job {
		return err
	}
	err = retryOnConflict(ctx, func() error { return a.retitleEmployees(ctx, r.ID) })
	return unfinished(err, "Job saved, but some employees still have its former title. Save the job again to finish.")
}

// ReferenceForChange makes a consistent read of a reference. It returns NotFound if there
// is no such reference.
func (a Access) ReferenceForChange(ctx context.Context, kind ReferenceKind, id string) (*Reference, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*Reference](ctx, a.store, getReference, referenceValues(kind, id))
}

// Followers is the number of records that contain a copy of the name of a reference.
type Followers struct {
	N    int
	More bool // there are more than N
}

// Followers counts the products of a category or the employees with a job, up to MaxLimit
// of them. For other references, it returns 0, because no records contain copies of their
// names.
func (a Access) Followers(ctx context.Context, r *Reference) (Followers, error) {
	if err := a.require(SetUp); err != nil {
		return Followers{}, err
	}
	var q table.Query
	switch r.Kind {
	case Category:
		q = table.Query{Pattern: getProductsInGroup, Values: key.Map{"category": r.ID, "name": ""}}
	case Job:
		q = table.Query{Pattern: getEmployeesByJob, Values: key.Map{"jobID": r.ID, "name": ""}}
	default:
		return Followers{}, nil
	}
	found, err := a.store.page(ctx, q, Page{Limit: MaxLimit})
	return Followers{N: len(found.Rows), More: found.Next != nil}, err
}

// retitleEmployees copies the title of a job to its employees, up to stepItems per
// transaction. Each transaction fails if the job has changed since it was read.
func (a Access) retitleEmployees(ctx context.Context, jobID string) error {
	job, err := a.ReferenceForChange(ctx, Job, jobID)
	if err != nil {
		return err
	}
	items, err := a.store.table.Partition(ctx, getEmployeesByJob, key.Map{"jobID": jobID, "name": ""}, false)
	listed, err := decodeAll(items, err, decodeAs[Employee])
	if err != nil {
		return err
	}
	listed = slices.DeleteFunc(listed, func(e Employee) bool { return e.JobTitle == job.Name })
	for some := range slices.Chunk(listed, stepItems) {
		if err := a.retitle(ctx, job, some); err != nil {
			return err
		}
	}
	return nil
}

func (a Access) retitle(ctx context.Context, job *Reference, listed []Employee) error {
	values := make([]key.Map, len(listed))
	for i := range listed {
		values[i] = key.Map{"employeeID": listed[i].ID}
	}
	items, err := a.store.table.GetExisting(ctx, getEmployee, values, true) // read the items from the table, because the index is updated with a delay
	employees, err := decodeAll(items, err, decodeAs[Employee])
	if err != nil {
		return err
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return err
	}
	c.Check(job, job.Version)
	for i := range employees {
		if e := &employees[i]; e.JobID == job.ID && e.JobTitle != job.Name {
			e.JobTitle = job.Name
			c.replaceNext(e, &e.Version)
		}
	}
	return c.Commit(ctx)
}

func referencePartition(kind ReferenceKind, id string) string {
	return referenceDesigns[kind].prefix + "#" + id
}
