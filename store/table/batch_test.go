package table

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// throttledDB is a DB whose BatchGetItem returns some of the items and leaves the
// other keys unprocessed.
type throttledDB struct {
	DB
	perRequest int
	began      time.Time
	times      []time.Duration // time of each request since began
}

func (db *throttledDB) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	db.times = append(db.times, time.Since(db.began))
	keys := in.RequestItems["T"].Keys
	n := min(db.perRequest, len(keys))
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]Item{"T": keys[:n]}}
	if n < len(keys) {
		out.UnprocessedKeys = map[string]types.KeysAndAttributes{"T": {Keys: keys[n:]}}
	}
	return out, nil
}

func someKeys(n int) []Item {
	keys := make([]Item, n)
	for i := range keys {
		keys[i] = Key("p#"+strconv.Itoa(i), "p")
	}
	return keys
}

func TestGetKeys_UnprocessedKeysBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		db := &throttledDB{perRequest: 40, began: began}
		found, err := New(db, "T", &Schema{}).GetKeys(t.Context(), someKeys(100))
		if err != nil || len(found) != 100 {
			t.Fatalf("got %d items, %v; want 100", len(found), err)
		}
		for i := 1; i < len(db.times); i++ {
			if pause := db.times[i] - db.times[i-1]; pause < firstPause/2 {
				t.Errorf("request %d: got a pause of %s, want at least %s", i+1, pause, firstPause/2)
			}
		}
	})
}

func TestGetKeys_UnprocessedForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &throttledDB{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err := New(db, "T", &Schema{}).GetKeys(ctx, someKeys(3))
		if KindOf(err) != Busy {
			t.Errorf("got %v, want Busy", err)
		}
		if len(db.times) != tableBackoff.Tries {
			t.Errorf("got %d requests, want %d", len(db.times), tableBackoff.Tries)
		}
	})
}
