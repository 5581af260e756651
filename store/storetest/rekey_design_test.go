package storetest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRekey_StartsOverWithOtherDesign interrupts a run of Rekey, and runs it again. The
// second run must read only the items that the first run did not read. But it must read all
// items if the stored progress says that a program with other key templates has already
// read them all.
func TestRekey_StartsOverWithOtherDesign(t *testing.T) {
	for name, design := range map[string]string{"same design": "", "other design": `{"Design":"older","Read":100,"Segments":[{"Done":true},{"Done":true},{"Done":true},{"Done":true}]}`} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
				s := store.New(db, table, clock.Now)
				if err := s.CreateTable(t.Context()); err != nil {
					t.Fatal(err)
				}
				loadOpenOrders(t, s)
				whole, err := s.Rekey(t.Context(), store.Rekeying{})
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				if _, err := s.Rekey(ctx, store.Rekeying{PageSize: 20, Progress: func(store.RekeyResult) { stop() }}); !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if design != "" {
					text := func(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }
					_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
						TableName: &table, Key: store.Item{"PK": text("lease#rekey"), "SK": text("lease#rekey")},
						UpdateExpression:         aws.String("SET #state = :state"),
						ExpressionAttributeNames: map[string]string{"#state": "State"}, ExpressionAttributeValues: store.Item{":state": text(design)},
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				before := -1 // items that the run had read before its first page
				got, err := s.Rekey(t.Context(), store.Rekeying{PageSize: 1, Progress: func(r store.RekeyResult) {
					if before < 0 {
						before = r.Read - 1
					}
				}})
				if err != nil || got.Read < whole.Read || got.Read > whole.Read+1 {
					t.Errorf("got %d items read, %v; want all %d, and the lease", got.Read, err, whole.Read)
				}
				if continued := before > 0; continued != (design == "") {
					t.Errorf("got a run that started with %d items read, want a run that continues: %v", before, design == "")
				}
			})
		})
	}
}
