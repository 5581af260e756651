package store_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/key"
)

// published is an access pattern in testdata/access-patterns.json.
type published struct {
	System, Name, Index, Operation, PK, SK, Order string
}

func publishedPatterns(t *testing.T) map[string]published {
	t.Helper()
	data, err := os.ReadFile("testdata/access-patterns.json")
	if err != nil {
		t.Fatal(err)
	}
	var catalogue struct{ Patterns []published }
	if err := json.Unmarshal(data, &catalogue); err != nil {
		t.Fatal(err)
	}
	rows := map[string]published{}
	for _, row := range catalogue.Patterns {
		rows[row.Name] = row
	}
	return rows
}

// addedPatterns are the patterns that are not in testdata/access-patterns.json.
var addedPatterns = map[string]bool{
	"getAccessToken": true, "getAccessTokensByUser": true,
	"getSessionKeys": true, "getProviderIdentity": true, "getSecondFactor": true, "getSecondFactorByHandle": true, "getEventsOfThing": true, "getEventByEventId": true,
	"getPartition": true, "getPartitionOfGSI1": true, "getPartitionOfGSI2": true, "getPartitionOfGSI3": true,
	"getPartitionOfGSI4": true, "getPartitionOfGSI5": true, "getPartitionOfGSI6": true,
	"getStoreByStoreULID": true, "getInventoryItemByStore": true, "getRentalByRentalULID": true,
	"getCurrentEmployeeByStore": true, "getEmploymentByEmploymentULID": true, "getEmploymentByStoreNewestFirst": true, "getEmploymentByPersonNewestFirst": true, "getPersonByPersonULID": true, "getSamePersonByPersonId": true,
	"getOrderByOrderIdAndCustomerId": true, "getInvoiceByOrderIdAndInvoiceId": true, "getShipmentByOrderIdAndShipmentId": true, "getInvoiceByNumber": true, "getCreditNoteByCreditNoteId": true, "getCreditNoteByNumber": true, "getCreditNotesByOrderId": true, "getCreditNotesByCustomerIdForDateRange": true, "getNumberSeries": true, "getLogo": true, "getEmailedViews": true, "getRecordsByWords": true, "getStockCountByProductId": true, "getStockSlotByProductId": true, "getQuotaByEmployeeIdAndPeriod": true, "getQuotaSlotsByEmployeeIdAndPeriod": true,
	"getOutOfStock": true, "getStockMovesForIdRange": true, "getShippedStockMovesByWarehouse": true, "getShippedItemsByProductAndWarehouse": true, "getShippedItemsByWarehouse": true, "getExpectedDeliveryById": true, "getExpectedDeliveriesByWarehouse": true, "getExpectedDeliveriesByProduct": true, "getExpectedDeliveriesByProductAndWarehouse": true,
	"getStockByWarehouseAndBin": true, "getCountById": true, "getCountsByWarehouse": true, "getCountRows": true,
	"getRentalPaymentsByStoreAndDay": true, "getRentalPaymentByStoreAndDay": true, "getUnpaidRentalsByStore": true, "getRentalPaymentsByPerson": true, "getRentalPaymentsByPersonAndStore": true,
	"getBookingByBookingULID": true, "getOpenBookingsByInventory": true, "getBookingsByPersonNewestFirst": true, "getBookingDaysByStoreAndWeek": true,
	"getBookingsByStoreAndStatusForDateRange": true, "getBookingsByStoreForDateRange": true,
	"getCountRowByNumber": true, "getCountRowByProduct": true,
	"getActiveRentalByStorePersonAndKayak": true, "getTransferById": true, "getTransfersByTarget": true, "getTransfersBySource": true, "getTransfersByProduct": true, "getTransfersByProductAndTarget": true,
	"getSubscriptionBySubscriptionId": true, "getAccountByAccountId": true, "getReceiptByDueDate": true, "getJobRunByShard": true, "getEmailByEmailId": true, "getCardLinkByLinkId": true, "getPasswordLinkByLinkId": true, "getEmailsByStatusForDateRange": true, "getEmailsByCustomerId": true, "getJobResults": true, "getJobFailures": true, "getJobCounts": true, "getJobTotals": true, "getJobBacklog": true, "getSubscriptionsByStatusForDateRange": true, "getLease": true, "getCheckReport": true, "getErasureReport": true, "getCostsByMonth": true, "getCostsByDayAndSlot": true, "getImportedEventsByDay": true, "getNewsByMonth": true, "getVisitByUser": true, "getAuditSealsByYear": true, "getAuditSealByDay": true, "getBulkChangesByUser": true, "getBulkChangesByMonth": true, "getBulkChangeById": true, "getBulkRows": true, "getBulkFailures": true, "getBulkSkipped": true, "getImports": true, "getImportByImportId": true, "getImportMappingByHeader": true,
	"getViewByViewId": true, "getCustomersByPhone": true, "getCustomersBySecondPhone": true, "getCustomersByThirdPhone": true, "getQuotasByEmployeeId": true, "getReferenceByKindAndId": true, "getFormerCategories": true, "getFormerCategoryByCategoryId": true,
}

func TestPatterns_MatchPublishedCatalogue(t *testing.T) {
	rows := publishedPatterns(t)
	for i := range store.Patterns {
		p := &store.Patterns[i]
		if addedPatterns[p.Name] {
			continue
		}
		got := published{System: p.System, Name: p.Name, Index: p.Index, Operation: string(p.Operation), PK: p.PK.String(), SK: p.SK.String()}
		if p.Sharded {
			got.Operation += " (x N)"
		}
		if p.Newest {
			got.Order = "descending"
		}
		if want := rows[p.Name]; got != want {
			t.Errorf("%s differs from the published pattern:\n got %+v\nwant %+v", p.Name, got, want)
		}
	}
}

func TestPatterns_IncludePublishedOnes(t *testing.T) {
	for name := range publishedPatterns(t) {
		if _, there := store.PatternByName(name); !there {
			t.Errorf("got no pattern %s, want it", name)
		}
	}
}

func TestPatternNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for i := range store.Patterns {
		if seen[store.Patterns[i].Name] {
			t.Errorf("got the pattern %s twice, want it once", store.Patterns[i].Name)
		}
		seen[store.Patterns[i].Name] = true
	}
}

func TestPatternKeys(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		values  map[string]string
		want    string
	}{
		{"getOrdersByStatusForDateRange", map[string]string{"shard": "3", "status": "OPEN", "from": "2026-11-01T00:00:00Z", "to": "2026-11-30T23:59:59Z"}, "orders#3 between OPEN#2026-11-01T00:00:00Z OPEN#2026-11-30T23:59:59Z~"},
		{"getCustomers", map[string]string{"bucket": "m", "name": "mar"}, "customers#m begins_with mar "},
		{"getCustomers", map[string]string{"bucket": "m"}, "customers#m   "}, // all names of the bucket
		{"getProductInventoryByWarehouseId", map[string]string{"warehouseID": "12345"}, "w#12345 begins_with p# "},
		{"getShipmentDetailsByShipmentId", map[string]string{"shipmentID": "88899"}, "sh#88899   "},
		{"getInvoiceByInvoiceId", map[string]string{"invoiceID": "55443"}, "i#55443 = i#55443 "},
	} {
		c, err := pattern(t, tt.pattern).Condition(key.Map(tt.values))
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
		}
		if got := strings.Join([]string{c.PK, c.Operator, c.SK, c.To}, " "); got != tt.want {
			t.Errorf("%s: got key condition %q, want %q", tt.pattern, got, tt.want)
		}
	}
	if _, err := pattern(t, "getOrderDetailsByOrderId").Condition(key.Map{}); err == nil || !strings.Contains(err.Error(), "orderID") {
		t.Errorf("missing value: got %v, want an error that names it", err)
	}
}

func pattern(t *testing.T, name string) *store.Pattern {
	t.Helper()
	p, found := store.PatternByName(name)
	if !found {
		t.Fatalf("got no access pattern %s, want it", name)
	}
	return p
}
