package exchange

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// Naming changes the IDs of people on their way in: one person has one ID
// here, so the IDs of a business that numbered customers and employees apart
// have to be told apart.
type Naming struct {
	Prefix string // before every ID of a person, "" for none
}

// ofPeople are the columns that hold IDs of people.
var ofPeople = []string{"CustomerID", "AccountRepID", "AccountID", "EmployeeID", "ManagerID", "PersonID"}

// partitionsOfPeople begin keys that go on with the ID of a person.
var partitionsOfPeople = []string{"c#", "e#", accountPrefix, "v1#person#personULID#"}

// applied names everybody in a file anew.
func (n Naming) applied(portions Portions) Portions {
	if n.Prefix == "" {
		return portions
	}
	return func(yield func(*Import, error) bool) {
		for portion, err := range portions {
			if err == nil {
				portion = n.portion(portion)
			}
			if !yield(portion, err) {
				return
			}
		}
	}
}

func (n Naming) portion(old *Import) *Import {
	named := &Import{Refused: old.Refused, Ours: old.Ours}
	for i, entity := range old.Entities {
		renamed, reason := n.entity(entity)
		if reason != "" {
			named.Refused = append(named.Refused, Refused{old.Rows[i], reason})
			continue
		}
		named.Entities, named.Rows = append(named.Entities, renamed), append(named.Rows, old.Rows[i])
	}
	return named
}

// entity is an entity with other IDs: its item is made once more, from what
// it would say in a file.
func (n Naming) entity(e store.Entity) (renamed store.Entity, reason string) {
	s, known := SheetOf(e.EntityType())
	if !known {
		return e, ""
	}
	item, err := store.Encode(e, 1)
	if err != nil {
		return nil, err.Error()
	}
	row := said{key.Map{}, item}
	for i := range s.Columns {
		c := &s.Columns[i]
		id := e.KeyValue(c.value)
		if c.value == "" {
			id = textAt(item, c.path)
		}
		if id != "" && slices.Contains(ofPeople, c.Name) {
			id = n.Prefix + id
			if reason := noKey(c.Name, id); reason != "" {
				return nil, reason
			}
			if c.path != nil {
				put(item, c.path, &types.AttributeValueMemberS{Value: id})
			}
		}
		if c.value == "partition" {
			id = n.partition(id)
		}
		if c.value != "" {
			row.values[c.value] = id
		}
	}
	s.setKeys(row)
	if renamed, err = store.Decode(item); err != nil {
		return nil, err.Error()
	}
	return renamed, ""
}

// partition renames whom an event is about.
func (n Naming) partition(pk string) string {
	for _, prefix := range partitionsOfPeople {
		if id, found := strings.CutPrefix(pk, prefix); found {
			return prefix + n.Prefix + id
		}
	}
	return pk
}

func textAt(item store.Item, path []string) string {
	value, _ := at(item, path).(*types.AttributeValueMemberS)
	if value == nil {
		return ""
	}
	return value.Value
}
