package embedded_test

import (
	"os"
	"testing"
)

// contract is what every DynamoDB does, one test for each operation with its
// errors and limits. The engine is held to it and, to know that it is right,
// the one at STOCKROOM_TEST_ENDPOINT, if there is one. Each test gets an empty
// shop table.
var contract = []struct {
	name string
	test func(*testing.T, client)
}{
	{"put get delete", putGetDelete},
	{"projection of get", projectionOfGet},
	{"conditions of writes", conditionsOfWrites},
	{"update returns what is asked", updateReturnsWhatIsAsked},
	{"items that are refused", itemsThatAreRefused},
	{"keys that are refused", keysThatAreRefused},
	{"requests that are refused", requestsThatAreRefused},
	{"query ranges", queryRanges},
	{"pages join in both directions", pagesJoinInBothDirections},
	{"limit counts before the filter", limitCountsBeforeTheFilter},
	{"select", selects},
	{"page ends at a megabyte", pageEndsAtAMegabyte},
	{"queries that are refused", queriesThatAreRefused},
	{"scan reads everything once", scanReadsEverythingOnce},
	{"scans that are refused", scansThatAreRefused},
	{"item collection metrics", itemCollectionMetrics},
	{"transaction is whole or nothing", transactionIsWholeOrNothing},
	{"transaction says which action is invalid", transactionSaysWhichActionIsInvalid},
	{"transactions that are refused", transactionsThatAreRefused},
	{"transact get", transactGet},
	{"batches", batches},
	{"batches that are refused", batchesThatAreRefused},
	{"batch get stops at 16 MB", batchGetStopsAt16MB},
	{"index follows its items", indexFollowsItsItems},
	{"equal index keys stay apart", equalIndexKeysStayApart},
	{"read capacity", readCapacity},
	{"write capacity", writeCapacity},
}

func TestContract(t *testing.T) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			t.Run("engine", func(t *testing.T) { c.test(t, openShop(t)) })
			if endpoint := os.Getenv(endpointVariable); endpoint != "" {
				t.Run("endpoint", func(t *testing.T) { c.test(t, connect(t, endpoint)) })
			}
		})
	}
}
