package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// accountPrefix is the prefix of the partition key of a billing account.
const accountPrefix = "ACC#"

// normaliseSubscription converts the item of a subscription in a published sample: it adds
// the prefixes, attributes and defaults that samples lack, and renames attributes. If the
// key and an attribute contradict each other, it uses the attribute.
func normaliseSubscription(item store.Item) {
	if item["Created"] == nil && item["CreatedDate"] != nil {
		item["Created"] = item["CreatedDate"]
	}
	delete(item, "CreatedDate")
	id, sku, _ := strings.Cut(strings.TrimPrefix(text(item, "SK"), "SUB#"), "#SKU#")
	sku = normaliseSKU(item, sku)
	setText(item, "SK", "SUB#"+id+"#SKU#"+sku)
	if item["NextAttemptDate"] == nil && item["NextPaymentDate"] != nil {
		item["NextAttemptDate"] = item["NextPaymentDate"]
	}
	if item["Status"] == nil {
		setText(item, "Status", string(store.SubscriptionActive))
	}
}

// normaliseReceipt converts the sort key of a receipt. In this table, the key contains the
// due day. In published samples, it contains the processing time instead, and one key has a
// wrong time. For a sample, normaliseReceipt uses the day of ProcessedDate as the due day.
func normaliseReceipt(item store.Item) {
	date, sku, id, hasID := cutReceiptKey(text(item, "SK"))
	if processed := text(item, "ProcessedDate"); !hasID && processed != "" {
		date = processed
	}
	if day, err := store.ParseDate(date); err == nil {
		date = day.Format(key.Day)
	}
	setText(item, "SK", "REC#"+date+"#SKU#"+normaliseSKU(item, sku)+"#SUB#"+id)
}

// cutReceiptKey splits a sort key of the form REC#date#SKU#sku#SUB#id. The result hasID
// is false if #SUB# and the ID are missing, as in published samples.
func cutReceiptKey(sk string) (date, sku, id string, hasID bool) {
	date, rest, _ := strings.Cut(strings.TrimPrefix(sk, "REC#"), "#SKU#")
	sku, id, hasID = strings.Cut(rest, "#SUB#")
	return date, sku, id, hasID
}

// normaliseSKU returns the SKU attribute. If the item has none, normaliseSKU first sets it
// to the SKU in the key.
func normaliseSKU(item store.Item, inKey string) string {
	if sku := text(item, "SKU"); sku != "" {
		return sku
	}
	if inKey != "" {
		setText(item, "SKU", inKey)
	}
	return inKey
}

// checkAccountKey returns a reason to reject a subscription or receipt with an invalid sort
// key, or "". The key of a receipt may lack the subscription ID, which completeReceipts
// adds later.
func checkAccountKey(item store.Item) (reason string) {
	sk := text(item, "SK")
	id, sku, _ := strings.Cut(strings.TrimPrefix(sk, "SUB#"), "#SKU#")
	if strings.HasPrefix(sk, "REC#") {
		var date string
		date, sku, id, _ = cutReceiptKey(sk)
		if _, err := store.ParseTime(date); err != nil {
			return fmt.Sprintf("The receipt has no valid date in its key %s. Add a ProcessedDate.", store.Quoted(sk))
		}
		if id == "" {
			id = store.UnknownSubscription
		}
	}
	for _, id := range []string{id, sku} {
		if err := key.CheckID(id); err != nil {
			return fmt.Sprintf("The key SK %s is not valid: %v.", store.Quoted(sk), err)
		}
	}
	return ""
}

// checkPaymentDay returns a reason to reject a subscription that cannot be decoded because
// of its payment day, or "".
func checkPaymentDay(entityType string, item store.Item) (reason string) {
	day := text(item, "PaymentDay")
	if n, err := strconv.Atoi(day); entityType == kindSubscription && err == nil && (n < 1 || n > 31) {
		return fmt.Sprintf("PaymentDay is %d. Use a day from 1 to 31.", n)
	}
	return ""
}

// stateProblem returns a reason to reject a subscription if its status and its dates contradict
// each other. Otherwise, it returns "".
func stateProblem(entity store.Entity) (reason string) {
	s, ok := entity.(*store.Subscription)
	if !ok || s.StateProblem() == "" {
		return ""
	}
	return "The subscription " + s.StateProblem() + ". Correct the row" + orLenient
}

// completeReceipts adds missing subscription IDs to receipts. It looks only at the rows,
// not at the table. If the rows do not contain exactly one subscription of the account to
// the SKU, the ID is store.UnknownSubscription.
func completeReceipts(rows []*parsedRow) {
	type accountSKU struct{ account, sku string }
	subscriptions := map[accountSKU][]string{}
	for _, r := range rows {
		if s, ok := r.entity.(*store.Subscription); ok {
			of := accountSKU{s.AccountID, s.SKU}
			subscriptions[of] = append(subscriptions[of], s.ID)
		}
	}
	for _, r := range rows {
		receipt, ok := r.entity.(*store.Receipt)
		if !ok || receipt.SubscriptionID != "" {
			continue
		}
		receipt.SubscriptionID = store.UnknownSubscription
		if ids := subscriptions[accountSKU{receipt.AccountID, receipt.SKU}]; len(ids) == 1 {
			receipt.SubscriptionID = ids[0]
		}
	}
}
