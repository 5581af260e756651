package embedded_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded"
	"stockroom/store/embedded/stream"
)

func streamedTable(view types.StreamViewType) *dynamodb.CreateTableInput {
	in := shopTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: view}
	return in
}

func setStream(t testing.TB, db *embedded.DB, view types.StreamViewType) error {
	t.Helper()
	_, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(shop), StreamSpecification: &types.StreamSpecification{
		StreamEnabled: aws.Bool(view != ""), StreamViewType: view,
	}})
	return err
}

// latestStream returns the ARN of the latest stream of the shop table, and the ID of
// its shard.
func latestStream(t testing.TB, db *embedded.DB) (arn, shard *string) {
	t.Helper()
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	described, err := db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: out.Table.LatestStreamArn})
	if err != nil {
		t.Fatal(err)
	}
	return out.Table.LatestStreamArn, &described.StreamDescription.Shards[0].ShardId
}

func iteratorAt(t testing.TB, db *embedded.DB, kind stream.IteratorType, sequence *string) (*string, error) {
	t.Helper()
	arn, shard := latestStream(t, db)
	out, err := db.GetShardIterator(t.Context(), &stream.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: kind, SequenceNumber: sequence})
	if err != nil {
		return nil, err
	}
	return out.ShardIterator, nil
}

// recordsFrom returns all records from an iterator on, and the next iterator.
func recordsFrom(t testing.TB, db *embedded.DB, iterator *string) (records []stream.Record, next *string) {
	t.Helper()
	for next = iterator; next != nil; {
		out, err := db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: next})
		if err != nil {
			t.Fatal(err)
		}
		records, next = append(records, out.Records...), out.NextShardIterator
		if len(out.Records) == 0 {
			break
		}
	}
	return records, next
}

func allRecords(t testing.TB, db *embedded.DB) []stream.Record {
	t.Helper()
	iterator, err := iteratorAt(t, db, stream.TrimHorizon, nil)
	if err != nil {
		t.Fatal(err)
	}
	records, _ := recordsFrom(t, db, iterator)
	return records
}

// events formats records: event and sort key.
func events(records []stream.Record) string {
	var texts []string
	for _, r := range records {
		texts = append(texts, fmt.Sprintf("%s %s", r.EventName, text(r.Change.Keys["SK"])))
	}
	return strings.Join(texts, ", ")
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestStream_ViewTypes(t *testing.T) {
	old, changed := with(key("p", "a"), "Units", n(1)), with(key("p", "a"), "Units", n(2))
	for view, want := range map[types.StreamViewType][3][2]item{
		types.StreamViewTypeKeysOnly:        {},
		types.StreamViewTypeNewImage:        {{nil, old}, {nil, changed}, {nil, nil}},
		types.StreamViewTypeOldImage:        {{nil, nil}, {old, nil}, {changed, nil}},
		types.StreamViewTypeNewAndOldImages: {{nil, old}, {old, changed}, {changed, nil}},
	} {
		t.Run(string(view), func(t *testing.T) {
			clock := newTestClock()
			db := openAt(t, t.TempDir(), clock)
			create(t, db, streamedTable(view))
			put(t, db, old)
			put(t, db, old) // this put changes nothing, so it must add no record
			put(t, db, changed)
			del := &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: key("p", "a")}
			for range 2 {
				if _, err := db.DeleteItem(t.Context(), del); err != nil {
					t.Fatal(err)
				}
			}
			records := allRecords(t, db)
			if got, want := events(records), "INSERT a, MODIFY a, REMOVE a"; got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			ids := map[string]bool{}
			for i, r := range records {
				mustEqual(t, r.Change.Keys, key("p", "a"))
				mustEqual(t, []item{r.Change.OldImage, r.Change.NewImage}, []item{want[i][0], want[i][1]})
				mustEqual(t, r.Change.SequenceNumber, fmt.Sprintf("1%020d", i+1))
				mustEqual(t, r.Change.StreamViewType, view)
				mustEqual(t, r.Change.ApproximateCreationDateTime, clock.now().UTC())
				mustEqual(t, r.EventSource+" "+r.EventVersion, "aws:dynamodb 1.1")
				if r.UserIdentity != nil || r.Change.SizeBytes < int64(len("PKpSKa")) {
					t.Errorf("got identity %v and %d bytes, want none and at least 6", r.UserIdentity, r.Change.SizeBytes)
				}
				ids[r.EventID] = true
			}
			mustEqual(t, len(ids), 3)
		})
	}
}

func TestStream_Iterators(t *testing.T) {
	clock := newTestClock()
	db := openAt(t, t.TempDir(), clock)
	create(t, db, streamedTable(types.StreamViewTypeKeysOnly))
	latest, err := iteratorAt(t, db, stream.Latest, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sk := range []string{"a", "b", "c"} {
		put(t, db, key("p", sk))
	}
	records, next := recordsFrom(t, db, latest)
	mustEqual(t, events(records), "INSERT a, INSERT b, INSERT c")
	put(t, db, key("p", "d"))
	more, _ := recordsFrom(t, db, next)
	mustEqual(t, events(more), "INSERT d")
	second := &records[1].Change.SequenceNumber
	for kind, want := range map[stream.IteratorType]string{
		stream.AtSequenceNumber: "INSERT b, INSERT c, INSERT d", stream.AfterSequenceNumber: "INSERT c, INSERT d",
	} {
		iterator, err := iteratorAt(t, db, kind, second)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := recordsFrom(t, db, iterator)
		mustEqual(t, events(got), want)
	}
	horizon, err := iteratorAt(t, db, stream.TrimHorizon, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: horizon, Limit: aws.Int32(2)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, events(page.Records), "INSERT a, INSERT b")
	rest, _ := recordsFrom(t, db, page.NextShardIterator)
	mustEqual(t, events(rest), "INSERT c, INSERT d")

	_, err = iteratorAt(t, db, stream.AtSequenceNumber, nil)
	wantInvalid(t, err, "SequenceNumber must be specified for ShardIteratorType AT_SEQUENCE_NUMBER")
	_, err = iteratorAt(t, db, stream.Latest, second)
	wantInvalid(t, err, "SequenceNumber can not be specified for ShardIteratorType LATEST")
	_, err = iteratorAt(t, db, "NOW", nil)
	wantInvalid(t, err, "1 validation error detected: Value 'NOW' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER]")
	for _, sequence := range []string{"100000000000000000099", strings.Repeat("9", 21), strings.Repeat("x", 30)} {
		_, err = iteratorAt(t, db, stream.AfterSequenceNumber, &sequence)
		wantInvalid(t, err, "Invalid SequenceNumber: "+sequence)
	}
	for _, iterator := range []string{"x", *horizon + "x", "arn:aws:dynamodb:elsewhere:1:table/x/stream/y|1|"} {
		_, err = db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: &iterator})
		wantInvalid(t, err, "Invalid ShardIterator")
	}
	arn, _ := latestStream(t, db)
	_, err = db.GetShardIterator(t.Context(), &stream.GetShardIteratorInput{StreamArn: arn, ShardId: aws.String(strings.Repeat("s", 30)), ShardIteratorType: stream.Latest})
	wantCode(t, err, "ResourceNotFoundException")
	_, err = db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: aws.String(*arn + "1")})
	wantCode(t, err, "ResourceNotFoundException")
	_, err = db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: aws.String(strings.Repeat("x", 40))})
	wantInvalid(t, err, "Invalid StreamArn")

	clock.advance(16 * time.Minute)
	_, err = db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: horizon})
	wantCode(t, err, "ExpiredIteratorException")
}

func TestStream_Settings(t *testing.T) {
	dir, clock := t.TempDir(), newTestClock()
	db := openAt(t, dir, clock)
	create(t, db, shopTable())
	describe := func() *types.TableDescription {
		out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
		if err != nil {
			t.Fatal(err)
		}
		return out.Table
	}
	if table := describe(); table.LatestStreamArn != nil || table.StreamSpecification != nil {
		t.Errorf("without a stream: got %v and %v, want none", table.LatestStreamArn, table.StreamSpecification)
	}
	wantInvalid(t, setStream(t, db, ""), "Table has no enabled stream: TableName: Shop")
	put(t, db, key("p", "before"))
	if err := setStream(t, db, types.StreamViewTypeNewImage); err != nil {
		t.Fatal(err)
	}
	wantInvalid(t, setStream(t, db, types.StreamViewTypeKeysOnly), "Table already has an enabled stream: TableName: Shop")
	put(t, db, key("p", "a"))
	first, shard := latestStream(t, db)
	if table := describe(); table.StreamSpecification.StreamViewType != types.StreamViewTypeNewImage || !strings.HasSuffix(*first, "/stream/"+*table.LatestStreamLabel) {
		t.Errorf("got stream %s with label %s and %v, want a stream of new images with this label", *first, *table.LatestStreamLabel, table.StreamSpecification)
	}
	if err := setStream(t, db, ""); err != nil {
		t.Fatal(err)
	}
	put(t, db, key("p", "between"))
	if table := describe(); table.StreamSpecification != nil || *table.LatestStreamArn != *first {
		t.Errorf("disabled: got %v and %s, want the ARN only", table.StreamSpecification, *table.LatestStreamArn)
	}
	out, err := db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: first})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.StreamDescription.StreamStatus, stream.Disabled)
	mustEqual(t, *out.StreamDescription.Shards[0].SequenceNumberRange, stream.SequenceNumberRange{StartingSequenceNumber: "100000000000000000001", EndingSequenceNumber: "100000000000000000001"})
	ended, err := db.GetShardIterator(t.Context(), &stream.GetShardIteratorInput{StreamArn: first, ShardId: shard, ShardIteratorType: stream.TrimHorizon})
	if err != nil {
		t.Fatal(err)
	}
	records, next := recordsFrom(t, db, ended.ShardIterator)
	mustEqual(t, events(records), "INSERT a")
	if next != nil {
		t.Error("got an iterator at the end of a disabled stream, want none")
	}
	if err := setStream(t, db, types.StreamViewTypeKeysOnly); err != nil { // enables another stream in the same millisecond
		t.Fatal(err)
	}
	put(t, db, key("p", "b"))
	mustEqual(t, events(allRecords(t, db)), "INSERT b")
	list := func(in *stream.ListStreamsInput) (*stream.ListStreamsOutput, error) {
		return db.ListStreams(t.Context(), in)
	}
	one, err := list(&stream.ListStreamsInput{TableName: aws.String(shop), Limit: aws.Int32(1)})
	if err != nil || len(one.Streams) != 1 || one.Streams[0].StreamArn != *first || one.LastEvaluatedStreamArn == nil {
		t.Fatalf("got %+v, %v; want the first stream", one, err)
	}
	two, err := list(&stream.ListStreamsInput{ExclusiveStartStreamArn: one.LastEvaluatedStreamArn})
	if err != nil || len(two.Streams) != 1 || two.Streams[0].StreamArn == *first || two.LastEvaluatedStreamArn != nil {
		t.Fatalf("got %+v, %v; want the second stream", two, err)
	}
	_, err = list(&stream.ListStreamsInput{TableName: aws.String("Nowhere")})
	wantCode(t, err, "ResourceNotFoundException")

	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, dir, clock)
	put(t, db, key("p", "c"))
	mustEqual(t, events(allRecords(t, db)), "INSERT b, INSERT c")
	mustEqual(t, problems(t, db), []string(nil))
	if _, err := db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(shop)}); err != nil {
		t.Fatal(err)
	}
	_, err = db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: first})
	wantCode(t, err, "ResourceNotFoundException")
	mustEqual(t, problems(t, db), []string(nil))

	for message, spec := range map[string]*types.StreamSpecification{
		"1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: Member must not be null":                                                                     {},
		"One or more parameter values were invalid: StreamViewType must be specified when StreamEnabled is true":                                                                                                   {StreamEnabled: aws.Bool(true)},
		"One or more parameter values were invalid: StreamViewType can only be specified when StreamEnabled is true":                                                                                               {StreamEnabled: aws.Bool(false), StreamViewType: types.StreamViewTypeKeysOnly},
		"1 validation error detected: Value 'ALL' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]": {StreamEnabled: aws.Bool(true), StreamViewType: "ALL"},
	} {
		in := shopTable()
		in.StreamSpecification = spec
		_, err := db.CreateTable(t.Context(), in)
		wantInvalid(t, err, message)
	}
	in := shopTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(false)}
	create(t, db, in)
}

// TestStream_RaisesFormat checks that older versions of the program cannot open a file
// with a stream, because they would add no records.
func TestStream_RaisesFormat(t *testing.T) {
	dir := t.TempDir()
	format := func() (version byte) {
		bolt, err := bbolt.Open(file(dir), 0o600, &bbolt.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer bolt.Close()
		_ = bolt.View(func(tx *bbolt.Tx) error { // the function returns no error
			version = tx.Bucket([]byte("stockroom")).Get([]byte("format"))[3]
			return nil
		})
		return version
	}
	db := open(t, dir)
	create(t, db, shopTable())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, format(), byte(1))
	db = open(t, dir)
	if err := errors.Join(setStream(t, db, types.StreamViewTypeKeysOnly), setStream(t, db, ""), db.Close()); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, format(), byte(2))
	open(t, dir)
}

// TestStream_Operations checks that each operation that changes items adds records,
// and that failed operations add none.
func TestStream_Operations(t *testing.T) {
	clock := newTestClock()
	db := openAt(t, t.TempDir(), clock)
	create(t, db, streamedTable(types.StreamViewTypeNewAndOldImages))
	put(t, db, key("p", "a"))
	if _, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{shop: {
		{PutRequest: &types.PutRequest{Item: key("p", "b")}}, {DeleteRequest: &types.DeleteRequest{Key: key("p", "a")}},
	}}}); err != nil {
		t.Fatal(err)
	}
	var cancelled *types.TransactionCanceledException
	if err := transact(t, db, "", putOf(key("p", "no"), ""), putOf(key("p", "b"), "attribute_not_exists(PK)")); !errors.As(err, &cancelled) {
		t.Fatalf("got %v, want TransactionCanceledException", err)
	}
	for range 2 { // the second request has no effect
		if err := transact(t, db, "token", putOf(key("p", "c"), ""), putOf(with(key("p", "b"), "Units", n(1)), "")); err != nil {
			t.Fatal(err)
		}
	}
	load := db.StartLoad(shop)
	if err := errors.Join(load.Add(key("p", "f"), key("p", "e")), load.Add(key("p", "c"), key("p", "skipped")), load.Add(key("p", "d"))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := load.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.TransactLarge(t.Context(), []types.TransactWriteItem{putOf(key("p", "z"), ""), putOf(key("p", "y"), "")}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(shop), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("Expires"), Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	put(t, db, with(key("p", "ttl"), "Expires", n(clock.now().Unix()+60)))
	clock.advance(2 * time.Minute)
	if removed, err := db.SweepExpired(t.Context(), 10); err != nil || removed != 1 {
		t.Fatalf("got %d, %v; want one expired item", removed, err)
	}
	records := allRecords(t, db)
	want := "INSERT a, INSERT b, REMOVE a, INSERT c, MODIFY b, INSERT f, INSERT e, INSERT d, INSERT z, INSERT y, INSERT ttl, REMOVE ttl"
	if got := events(records); got != want {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	for i, r := range records {
		expired := i == len(records)-1
		if (r.UserIdentity != nil) != expired || expired && *r.UserIdentity != (stream.Identity{PrincipalId: "dynamodb.amazonaws.com", Type: "Service"}) {
			t.Errorf("%s %s: got the identity %v, want that of the service only for expired items", r.EventName, text(r.Change.Keys["SK"]), r.UserIdentity)
		}
		mustEqual(t, r.Change.SequenceNumber, fmt.Sprintf("1%020d", i+1))
	}
	mustEqual(t, problems(t, db), []string(nil))
}

func TestStream_Trim(t *testing.T) {
	dir, clock := t.TempDir(), newTestClock()
	db := openAt(t, dir, clock)
	create(t, db, streamedTable(types.StreamViewTypeKeysOnly))
	trim := func(limit, want int) {
		t.Helper()
		if got, err := db.TrimStreams(t.Context(), limit); err != nil || got != want {
			t.Fatalf("got %d, %v; want %d trimmed records", got, err, want)
		}
	}
	for i := range 5 {
		put(t, db, key("p", fmt.Sprint(i)))
		clock.advance(time.Hour)
	}
	first := allRecords(t, db)[0].Change.SequenceNumber
	clock.advance(19*time.Hour - time.Minute) // the first record is a minute too young to be trimmed
	trim(10, 0)
	clock.advance(90 * time.Minute)
	trim(1, 1)
	trim(10, 1)
	mustEqual(t, events(allRecords(t, db)), "INSERT 2, INSERT 3, INSERT 4")
	_, err := iteratorAt(t, db, stream.AtSequenceNumber, &first)
	wantCode(t, err, "TrimmedDataAccessException")
	slow, err := iteratorAt(t, db, stream.AfterSequenceNumber, aws.String(fmt.Sprintf("1%020d", 2)))
	if err != nil {
		t.Fatal(err)
	}
	behind, _ := recordsFrom(t, db, slow)
	mustEqual(t, events(behind), "INSERT 2, INSERT 3, INSERT 4")

	// All records are trimmed, but the numbers continue.
	clock.advance(24 * time.Hour)
	slow, err = iteratorAt(t, db, stream.AfterSequenceNumber, aws.String(fmt.Sprintf("1%020d", 4)))
	if err != nil {
		t.Fatal(err)
	}
	trim(10, 3)
	trim(10, 0)
	mustEqual(t, events(allRecords(t, db)), "")
	_, err = db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: slow})
	wantCode(t, err, "TrimmedDataAccessException")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, dir, clock)
	latest, err := iteratorAt(t, db, stream.Latest, nil)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, key("p", "5"))
	for _, records := range [][]stream.Record{allRecords(t, db), first2(recordsFrom(t, db, latest))} {
		mustEqual(t, events(records), "INSERT 5")
		mustEqual(t, records[0].Change.SequenceNumber, fmt.Sprintf("1%020d", 6))
	}
	mustEqual(t, problems(t, db), []string(nil))
	clock.advance(25 * time.Hour)
	trim(10, 2) // the fifth record, which is empty, and the sixth

	// A disabled stream is removed once its records are trimmed.
	put(t, db, key("p", "6"))
	if err := setStream(t, db, ""); err != nil {
		t.Fatal(err)
	}
	clock.advance(23 * time.Hour)
	trim(10, 1)
	mustEqual(t, events(allRecords(t, db)), "INSERT 6")
	clock.advance(2 * time.Hour)
	trim(10, 1)
	out, err := db.ListStreams(t.Context(), &stream.ListStreamsInput{})
	if err != nil || len(out.Streams) != 0 {
		t.Errorf("got streams %v, %v; want none", out, err)
	}
	mustEqual(t, problems(t, db), []string(nil))
}

func first2(records []stream.Record, _ *string) []stream.Record { return records }

// TestStream_ConcurrentWriters lets several goroutines write while the store is compacted.
// It then applies the records of the stream in order. The result must equal the table.
func TestStream_ConcurrentWriters(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, streamedTable(types.StreamViewTypeNewAndOldImages))
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 60 {
				at := key("p", fmt.Sprint((w+i)%7))
				var err error
				switch i % 4 {
				case 0:
					_, err = db.DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: at})
				case 1:
					_, err = db.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
						putOf(with(at, "Units", n(w*100+i)), ""), putOf(with(key("q", fmt.Sprint(w)), "Units", n(i)), ""),
					}})
				default:
					_, err = db.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{TableName: aws.String(shop), Key: at, UpdateExpression: aws.String("ADD Units :n"), ExpressionAttributeValues: item{":n": n(w + 1)}})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	if _, err := db.Compact(t.Context()); err != nil {
		t.Error(err)
	}
	writers.Wait()
	checkReplay(t, db)
	if _, err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkReplay(t, db)
	mustEqual(t, problems(t, db), []string(nil))
}

// checkReplay applies the records of the shop's stream in order. The result must equal the
// shop's items, and the old image of each record must equal the item at that point.
func checkReplay(t *testing.T, db *embedded.DB) {
	t.Helper()
	replayed := map[string]item{}
	for i, r := range allRecords(t, db) {
		at := text(r.Change.Keys["PK"]) + "/" + text(r.Change.Keys["SK"])
		if got := r.Change.SequenceNumber; got != fmt.Sprintf("1%020d", i+1) {
			t.Fatalf("record %d: got number %s, want consecutive numbers", i, got)
		}
		mustEqual(t, r.Change.OldImage, replayed[at])
		if r.Change.NewImage == nil {
			delete(replayed, at)
		} else {
			replayed[at] = r.Change.NewImage
		}
	}
	stored := map[string]item{}
	for in := (&dynamodb.ScanInput{TableName: aws.String(shop)}); ; {
		out, err := db.Scan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range out.Items {
			stored[text(it["PK"])+"/"+text(it["SK"])] = it
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			break
		}
	}
	if !maps.EqualFunc(replayed, stored, func(a, b item) bool { return show(a) == show(b) }) {
		t.Errorf("the stream leads to %v, want %v", replayed, stored)
	}
}

// TestStream_Crash kills a process that writes and compacts its file. The stream must
// have a record of each change that is in the file, and no other.
func TestStream_Crash(t *testing.T) {
	killTransfers(t, "compact", max(*crashes/4, 1), streamedTable(types.StreamViewTypeNewAndOldImages))
}

// TestStream_Restore checks that a restored store has no streams.
func TestStream_Restore(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, streamedTable(types.StreamViewTypeKeysOnly))
	put(t, db, key("p", "a"))
	arn, _ := latestStream(t, db)
	var backup bytes.Buffer
	if err := db.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, events(allRecords(t, db)), "INSERT a")
	dir := t.TempDir()
	if err := embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", &backup); err != nil {
		t.Fatal(err)
	}
	restored := open(t, dir)
	mustEqual(t, get(t, restored, key("p", "a")), key("p", "a"))
	_, err := restored.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: arn})
	wantCode(t, err, "ResourceNotFoundException")
	put(t, restored, key("p", "b"))
	if err := setStream(t, restored, types.StreamViewTypeKeysOnly); err != nil {
		t.Fatal(err)
	}
	put(t, restored, key("p", "c"))
	mustEqual(t, events(allRecords(t, restored)), "INSERT c")
	mustEqual(t, problems(t, restored), []string(nil))
}

func TestStream_HidesItems(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, streamedTable(types.StreamViewTypeNewImage))
	put(t, db, key("secret", "a"), key("p", "b"), key("secret", "c"))
	iterator, err := iteratorAt(t, db, stream.TrimHorizon, nil)
	if err != nil {
		t.Fatal(err)
	}
	hiding := db.Hiding(func(key item) bool { return text(key["PK"]) == "secret" })
	out, err := hiding.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: iterator})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, events(out.Records), "INSERT b")
}
