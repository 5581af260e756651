package imports

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// bomb returns a gzipped file of at most 500 KB that decompresses to 100 MB. To save time,
// it compresses only 1 MB of the body, and repeats the result, because a gzip file can have
// several members.
func bomb(t *testing.T, start, body, end string) []byte {
	t.Helper()
	chunk := strings.Repeat(body, 1+(1<<20)/len(body))
	packed := slices.Concat(
		gzipped(t, start),
		bytes.Repeat(gzipped(t, chunk), 1+(100<<20)/len(chunk)),
		gzipped(t, end),
	)
	if len(packed) > 500<<10 {
		t.Fatalf("got a bomb of %d bytes, want at most 500 KB", len(packed))
	}
	return packed
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, text) // a write to a buffer never fails
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// TestReceive_RefusesBombs uploads a decompression bomb of each format. Receive must
// reject it after decompressing only a part, and may allocate at most 64 MB.
func TestReceive_RefusesBombs(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	for name, b := range map[string][4]string{
		"rows of CSV":            {"order-items.csv.gz", "OrderID,ProductID,Price,Quantity\n", "1,p1,5,1\n", ""},
		"one cell of CSV":        {"customers.csv.gz", "CustomerID,Name\n1,\"", "xxxx", "\"\n"},
		"columns of CSV":         {"customers.csv.gz", "CustomerID,", "x,", "\n1,2\n"},
		"rows of CSV items":      {"x.csv.gz", "PK (S),SK (S),EntityType (S)\n", "o#1,c#1,order\n", ""},
		"blank JSON Lines":       {"x.jsonl.gz", "", "\n", ""},
		"JSON Lines":             {"x.jsonl.gz", "", `{"Item":{"PK":{"S":"e#1"},"SK":{"S":"e#1"},"EntityType":{"S":"employee"}}}` + "\n", ""},
		"one JSON line":          {"x.jsonl.gz", `{"Item":{"PK":{"S":"`, "xxxx", `"}}}`},
		"nested JSON line":       {"x.jsonl.gz", `{"Item":{"PK":`, `{"L":[`, ""},
		"rows of a model":        {"x.json.gz", `{"ModelName":"x","DataModel":[{"TableName":"x","TableData":[`, `{},`, `{}]}]}`},
		"tables of a model":      {"x.json.gz", `{"ModelName":"x","DataModel":[`, `{"TableName":"x"},`, `{}]}`},
		"items of the AWS CLI":   {"x.json.gz", `{"Items":[`, `{"PK":{"S":"o#1"}},`, `{}]}`},
		"nested items":           {"x.json.gz", `{"Items":[`, "[", ""},
		"blanks between items":   {"x.json.gz", `{"Items":[`, "    ", `]}`},
		"export of DynamoDB":     {"data/x.json.gz", "", `{"Item":{"PK":{"S":"o#1"},"SK":{"S":"o#1"}}}` + "\n", ""},
		"file without extension": {"x.gz", "", "x\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			content := bomb(t, b[1], b[2], b[3])
			x, err := r.Receive(admin, r.Store.NewToken())
			if err != nil {
				t.Fatal(err)
			}
			defer x.Discard()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = x.save(b[0], bytes.NewReader(content))
			runtime.ReadMemStats(&after)
			if store.KindOf(err) != store.Invalid {
				t.Errorf("got error %v, want Invalid", err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
				t.Errorf("allocated %d MB, want at most 64", allocated>>20)
			}
		})
	}
	var f File
	f.Size = 500 << 10
	if _, err := f.measure(bytes.NewReader(bomb(t, "OrderID,ProductID\n", "1,p1\n", "")), MaxUnpacked, MaxLines); store.KindOf(err) != store.Invalid || f.Unpacked > 64<<20 {
		t.Errorf("got error %v after %d MB, want Invalid after at most 64", err, f.Unpacked>>20)
	}
}

// TestReceive_LimitsLines checks that an upload is rejected if its files together have one
// line too many. It accepts a small file that decompresses to many times its size.
func TestReceive_LimitsLines(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	x, err := r.Receive(admin, r.Store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Discard()
	if err := x.Add("a.jsonl", strings.NewReader(strings.Repeat("\n", MaxLines))); err != nil {
		t.Errorf("file with the maximum number of lines: got %v, want no error", err)
	}
	if err := x.Add("b.jsonl", strings.NewReader("{}\n")); store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), "1 million lines") {
		t.Errorf("another line: got %v, want Invalid", err)
	}
	x.Discard()
	if x, err = r.Receive(admin, r.Store.NewToken()); err != nil {
		t.Fatal(err)
	}
	defer x.Discard()
	small := gzipped(t, "CustomerID,Name\n"+strings.Repeat("1,Kim\n", 100_000))
	if err := x.Add("customers.csv.gz", bytes.NewReader(small)); err != nil {
		t.Errorf("small file with a high compression ratio: got %v, want no error", err)
	}
}

// TestRun_TakesTooLong checks the state of a run that was stopped after MaxRun.
func TestRun_TakesTooLong(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errTooLong)
	run := &Run{}
	run.finish(ctx, ctx.Err(), time.Time{}, false)
	if run.State != store.ImportStopped || len(run.Problems) != 1 || !strings.Contains(run.Problems[0], "more than 4 hours") {
		t.Errorf("got state %s and problems %q, want a stopped run that took too long", run.State, run.Problems)
	}
}
