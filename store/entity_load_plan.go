package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/spill"
	"stockroom/store/table"
)

// Plan contains what a dry run would have inserted so far. If all calls of Load in a dry
// run share a Plan, their outcomes are the same as those of an import, except for totals
// and quotas; see OutcomeNotCompared. A Plan contains only digests, and moves them to a
// temporary file when there are planInMemory in memory. It is safe for concurrent use.
type Plan struct {
	mu    sync.Mutex
	seed  maphash.Seed
	facts *spill.Map
}

// planInMemory is the maximum number of digests in memory.
const planInMemory = 1 << 18

// NewPlan returns an empty plan for a dry run. folder is the folder for its temporary
// file; "" means the system's folder.
func NewPlan(folder string) *Plan {
	return &Plan{seed: maphash.MakeSeed(), facts: spill.NewMap(folder, planInMemory)}
}

// Close deletes the temporary file. The plan can be nil.
func (p *Plan) Close() error {
	if p == nil {
		return nil
	}
	return p.facts.Close()
}

// The kinds of facts in a plan. The key of a fact is a digest of its kind and of the key or
// ID that the fact is about.
const (
	planItem   = "item"   // the digest of the item
	planEmail  = "email"  // the digest of the email address of a person
	planBuyer  = "buyer"  // the digest of the customer of an order
	planStatus = "status" // the digest of the status of an order
)

func (p *Plan) get(fact, of string) (digest uint64, found bool, err error) {
	if p == nil {
		return 0, false, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.facts.Get(p.digest(fact, of))
}

func (p *Plan) set(fact, of string, digest uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.facts.Set(p.digest(fact, of), digest)
}

func (p *Plan) digest(texts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, text := range texts {
		writeText(&h, text)
	}
	return h.Sum64()
}

// add adds a row that a dry run would have inserted.
func (p *Plan) add(row *loadRow) error {
	if p == nil {
		return nil
	}
	err := p.set(planItem, row.place, p.digestOf(row.item))
	if person, ok := identityOf(row.entity); ok && err == nil {
		err = p.set(planEmail, row.place, p.digest(strings.ToLower(person.email)))
	}
	if o, ok := row.entity.(*Order); ok && err == nil {
		err = errors.Join(p.set(planBuyer, o.ID, p.digest(o.CustomerID)), p.set(planStatus, o.ID, p.digest(string(o.Status))))
	}
	return err
}

// Has reports whether the plan has an item with the key of an entity.
func (p *Plan) Has(e Entity) (bool, error) {
	if p == nil {
		return false, nil
	}
	item, err := Encode(e, 1)
	if err != nil {
		return false, err
	}
	_, found, err := p.get(planItem, table.KeyString(item))
	return found, err
}

// Order reports whether the plan has an order with this ID, whether it belongs to the
// customer, and whether it is cancelled.
func (p *Plan) Order(id, customerID string) (found, sameCustomer, cancelled bool, err error) {
	buyer, found, err := p.get(planBuyer, id)
	if err != nil || !found {
		return false, false, false, err
	}
	status, _, err := p.get(planStatus, id)
	return true, buyer == p.digest(customerID), status == p.digest(string(OrderCancelled)), err
}

// digestOf returns a digest of an item. It ignores the version and attributes for which
// isOfTable returns true.
func (p *Plan) digestOf(item Item) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if name != table.AttrVersion && !isOfTable(item, name) {
			writeText(&h, name)
			writeValue(&h, item[name])
		}
	}
	return h.Sum64()
}

func writeText(h *maphash.Hash, text string) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(text)))
	_, _ = h.Write(size[:]) // writing to a Hash never fails
	_, _ = h.WriteString(text)
}

func writeValue(h *maphash.Hash, value types.AttributeValue) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		writeText(h, "S")
		writeText(h, v.Value)
	case *types.AttributeValueMemberN:
		writeText(h, "N")
		writeText(h, v.Value)
	case *types.AttributeValueMemberM:
		writeText(h, "M")
		for _, name := range slices.Sorted(maps.Keys(v.Value)) {
			writeText(h, name)
			writeValue(h, v.Value[name])
		}
	case *types.AttributeValueMemberL:
		writeText(h, "L")
		for _, element := range v.Value {
			writeValue(h, element)
		}
	default:
		writeText(h, fmt.Sprintf("%T%v", v, v)) // other types have no nested values
	}
}
