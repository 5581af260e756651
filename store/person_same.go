package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// SamePerson lists the IDs that a user has joined with the ID of a person, because they are
// about the same person. For example, a customer was added twice. Each of the joined IDs
// has its own SamePerson.
type SamePerson struct {
	ID      string   // ID of a customer, employee or other person
	Others  []string // the joined IDs, sorted; at most MaxSamePerson
	Version int
}

// MaxSamePerson is the maximum number of IDs that can be joined with one ID.
const MaxSamePerson = 5

func (*SamePerson) EntityType() string { return "samePerson" }

func (s *SamePerson) KeyValue(name string) string {
	if name == "personID" {
		return s.ID
	}
	return ""
}

func (s *SamePerson) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "samePerson#", &s.ID)
	a.Texts("Others", &s.Others)
	a.Version(&s.Version)
}

func samePersonPartition(id string) string { return partitionOf(getSamePerson, "personID", id) }

// SamePerson returns the people whose IDs are joined with the ID of a person. It makes two
// requests, or three for a manager of many stores. If there is no record with a joined ID,
// the Renter for this ID has the ID as its name.
func (a Access) SamePerson(ctx context.Context, id string) ([]Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	ids, err := a.store.samePerson(ctx, id)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	records, err := a.personRecords(ctx, ids, false)
	if err != nil {
		return nil, err
	}
	people := make([]Renter, len(ids))
	for i, r := range records {
		people[i] = Renter{ID: r.id, Name: r.id}
		if renter := a.renterOfRecord(r); renter != nil {
			people[i] = *renter
		}
	}
	return people, nil
}

// OthersOf returns the IDs that are joined with the ID of a person.
func (a Access) OthersOf(ctx context.Context, id string) ([]string, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.samePerson(ctx, id)
}

func (s *Store) samePerson(ctx context.Context, id string) ([]string, error) {
	same, err := readOne[*SamePerson](ctx, s, getSamePerson, key.Map{"personID": id})
	if KindOf(err) == NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return same.Others, nil
}

// JoinPeople records that two IDs belong to the same person. If they are already joined, it
// changes nothing. It returns NotFound if an ID has no record or belongs to an employee
// whom the user may not see. It returns Invalid if the IDs are equal, or if one of them is
// joined with too many others.
func (a Access) JoinPeople(ctx context.Context, id, other, token string) error {
	return a.changeSamePerson(ctx, id, other, token, true)
}

// SeparatePeople undoes JoinPeople. It returns NotFound if an ID belongs to an employee
// whom the user may not see, or if an ID has neither a record nor joined IDs. It returns
// Invalid if the IDs are equal.
func (a Access) SeparatePeople(ctx context.Context, id, other, token string) error {
	return a.changeSamePerson(ctx, id, other, token, false)
}

func (a Access) changeSamePerson(ctx context.Context, id, other, token string, join bool) error {
	if err := a.require(EditCustomers); err != nil {
		return err
	}
	if id == other {
		return InvalidField(fieldPerson, "Choose another record. A customer, employee and renter with the same ID are already one person.")
	}
	return retryOnConflict(ctx, func() error {
		records, err := a.personRecords(ctx, []string{id, other}, true)
		if err != nil {
			return err
		}
		for _, r := range records {
			if renter := a.renterOfRecord(r); renter != nil {
				if err := renter.RequireVisible(); err != nil {
					return err
				}
			}
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		for _, r := range records {
			if profile, _ := r.profile(); profile == nil && (join || r.same == nil) {
				return fail(NotFound, "No person found with the ID %s.", r.id)
			}
		}
		changed := 0
		for i, r := range records {
			other := records[1-i].id
			if r.isJoined(other) == join {
				continue
			}
			if err := c.changeSamePerson(r, other, join); err != nil {
				return err
			}
			changed++
		}
		if changed == 0 {
			return nil
		}
		return c.Commit(ctx)
	})
}

// changeSamePerson adds the ID in the argument other to the SamePerson of r, or removes it,
// and records the event. The event does not contain this ID, because the event stays when
// the data of the other person is erased.
func (c *change) changeSamePerson(r personRecord, other string, join bool) error {
	profile, partition := r.profile()
	others := r.same.without(other)
	event := Event{Partition: partition, What: EventPersonSeparated}
	if join {
		others = append(others, other)
		slices.Sort(others)
		event.What = EventPersonJoined
		c.Check(profile, versionOf(profile))
	}
	if join && len(others) > MaxSamePerson {
		return InvalidField(fieldPerson, "%s is already joined with %d records, which is the maximum.", r.id, MaxSamePerson)
	}
	if profile != nil {
		c.recordEvent(event)
	}
	c.saveSamePerson(r.same, SamePerson{ID: r.id, Others: others})
	return nil
}

// saveSamePerson creates, replaces or deletes a SamePerson. It deletes the SamePerson if the
// argument after has no Others. The argument before is nil for a new SamePerson.
func (c *change) saveSamePerson(before *SamePerson, after SamePerson) {
	switch {
	case before == nil:
		after.Version = 1
		c.Create(&after)
	case len(after.Others) == 0:
		c.DeleteVersion(before, before.Version)
	default:
		after.Version = before.Version + 1
		c.Replace(&after, before.Version)
	}
}

func (r *personRecord) isJoined(other string) bool {
	return r.same != nil && slices.Contains(r.same.Others, other)
}

// without returns the joined IDs except the given one. s can be nil.
func (s *SamePerson) without(id string) []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Others), func(other string) bool { return other == id })
}

// separateAll deletes the SamePerson of a person whose data is erased. It also removes the
// person's ID from the SamePerson of each joined ID, so that nobody can find out who the
// person was.
func (a Access) separateAll(ctx context.Context, c *change, same *SamePerson) error {
	c.DeleteVersion(same, same.Version)
	records, err := a.personRecords(ctx, same.Others, true)
	if err != nil {
		return err
	}
	for _, r := range records {
		if !r.isJoined(same.ID) {
			continue
		}
		if _, partition := r.profile(); partition != "" {
			c.recordEvent(Event{Partition: partition, What: EventPersonSeparated})
		}
		c.saveSamePerson(r.same, SamePerson{ID: r.id, Others: r.same.without(same.ID)})
	}
	return nil
}

// personRecord contains the records with one ID. Each of them can be nil.
type personRecord struct {
	id       string
	customer *Customer
	employee *Employee
	person   *Person
	same     *SamePerson
	ownStaff bool // see lookUpOwnStaff
}

// renterOfRecord returns the renter with these records, or nil if there are none.
func (a Access) renterOfRecord(r personRecord) *Renter {
	return a.renterOf(r.id, r.customer, r.employee, r.person, r.ownStaff)
}

func (a Access) personRecords(ctx context.Context, ids []string, consistent bool) ([]personRecord, error) {
	records := make([]personRecord, len(ids))
	var lookups []table.Lookup
	for i, id := range ids {
		r := &records[i]
		r.id = id
		lookups = append(lookups, a.lookUpOwnStaff(ctx, id, &r.ownStaff)...)
		lookups = append(lookups,
			lookUp(getCustomer, key.Map{"customerID": id}, &r.customer),
			lookUp(getEmployee, key.Map{"employeeID": id}, &r.employee),
			lookUp(getPerson, key.Map{"personULID": id}, &r.person),
			lookUp(getSamePerson, key.Map{"personID": id}, &r.same),
		)
	}
	return records, a.store.table.LookUp(ctx, lookups, consistent)
}

// profile returns the record in whose partition the events of the person are, and this
// partition. It returns nil if there is no record.
func (r *personRecord) profile() (Entity, string) {
	partitions := partitionsOfPerson(r.id)
	switch {
	case r.customer != nil:
		return r.customer, partitions[0]
	case r.person != nil:
		return r.person, partitions[1]
	case r.employee != nil:
		return r.employee, partitions[2]
	}
	return nil, ""
}
