package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"stockroom/handlers/metrics"
	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// scrape parses the metrics with the parser of Prometheus, and returns the value of each
// series.
func scrape(t *testing.T, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(false).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	decoder := expfmt.SampleDecoder{
		Dec:  expfmt.NewDecoder(w.Body, expfmt.ResponseFormat(w.Header())),
		Opts: &expfmt.DecodeOptions{},
	}
	values := map[string]float64{}
	for {
		var samples model.Vector
		if err := decoder.Decode(&samples); err != nil {
			if err.Error() == "EOF" {
				return values
			}
			t.Fatal(err)
		}
		for _, s := range samples {
			values[s.Metric.String()] = float64(s.Value)
		}
	}
}

func TestRequest_CountsByRoute(t *testing.T) {
	m := metrics.New()
	m.Request(http.MethodGet, "/orders/:id", http.StatusOK, 3*time.Millisecond)
	m.Request(http.MethodGet, "/orders/:id", http.StatusOK, 2*time.Second)
	m.Request("BREW", "/orders/:id", http.StatusNotFound, time.Minute)
	values := scrape(t, m)
	for series, want := range map[string]float64{
		`stockroom_http_requests_total{method="GET", route="/orders/:id", status="200"}`:   2,
		`stockroom_http_requests_total{method="other", route="/orders/:id", status="404"}`: 1,
		`stockroom_http_request_duration_seconds_bucket{le="0.0025", route="/orders/:id"}`: 0,
		`stockroom_http_request_duration_seconds_bucket{le="0.005", route="/orders/:id"}`:  1,
		`stockroom_http_request_duration_seconds_bucket{le="2.5", route="/orders/:id"}`:    2,
		`stockroom_http_request_duration_seconds_bucket{le="+Inf", route="/orders/:id"}`:   3,
		`stockroom_http_request_duration_seconds_count{route="/orders/:id"}`:               3,
		`stockroom_http_request_duration_seconds_sum{route="/orders/:id"}`:                 62.003,
	} {
		if got, ok := values[series]; !ok || got != want {
			t.Errorf("%s: got %v, %t, want %v", series, got, ok, want)
		}
	}
	if values["go_goroutines"] < 1 {
		t.Error("no metrics of the Go runtime")
	}
}

// failing is a database whose transactions fail.
type failing struct {
	store.DB
	err error
}

func (f failing) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return nil, f.err
}

func (f failing) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if in.ReturnConsumedCapacity != types.ReturnConsumedCapacityIndexes {
		return nil, errors.New("no capacity requested")
	}
	return &dynamodb.QueryOutput{ConsumedCapacity: &types.ConsumedCapacity{
		CapacityUnits: aws.Float64(1.5),
		Table:         &types.Capacity{CapacityUnits: aws.Float64(1)},
		GlobalSecondaryIndexes: map[string]types.Capacity{
			"GSI2": {CapacityUnits: aws.Float64(0.5)},
		},
	}}, nil
}

func cancelled(codes ...string) error {
	e := &types.TransactionCanceledException{}
	for _, code := range codes {
		e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: &code})
	}
	return e
}

func TestTable_CountsOutcomes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{cancelled("None", "ConditionalCheckFailed"), "condition"},
		{cancelled("TransactionConflict", "None"), "conflict"},
		{cancelled("ThrottlingError"), "throttled"},
		{&types.ProvisionedThroughputExceededException{}, "throttled"},
		{&types.ConditionalCheckFailedException{}, "condition"},
		{context.DeadlineExceeded, "cancelled"},
		{errors.New("connection reset"), "error"},
	} {
		m := metrics.New()
		if _, err := m.Table(failing{err: c.err}).TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{}); !errors.Is(err, c.err) {
			t.Errorf("got error %v, want %v", err, c.err)
		}
		series := `stockroom_table_requests_total{operation="TransactWriteItems", outcome="` + c.want + `"}`
		if got := scrape(t, m)[series]; got != 1 {
			t.Errorf("%v: got %v in %s, want 1", c.err, got, series)
		}
	}
}

func TestTable_AddsUnits(t *testing.T) {
	m := metrics.New()
	in := &dynamodb.QueryInput{}
	for range 2 {
		if _, err := m.Table(failing{}).Query(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if in.ReturnConsumedCapacity != "" {
		t.Error("the caller's request was changed")
	}
	values := scrape(t, m)
	for series, want := range map[string]float64{
		`stockroom_table_read_units_total{index=""}`:                        2,
		`stockroom_table_read_units_total{index="GSI2"}`:                    1,
		`stockroom_table_requests_total{operation="Query", outcome="ok"}`:   2,
		`stockroom_table_request_duration_seconds_count{operation="Query"}`: 2,
	} {
		if values[series] != want {
			t.Errorf("%s: got %v, want %v", series, values[series], want)
		}
	}
}

// TestTable_PassesOnOptionalInterfaces checks that a counted database implements the
// optional interfaces of the embedded engine: rows, bulk loads and large transactions.
func TestTable_PassesOnOptionalInterfaces(t *testing.T) {
	m := metrics.New()
	db := m.Table(storetest.Embedded(t, storetest.NewClock()))
	if _, ok := db.(table.BulkLoader); !ok {
		t.Error("got no BulkLoader")
	}
	if _, ok := db.(table.ChangeCounter); !ok {
		t.Error("got no ChangeCounter")
	}
	large, ok := db.(table.LargeTransactor)
	if !ok {
		t.Fatal("got no LargeTransactor")
	}
	s := store.New(db, "shop", storetest.NewClock().Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, ok := db.(table.RowReader)
	if !ok {
		t.Fatal("got no RowReader")
	}
	found, out, err := rows.QueryRows(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("shop"), KeyConditionExpression: aws.String("PK = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: "p#1"}},
	})
	if err != nil || len(found) != 0 || out.ConsumedCapacity == nil {
		t.Errorf("got rows %v, response %v, error %v", found, out, err)
	}
	batch, batchOut, err := rows.BatchGetRows(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"shop": {Keys: []map[string]types.AttributeValue{{"PK": &types.AttributeValueMemberS{Value: "p#1"}, "SK": &types.AttributeValueMemberS{Value: "x"}}}},
	}})
	if err != nil || len(batch["shop"]) != 0 || len(batchOut.ConsumedCapacity) != 1 {
		t.Errorf("got rows %v, response %v, error %v", batch, batchOut, err)
	}
	items := make([]types.TransactWriteItem, 150)
	for i := range items {
		key := map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: fmt.Sprintf("p#%d", i)}, "SK": &types.AttributeValueMemberS{Value: "x"},
		}
		items[i].Put = &types.Put{TableName: aws.String("shop"), Item: key, ConditionExpression: aws.String("attribute_not_exists(PK)")}
	}
	if err := large.TransactLarge(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	if err := large.TransactLarge(t.Context(), items); err == nil {
		t.Error("got no error for items that exist")
	}
	values := scrape(t, m)
	if got := values[`stockroom_table_requests_total{operation="Query", outcome="ok"}`]; got != 1 {
		t.Errorf("got %v queries, want 1", got)
	}
	if got := values[`stockroom_table_requests_total{operation="BatchGetItem", outcome="ok"}`]; got != 1 {
		t.Errorf("got %v batches, want 1", got)
	}
	for _, outcome := range []string{"ok", "condition"} {
		if got := values[`stockroom_table_requests_total{operation="TransactWriteItems", outcome="`+outcome+`"}`]; got != 1 {
			t.Errorf("%s: got %v requests, want 1", outcome, got)
		}
	}
	if _, ok := m.Table(failing{}).(table.LargeTransactor); ok {
		t.Error("got a LargeTransactor for a database without large transactions")
	}
}

// TestDocumentation_NamesMetrics checks that the documentation names all metrics of the
// program, and that the dashboard and the alerts use no others.
func TestDocumentation_NamesMetrics(t *testing.T) {
	counted := namesIn(t, "*.go", "../cli/metrics.go")
	described := namesIn(t, "../../docs/operations.md")
	if !slices.Equal(described, counted) {
		t.Errorf("docs/operations.md: got metrics\n%s\nwant\n%s", strings.Join(described, "\n"), strings.Join(counted, "\n"))
	}
	for _, used := range namesIn(t, "../../docs/grafana.json", "../../docs/alerts.yaml") {
		if !slices.Contains(counted, used) {
			t.Errorf("the dashboard or an alert uses %s, which does not exist", used)
		}
	}
}

var metricName = regexp.MustCompile(`stockroom_((http|pattern|table|cost|job|payments|engine)_\w+|sessions)`)

// namesIn returns the names of metrics in files, except tests. It omits the suffixes of
// histograms, such as _bucket.
func namesIn(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d files and error %v, want files", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, name := range metricName.FindAllString(string(text), -1) {
				names = append(names, strings.TrimSuffix(name, "_bucket"))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
