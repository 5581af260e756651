package embedded_test

import (
	"os"
	"testing"
)

// contract contains tests of DynamoDB's behavior for each operation, including errors and
// limits. Each test gets an empty shop table. The tests run against the engine, and make
// each Query, GetItem and BatchGetItem twice: for items and for rows. If
// STOCKROOM_TEST_ENDPOINT is set, they also run against the engine at that address, which
// shows whether the tests themselves are right.
var contract = []struct {
	name string
	test func(*testing.T, client)
}{
	{"put get delete", putGetDelete},
	{"get projection", getProjection},
	{"write conditions", writeConditions},
	{"update return values", updateReturnValues},
	{"invalid items", invalidItems},
	{"invalid keys", invalidKeys},
	{"invalid requests", invalidRequests},
	{"query ranges", queryRanges},
	{"query pages", queryPages},
	{"limit applies before filter", limitAppliesBeforeFilter},
	{"query select", querySelect},
	{"query page size", queryPageSize},
	{"invalid queries", invalidQueries},
	{"scan returns each item once", scanReturnsEachItemOnce},
	{"invalid scans", invalidScans},
	{"item collection metrics", itemCollectionMetrics},
	{"transaction is atomic", transactionIsAtomic},
	{"transaction cancellation reasons", transactionReasons},
	{"invalid transactions", invalidTransactions},
	{"transact get", transactGetItems},
	{"batch write and get", batchWriteAndGet},
	{"invalid batches", invalidBatches},
	{"batch get size limit", batchGetSizeLimit},
	{"index updates", indexUpdates},
	{"equal index keys", equalIndexKeys},
	{"read capacity", readCapacity},
	{"write capacity", writeCapacity},
	{"tags", tagging},
	{"update of a missing item", updateOfMissingItem},
	{"legacy key conditions", legacyKeyConditions},
	{"legacy filters", legacyFilters},
	{"legacy conditions", legacyConditions},
	{"legacy updates", legacyUpdates},
	{"invalid legacy parameters", invalidLegacyParameters},
}

func TestContract(t *testing.T) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			t.Run("engine", func(t *testing.T) { c.test(t, bothWays{openShop(t), t}) })
			if endpoint := os.Getenv(endpointVariable); endpoint != "" {
				t.Run("endpoint", func(t *testing.T) { c.test(t, connect(t, endpoint)) })
			}
		})
	}
}
