// Package storetest tests the store on every available engine. All engines must
// return the same rows, pages and errors. Other packages use storetest to open real
// stores in their tests.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/embedded"
)

// EndpointVariable is the environment variable with the address of another engine
// that has the DynamoDB API. If it is set, tests also run on this engine.
const EndpointVariable = "STOCKROOM_TEST_ENDPOINT"

// TableName is the name of the table in every store on the embedded engine.
const TableName = "OnlineShop"

// Open opens a store with an empty table on the embedded engine, in a temporary
// folder. The store hashes passwords fast.
func Open(t testing.TB, clock *Clock) *store.Store {
	t.Helper()
	return OpenTable(t, Embedded(t, clock), TableName, clock)
}

// OpenSynced is like Open, for benchmarks: every commit is synced, as in production.
func OpenSynced(t testing.TB, clock *Clock) *store.Store {
	t.Helper()
	db, err := embedded.Open(t.TempDir(), clock.Now, embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return OpenTable(t, db, TableName, clock)
}

// Embedded opens the embedded engine in a temporary folder. A store on this engine
// must use the same clock.
func Embedded(t testing.TB, clock *Clock) *embedded.DB {
	t.Helper()
	return EmbeddedAt(t, t.TempDir(), clock)
}

// EmbeddedAt opens the embedded engine in a folder. The test may close the engine
// itself.
func EmbeddedAt(t testing.TB, folder string, clock *Clock) *embedded.DB {
	t.Helper()
	db, err := OpenEmbedded(folder, clock)
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() {
		if err := db.Close(); err != nil && !errors.Is(err, embedded.ErrClosed) {
			t.Error(err)
		}
	})
	return db
}

// OpenEmbedded is like EmbeddedAt, for a process that a test starts. It does not sync
// writes to disk. Tests kill the process but not the machine, so no write is lost.
func OpenEmbedded(folder string, clock *Clock) (*embedded.DB, error) {
	return embedded.Open(folder, clock.Now, embedded.Options{NoSync: true})
}

// OpenTable creates a table and opens its store, which hashes passwords fast.
func OpenTable(t testing.TB, db store.DB, table string, clock *Clock) *store.Store {
	t.Helper()
	s := openExisting(db, table, clock)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func openExisting(db store.DB, table string, clock *Clock) *store.Store {
	s := store.New(db, table, clock.Now)
	s.WeakenPasswords()
	s.WaitForTouches()
	return s
}

// tables counts the tables of tests, to give each table a unique name.
var tables atomic.Int64

// OnEachEngine runs a test with an empty table on the embedded engine, and on the
// engine at EndpointVariable, if set. Both runs are parallel to each other and to
// other tests.
func OnEachEngine(t *testing.T, test func(t *testing.T, s *store.Store, clock *Clock)) {
	OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *Clock) {
		test(t, OpenTable(t, db, table, clock), clock)
	})
}

// OnEachTable runs a test on the same engines as OnEachEngine, but without a table, for
// tests that create the table themselves.
func OnEachTable(t *testing.T, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	onEachTable(t, Embedded, test)
}

// OnEachTableInVirtualTime is like OnEachTable, but on the embedded engine, pauses take no
// time: the test runs in the virtual time of package synctest. It must not use the network
// or call t.Run.
func OnEachTableInVirtualTime(t *testing.T, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { onEmbedded(t, Embedded, test) })
	})
	onEndpoint(t, test)
}

func onEachTable(t *testing.T, openEmbedded func(testing.TB, *Clock) *embedded.DB, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		onEmbedded(t, openEmbedded, test)
	})
	onEndpoint(t, test)
}

func onEmbedded(t *testing.T, openEmbedded func(testing.TB, *Clock) *embedded.DB, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	clock := NewClock()
	test(t, openEmbedded(t, clock), TableName, clock)
}

func onEndpoint(t *testing.T, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	endpoint := os.Getenv(EndpointVariable)
	if endpoint == "" {
		return
	}
	t.Run("endpoint", func(t *testing.T) {
		t.Parallel()
		client := Client(endpoint)
		table := fmt.Sprintf("contract-%d-%d", os.Getpid(), tables.Add(1))
		Cleanup(t, func() {
			_, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &table})
			if err != nil {
				t.Error(err)
			}
		})
		test(t, client, table, NewClock())
	})
}

// Client returns the SDK's client for an engine at an address on this machine.
func Client(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "eu-north-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
}
