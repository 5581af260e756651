package exchange

import (
	"fmt"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// accountPrefix begins the partitions of accounts.
const accountPrefix = "ACC#"

// normaliseSubscription puts what the keys of a subscription say, and what a
// published sample calls otherwise, where readers of this table look for it.
// What an attribute says wins over the key.
func normaliseSubscription(item store.Item) {
	if item["Created"] == nil && item["CreatedDate"] != nil {
		item["Created"] = item["CreatedDate"]
	}
	delete(item, "CreatedDate")
	id, sku, _ := strings.Cut(strings.TrimPrefix(text(item, "SK"), "SUB#"), "#SKU#")
	sku = skuOf(item, sku)
	setText(item, "SK", "SUB#"+id+"#SKU#"+sku)
	if item["NextAttemptDate"] == nil && item["NextPaymentDate"] != nil {
		item["NextAttemptDate"] = item["NextPaymentDate"]
	}
	if item["Status"] == nil {
		setText(item, "Status", string(store.SubscriptionActive))
	}
}

// normaliseReceipt gives a receipt the key that it has here: the day on which
// it was due. A published sample has the time of processing in its key, once
// mistyped: there the attribute says on which day it was.
func normaliseReceipt(item store.Item) {
	date, rest, _ := strings.Cut(strings.TrimPrefix(text(item, "SK"), "REC#"), "#SKU#")
	sku, id, ours := strings.Cut(rest, "#SUB#")
	if said := text(item, "ProcessedDate"); !ours && said != "" {
		date = said
	}
	if day, err := store.ParseTime(date); err == nil {
		date = day.Format(key.Day)
	}
	setText(item, "SK", "REC#"+date+"#SKU#"+skuOf(item, sku)+"#SUB#"+id)
}

// skuOf is the SKU that an item says, or else its key.
func skuOf(item store.Item, inKey string) string {
	if said := text(item, "SKU"); said != "" {
		return said
	}
	if inKey != "" {
		setText(item, "SKU", inKey)
	}
	return inKey
}

// checkAccountKey says what in the sort key of something of an account cannot
// stand there. Which subscription a receipt is of may be found out later.
func checkAccountKey(item store.Item) (reason string) {
	sk := text(item, "SK")
	if rest, found := strings.CutPrefix(sk, "REC#"); found {
		date, rest, _ := strings.Cut(rest, "#SKU#")
		sku, id, _ := strings.Cut(rest, "#SUB#")
		if _, err := store.ParseTime(date); err != nil {
			return fmt.Sprintf("The receipt says no day on which it was processed: its key is %q.", sk)
		}
		if id == "" {
			id = store.UnknownSubscription
		}
		return firstWrong(sk, sku, id)
	}
	id, sku, _ := strings.Cut(strings.TrimPrefix(sk, "SUB#"), "#SKU#")
	return firstWrong(sk, sku, id)
}

func firstWrong(sk string, ids ...string) (reason string) {
	for _, id := range ids {
		if err := key.CheckID(id); err != nil {
			return fmt.Sprintf("The key SK is %q: %v.", sk, err)
		}
	}
	return ""
}

// nameSubscriptions gives receipts that name no subscription the account's
// only one to their SKU, where there is exactly one.
func nameSubscriptions(all []*found) {
	type to struct{ account, sku string }
	known := map[to][]string{}
	for _, f := range all {
		if s, ok := f.entity.(*store.Subscription); ok {
			known[to{s.AccountID, s.SKU}] = append(known[to{s.AccountID, s.SKU}], s.ID)
		}
	}
	for _, f := range all {
		r, ok := f.entity.(*store.Receipt)
		if !ok || r.SubscriptionID != "" {
			continue
		}
		r.SubscriptionID = store.UnknownSubscription
		if ids := known[to{r.AccountID, r.SKU}]; len(ids) == 1 {
			r.SubscriptionID = ids[0]
		}
	}
}
