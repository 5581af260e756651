// Package storetest opens the business on every engine that is at hand and
// holds each of them to one contract: the same answers in the same order, the
// same pages, the same errors. Other packages' tests open their store here
// too, so that none of them needs a stand-in for the table.
package storetest

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/embedded"
)

// EndpointVariable names the environment variable with the address of an
// engine that speaks the DynamoDB API, to run the contract on as well.
const EndpointVariable = "STOCKROOM_TEST_ENDPOINT"

// Now is the time by the clock that stores of tests begin with.
var Now = time.Date(2026, time.November, 21, 10, 30, 0, 0, time.UTC)

// Clock is a clock that tests set.
type Clock struct{ at atomic.Pointer[time.Time] }

// NewClock shows Now.
func NewClock() *Clock {
	c := &Clock{}
	c.at.Store(&Now)
	return c
}

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time { return *c.at.Load() }

// Advance turns the clock on.
func (c *Clock) Advance(d time.Duration) {
	t := c.Now().Add(d)
	c.at.Store(&t)
}

// Open opens a store with an empty table on the embedded engine, in a folder
// that goes with the test.
func Open(t testing.TB, clock *Clock) *store.Store {
	t.Helper()
	return open(t, Embedded(t), "OnlineShop", clock)
}

// Embedded opens the embedded engine in a folder that goes with the test.
func Embedded(t testing.TB) store.DB {
	t.Helper()
	db, err := embedded.Open(t.TempDir(), embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func open(t testing.TB, db store.DB, table string, clock *Clock) *store.Store {
	t.Helper()
	s := store.New(db, table, clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// tables counts the tables that tests made, so that each has its own.
var tables atomic.Int64

// OnEachEngine runs a test on an empty table of the embedded engine and, where
// there is one, of the engine at EndpointVariable.
func OnEachEngine(t *testing.T, test func(t *testing.T, s *store.Store, clock *Clock)) {
	OnEachTable(t, func(t *testing.T, db store.DB, table string) {
		clock := NewClock()
		test(t, open(t, db, table, clock), clock)
	})
}

// OnEachTable is OnEachEngine for a test that looks beneath the store, at the
// table itself, which is yet to be made.
func OnEachTable(t *testing.T, test func(t *testing.T, db store.DB, table string)) {
	t.Run("embedded", func(t *testing.T) { test(t, Embedded(t), "OnlineShop") })
	endpoint := os.Getenv(EndpointVariable)
	if endpoint == "" {
		return
	}
	t.Run("endpoint", func(t *testing.T) {
		client := Client(endpoint)
		table := fmt.Sprintf("contract-%d-%d", os.Getpid(), tables.Add(1))
		t.Cleanup(func() {
			_, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &table})
			if err != nil {
				t.Error(err)
			}
		})
		test(t, client, table)
	})
}

// Client is the SDK's client for an engine at an address on this machine.
func Client(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "eu-north-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
}
