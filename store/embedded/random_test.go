package embedded_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var (
	operations = flag.Int("operations", 1500, "number of random operations")
	seed       = flag.Uint64("seed", 0, "seed of the random operations; 0 for a random one")
)

// TestRandomOperations_MatchModel makes random writes and queries. The engine must give the
// same results as the model. If STOCKROOM_TEST_ENDPOINT is set, the engine at that address
// is tested as well.
func TestRandomOperations_MatchModel(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d -operations %d", *seed, *operations)
	db := openShop(t)
	engines := map[string]client{"engine": bothWays{db, t}}
	if endpoint := os.Getenv(endpointVariable); endpoint != "" {
		engines[endpoint] = connect(t, endpoint)
	}
	r := &randomizer{Rand: rand.New(rand.NewPCG(*seed, 0))}
	m := newModel()
	returned := 0
	for i := range *operations {
		description := ""
		if r.IntN(3) == 0 {
			q := r.modelQuery()
			description = fmt.Sprintf("%+v", q)
			want := m.query(q)
			returned += len(want)
			for name, engine := range engines {
				got, err := runQuery(t.Context(), engine, q)
				if err != nil || !slices.EqualFunc(got, want, sameItem) {
					t.Errorf("%s: got %v, %v\nwant %v", name, show(got), err, show(want))
				}
			}
		} else {
			changes := r.changes()
			description = fmt.Sprintf("%+v", changes)
			want := m.apply(changes...)
			for name, engine := range engines {
				got, err := write(t.Context(), engine, changes)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s: got failed conditions %v, %v; want %v", name, got, err, want)
				}
				for _, c := range changes {
					out, err := engine.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: c.key, ConsistentRead: aws.Bool(true)})
					if err != nil || !sameItem(out.Item, m.items[keyText(c.key)]) {
						t.Errorf("%s: got item %v, %v; want %v", name, show(out.Item), err, show(m.items[keyText(c.key)]))
					}
				}
			}
		}
		if t.Failed() {
			t.Fatalf("operation %d: %s", i, description)
		}
	}
	if returned < *operations {
		t.Errorf("queries returned %d items, want at least %d", returned, *operations)
	}
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}

// sameItem reports whether two items are equal. A nil item equals an empty one, because
// both mean that the item does not exist.
func sameItem(a, b item) bool { return len(a) == len(b) && show(a) == show(b) }

// randomizer makes random operations. It uses few keys, so that operations affect
// each other.
type randomizer struct {
	*rand.Rand
	total int // number of values of Total; makes each value unique, so that the order of items is defined
}

func (r *randomizer) key() item {
	pk := r.IntN(4)
	return key(fmt.Sprintf("c#%d", pk), fmt.Sprintf("o#%02d#%d", r.IntN(40), pk))
}

func (r *randomizer) status() string { return []string{"OPEN", "SHIPPED", "CANCELLED"}[r.IntN(3)] }

func (r *randomizer) nextTotal() types.AttributeValue {
	r.total++
	return n(r.IntN(1000)*1_000_000 + r.total)
}

func (r *randomizer) item() item {
	it := with(r.key(), "Name", s(fmt.Sprint("name ", r.IntN(1000))))
	if r.IntN(4) > 0 {
		it["Status"] = s(r.status())
	}
	if r.IntN(4) > 0 {
		it["Total"] = r.nextTotal()
	}
	if r.IntN(3) == 0 {
		it["Quantity"] = n(r.IntN(20))
	}
	return it
}

// changes returns one write, or several writes for a transaction.
func (r *randomizer) changes() []change {
	count := 1
	if r.IntN(4) == 0 {
		count = 2 + r.IntN(4)
	}
	var changes []change
	for len(changes) < count {
		c := r.change(count > 1)
		if !slices.ContainsFunc(changes, func(other change) bool { return keyText(other.key) == keyText(c.key) }) {
			changes = append(changes, c)
		}
	}
	return changes
}

func (r *randomizer) change(inTransaction bool) change {
	var c change
	switch kind := r.IntN(8); {
	case kind < 3:
		c = change{kind: putChange, put: r.item()}
		c.key = key(text(c.put["PK"]), text(c.put["SK"]))
	case kind < 6:
		c = r.update()
		c.kind, c.key = updateChange, r.key()
	case kind == 6 && inTransaction:
		c = change{kind: checkChange, key: r.key(), condition: r.condition()}
	default:
		c = change{kind: deleteChange, key: r.key()}
	}
	if c.condition == nil && r.IntN(2) == 0 {
		c.condition = r.condition()
	}
	return c
}

func (r *randomizer) update() change {
	switch r.IntN(5) {
	case 0:
		status := r.status()
		return change{update: "SET #s = :status", values: item{":status": s(status)}, result: func(it item) item {
			it["Status"] = s(status)
			return it
		}}
	case 1:
		total := r.nextTotal()
		return change{update: "SET #t = :total, #n = if_not_exists(#n, :none)", values: item{":total": total, ":none": s("none")}, result: func(it item) item {
			it["Total"] = total
			if it["Name"] == nil {
				it["Name"] = s("none")
			}
			return it
		}}
	case 2:
		return change{update: "SET Cleared = :yes REMOVE #s, #t", values: item{":yes": n(1)}, result: func(it item) item {
			it["Cleared"] = n(1)
			delete(it, "Status")
			delete(it, "Total")
			return it
		}}
	case 3:
		name := s(fmt.Sprint("name ", r.IntN(1000)))
		return change{update: "SET #n = :name REMOVE Quantity", values: item{":name": name}, result: func(it item) item {
			it["Name"] = name
			delete(it, "Quantity")
			return it
		}}
	}
	more := 1 + r.IntN(5)
	return change{update: "ADD Quantity :more", values: item{":more": n(more)}, result: func(it item) item {
		it["Quantity"] = n(quantityOf(it["Quantity"]) + more)
		return it
	}}
}

func (r *randomizer) condition() *condition {
	switch r.IntN(5) {
	case 0:
		return &condition{expression: "attribute_not_exists(PK)", holds: func(it item) bool { return it == nil }}
	case 1:
		return &condition{expression: "attribute_exists(PK) AND attribute_not_exists(#t)", holds: func(it item) bool { return it != nil && it["Total"] == nil }}
	case 2:
		status := r.status()
		return &condition{"#s = :is OR attribute_not_exists(#s)", item{":is": s(status)}, func(it item) bool { return it["Status"] == nil || text(it["Status"]) == status }}
	case 3:
		minimum := r.IntN(20)
		return &condition{"Quantity >= :least", item{":least": n(minimum)}, func(it item) bool { return it["Quantity"] != nil && quantityOf(it["Quantity"]) >= minimum }}
	}
	return &condition{"NOT contains(#n, :digit)", item{":digit": s("7")}, func(it item) bool { return !strings.Contains(text(it["Name"]), "7") }}
}

func (r *randomizer) modelQuery() modelQuery {
	q := modelQuery{backward: r.IntN(2) == 0, limit: 1 + r.IntN(12), partition: fmt.Sprintf("c#%d", r.IntN(4))}
	switch r.IntN(4) {
	case 1:
		q.index, q.partition = "ByStatus", r.status()
	case 2:
		q.index, q.partition, q.minimum = "ByTotal", r.status(), r.IntN(1000)*1_000_000
		return q
	case 3:
		q.index, q.minimum = "Dearest", r.IntN(1000)*1_000_000
		return q
	}
	switch r.IntN(3) {
	case 0:
		q.prefix = fmt.Sprintf("o#%d", r.IntN(4))
	case 1:
		q.from, q.to = fmt.Sprintf("o#%02d", r.IntN(20)), fmt.Sprintf("o#%02d", 20+r.IntN(20))
	}
	return q
}
