package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// idPrefixes contains the prefixes for the IDs of people, by kind of person.
type idPrefixes map[string]string

// The kinds of people whose IDs can get a prefix.
const (
	prefixEmployee = "employee"
	prefixCustomer = "customer"
	prefixPerson   = "person"
)

// prefixedColumns lists the columns with IDs of people, and the kind of person.
var prefixedColumns = map[string]string{
	"EmployeeID": prefixEmployee, "AccountRepID": prefixEmployee, "ManagerID": prefixEmployee,
	"CustomerID": prefixCustomer, "AccountID": prefixCustomer,
	"PersonID": prefixPerson, "Others": prefixPerson,
}

// prefixedPartitions lists the prefixes of partition keys that end with the ID of a
// person.
var prefixedPartitions = map[string]string{
	"c#": prefixCustomer, accountPrefix: prefixCustomer, "e#": prefixEmployee, "v1#person#personULID#": prefixPerson,
}

// parseIDPrefixes parses prefixes such as employee=emp-,customer=c-. A prefix
// without a kind is for employees.
func parseIDPrefixes(text string) (idPrefixes, error) {
	prefixes := idPrefixes{}
	if text == "" {
		return prefixes, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		who, prefix, named := strings.Cut(strings.TrimSpace(part), "=")
		if !named {
			who, prefix = prefixEmployee, who
		}
		if !slices.Contains([]string{prefixEmployee, prefixCustomer, prefixPerson}, who) || prefixes[who] != "" {
			return nil, &FileError{File: "ID prefix", Reason: fmt.Sprintf("%s is not valid; use a prefix for employees, such as emp-, or employee=emp-,customer=c-,person=p-", store.Quoted(text))}
		}
		prefixes[who] = prefix
	}
	return prefixes, nil
}

// CheckIDPrefix returns an error if Open would reject the prefix.
func CheckIDPrefix(text string) error {
	_, err := parseIDPrefixes(text)
	var invalid *FileError
	if errors.As(err, &invalid) {
		return errors.New(invalid.Reason)
	}
	return err
}

// apply adds prefixes to the IDs of people in a file. In the table, an ID belongs to one
// person only. Without prefixes, a customer and an employee with the same ID would become
// one person.
func (p idPrefixes) apply(batches Batches) Batches {
	if len(p) == 0 {
		return batches
	}
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil {
				batch = p.batch(batch)
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

func (p idPrefixes) batch(b *Batch) *Batch {
	prefixed := &Batch{Rejected: b.Rejected, Exported: b.Exported, consistent: b.consistent}
	for _, id := range b.employees {
		prefixed.employees = append(prefixed.employees, p[prefixEmployee]+id)
	}
	for i, entity := range b.Entities {
		e, reason := p.entity(entity)
		if reason != "" {
			prefixed.Rejected = append(prefixed.Rejected, RejectedRow{b.Rows[i], reason})
			continue
		}
		prefixed.Entities, prefixed.Rows = append(prefixed.Entities, e), append(prefixed.Rows, b.Rows[i])
	}
	return prefixed
}

// entity returns the entity with prefixes in its IDs. It encodes the entity, changes the
// IDs, and decodes it again.
func (p idPrefixes) entity(e store.Entity) (prefixed store.Entity, reason string) {
	s, found := sheetOf(e.EntityType())
	if !found {
		return e, ""
	}
	item, err := store.Encode(e, 1)
	if err != nil {
		return nil, err.Error()
	}
	v := rowValues{key.Map{}, item}
	for i := range s.columns {
		c := &s.columns[i]
		if prefix := p[prefixedColumns[c.name]]; prefix != "" && c.kind == store.Texts {
			if reason := prefixList(item, c, prefix); reason != "" {
				return nil, reason
			}
			continue
		}
		value := e.KeyValue(c.keyName)
		if c.keyName == "" {
			value = textAt(item, c.path)
		}
		if prefix := p[prefixedColumns[c.name]]; value != "" && prefix != "" {
			value = prefix + value
			if reason := invalidID(c.name, value); reason != "" {
				return nil, reason
			}
			if c.path != nil {
				setPath(item, c.path, &types.AttributeValueMemberS{Value: value})
			}
		}
		if c.keyName == "partition" {
			value = p.partition(value)
		}
		if c.keyName != "" {
			v.keys[c.keyName] = value
		}
	}
	s.setKeys(v)
	if prefixed, err = store.Decode(item); err != nil {
		return nil, err.Error()
	}
	return prefixed, ""
}

// prefixList adds a prefix to the IDs in a list of IDs.
func prefixList(item store.Item, c *column, prefix string) (reason string) {
	ids, found := valueAt(item, c.path).(*types.AttributeValueMemberL)
	if !found {
		return ""
	}
	prefixed := &types.AttributeValueMemberL{}
	for _, value := range ids.Value {
		text, isText := value.(*types.AttributeValueMemberS)
		if !isText {
			continue // cannot happen: encoding writes only strings
		}
		id := prefix + text.Value
		if reason := invalidID(c.name, id); reason != "" {
			return reason
		}
		prefixed.Value = append(prefixed.Value, &types.AttributeValueMemberS{Value: id})
	}
	setPath(item, c.path, prefixed)
	return ""
}

// partition returns the partition key of an event with the prefix in the ID. If the IDs
// of the partition have no prefix, it returns pk unchanged.
func (p idPrefixes) partition(pk string) string {
	for start, who := range prefixedPartitions {
		if id, found := strings.CutPrefix(pk, start); found {
			return start + p[who] + id
		}
	}
	return pk
}

func textAt(item store.Item, path []string) string {
	if value, ok := valueAt(item, path).(*types.AttributeValueMemberS); ok {
		return value.Value
	}
	return ""
}
