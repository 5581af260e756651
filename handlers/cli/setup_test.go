package cli

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

// stoppingDB is a database that calls stop when the given number of bulk loads have
// started.
type stoppingDB struct {
	*embedded.DB
	loads int
	stop  func()
}

func (d *stoppingDB) StartLoad(table string) embedded.Load {
	if d.loads--; d.loads == 0 {
		d.stop()
	}
	return d.DB.StartLoad(table)
}

// TestLoadDemo_Continues interrupts the load of the demo business, and continues it an hour
// later. In the meantime, a user changes a record. The load must not change it back.
func TestLoadDemo_Continues(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	db := &stoppingDB{storetest.EmbeddedAt(t, t.TempDir(), clock), 5, cancel}
	at := clock.Now()
	s := store.New(db, "OnlineShop", func() time.Time { return at })
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := loadDemo(ctx, s, demo.Small); !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v, want an interrupted load", err)
	}
	partial := mustCheck(t, s)
	describeProduct(t, db.DB, at)
	at = at.Add(time.Hour)
	for _, want := range []string{
		"Loaded the rest of the demo business into table OnlineShop. Records that have changed since the interrupted start, and were kept: 1.",
		"Table OnlineShop already has data, so the demo business was not loaded.",
	} {
		if got, err := loadDemo(t.Context(), s, demo.Small); err != nil || got != want {
			t.Errorf("got %q, error %v; want %q", got, err, want)
		}
	}
	whole := mustCheck(t, s)
	if partial.Items >= whole.Items || len(partial.Findings) == 0 || len(whole.Findings) > 0 {
		t.Errorf("got %d items with %d findings, later %d items with %v; want more and no findings", partial.Items, len(partial.Findings), whole.Items, whole.Findings)
	}
	if settings, err := s.Settings(t.Context()); err != nil || settings.Payments != store.ServiceRecord {
		t.Errorf("got payments %q, error %v; want record", settings.Payments, err)
	}
}

// describeProduct changes the description of a product of the demo business.
func describeProduct(t *testing.T, db *embedded.DB, at time.Time) {
	t.Helper()
	business := demo.Business(at, demo.Small)
	product := business[slices.IndexFunc(business, func(e store.Entity) bool { return e.EntityType() == "product" })]
	item, err := store.Encode(product, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("OnlineShop"), Key: store.Item{"PK": item["PK"], "SK": item["SK"]},
		UpdateExpression: aws.String("SET Description = :d"), ConditionExpression: aws.String("attribute_exists(PK)"),
		ExpressionAttributeValues: store.Item{":d": &types.AttributeValueMemberS{Value: "changed"}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mustCheck(t *testing.T, s *store.Store) store.CheckResult {
	t.Helper()
	checked, err := s.CheckBusiness(t.Context(), store.BusinessCheck{})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}
