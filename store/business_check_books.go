package store

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store/table"
)

// books collects the items of one partition for rules that compare them with each other.
// Call findings after the last item of the partition. It returns the violations.
type books interface {
	add(e Entity, item Item)
	findings() []CheckFinding
}

// newBooks returns the books of a partition, or nil if no rule compares its items.
func newBooks(pk string) books {
	switch begins := func(prefix string) bool { return strings.HasPrefix(pk, prefix) }; {
	case begins("o#"):
		return &orderBooks{}
	case begins("p#"):
		return newProductBooks()
	case begins(storePrefix):
		return newStoreBooks()
	case begins("v1#booking#"):
		return &ownedBooks[*Booking]{}
	case begins("ACC#"):
		return &accountBooks{}
	case begins("user#"):
		return &ownedBooks[*User]{}
	case begins("e#"):
		return &ownedBooks[*Employee]{}
	case begins("c#"):
		return &ownedBooks[*Customer]{}
	case begins("w#"):
		return &ownedBooks[*Warehouse]{}
	}
	return nil
}

// maxSameFindings is the maximum number of findings about a missing owner in one
// partition.
const maxSameFindings = 100

// partsWithoutOwner collects the items of a partition that must belong to another item, the
// owner. For example, lines belong to an order. The owner can be the last item that is
// read. findings reports the items if the partition has no owner.
type partsWithoutOwner struct {
	found bool
	parts []partItem
}

// partItem is an item that findings can report.
type partItem struct {
	item  Item // key of the item
	label string
	rule  CheckRule
}

func newPart(rule CheckRule, e Entity, item Item) partItem {
	return partItem{table.KeyOf(item), labelOf(e), rule}
}

func (p *partsWithoutOwner) add(part partItem) {
	if !p.found && len(p.parts) < maxSameFindings {
		p.parts = append(p.parts, part)
	}
}

func (p *partsWithoutOwner) findings(owner string) (found []CheckFinding) {
	if p.found {
		return nil
	}
	for _, part := range p.parts {
		found = append(found, finding(part.rule, part.item, fmt.Sprintf("The %s belongs to the %s %s, which does not exist.", part.label, owner, idInKey(part.item))))
	}
	return found
}

// idInKey returns the ID in a partition key: the text after the last #.
func idInKey(item Item) string {
	pk := table.TextOf(item, table.AttrPK)
	return pk[strings.LastIndexByte(pk, '#')+1:]
}

// ownedBooks collects the items of a partition that must contain an entity of type Owner.
type ownedBooks[Owner Entity] struct{ owned partsWithoutOwner }

func (b *ownedBooks[Owner]) add(e Entity, item Item) {
	switch part := e.(type) {
	case Owner:
		b.owned.found = true
	case *Event:
		var owner Owner
		if _, ofUser := any(owner).(*User); ofUser && (!part.Imported.IsZero() || IsProgram(part.Partition)) {
			return // exports contain no users, and Program is not a user in the table
		}
		b.owned.add(newPart(CheckEvent, part, item))
	case *Quota:
		b.owned.add(newPart(CheckQuotaRep, part, item))
	case *SavedView:
		b.owned.add(newPart(CheckView, part, item))
	}
}

func (b *ownedBooks[Owner]) findings() []CheckFinding {
	var owner Owner
	return b.owned.findings(owner.EntityType())
}

// accountBooks collects the subscriptions and receipts of a billing account.
type accountBooks struct {
	subscriptions []string
	receipts      []partItem // one receipt of each subscription
	of            []string   // the subscription ID of each receipt
}

func (b *accountBooks) add(e Entity, item Item) {
	switch e := e.(type) {
	case *Subscription:
		b.subscriptions = append(b.subscriptions, e.ID)
	case *Receipt:
		if e.SubscriptionID != UnknownSubscription && !slices.Contains(b.of, e.SubscriptionID) {
			b.receipts, b.of = append(b.receipts, newPart(CheckReceipt, e, item)), append(b.of, e.SubscriptionID)
		}
	}
}

func (b *accountBooks) findings() (found []CheckFinding) {
	for i, receipt := range b.receipts {
		if !slices.Contains(b.subscriptions, b.of[i]) {
			found = append(found, finding(receipt.rule, receipt.item, fmt.Sprintf("The %s belongs to the subscription %s, which does not exist.", receipt.label, b.of[i])))
		}
	}
	return found
}
