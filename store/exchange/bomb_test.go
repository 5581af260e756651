package exchange_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

var rowBombs = flag.Int("row-bombs", 1, "size of the decompression bombs with many rows, in MB")

// Sizes of decompression bombs, in bytes. A decompression bomb is a small file that becomes
// large when decompressed.
const (
	maxBomb      = 500 << 10
	unpackedText = 96 << 20 // for bombs with one large value
	maxBombHeap  = 64 << 20 // maximum growth of the heap
)

// bomb returns a gzipped file, whose content is start, many repetitions of body, and end.
func bomb(t *testing.T, start, body, end string) io.Reader {
	t.Helper()
	size := *rowBombs << 20 // small, because many rows take long to check
	if !strings.ContainsAny(body, "\n{") {
		size = unpackedText
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	chunk := strings.Repeat(body, 1+(64<<10)/len(body))
	_, _ = io.WriteString(w, start)
	for n := 0; n < size; n += len(chunk) {
		_, _ = io.WriteString(w, chunk)
	}
	_, _ = io.WriteString(w, end)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > maxBomb {
		t.Fatalf("got a bomb of %d bytes, want at most %d", packed.Len(), maxBomb)
	}
	return bytes.NewReader(packed.Bytes())
}

// heap returns how many bytes of the heap were in use after the last garbage collection.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// peakHeap calls the function work, and returns by how many bytes the heap grew during the
// call. The garbage collector runs whenever the heap has grown by 30 percent, so peakHeap
// notices a value of unpackedText bytes. The variable ballast makes the heap larger.
// Without it, the collector would run after each megabyte.
func peakHeap(work func()) (grown int64) {
	ballast := make([]byte, maxBombHeap/2)
	defer runtime.KeepAlive(ballast)
	defer debug.SetGCPercent(debug.SetGCPercent(30))
	runtime.GC()
	before := heap()
	peak, done, stopped := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				peak = max(peak, heap())
			}
		}
	}()
	work()
	close(done)
	<-stopped
	return int64(peak - before)
}

// TestImport_BoundsMemoryOfBombs makes dry runs with decompression bombs and deeply
// nested files. The heap must not grow by more than maxBombHeap.
func TestImport_BoundsMemoryOfBombs(t *testing.T) {
	const (
		orders   = "OrderID,CustomerID,Date,Status\n1,c1,2026-11-20,OPEN\n"
		invoices = "InvoiceID,OrderID,CustomerID,Date,Amount,Status\n1,1,c1,2026-11-20,5,PENDING\n"
	)
	for name, files := range map[string]map[string]func(*testing.T) io.Reader{
		"list":       {"orders.csv": text(orders), "invoices.csv": text(invoices), "invoice-payments.csv.gz": packed("InvoiceID,OrderID,Type,Amount,Date\n", "1,1,Visa,1,2026-11-20\n", "")},
		"one order":  {"orders.csv": text(orders), "order-items.csv.gz": packed("OrderID,ProductID,Price,Quantity\n", "1,p1,5,1\n", "")},
		"no order":   {"orders.csv": text(orders), "order-items.csv.gz": packed("OrderID,ProductID,Price,Quantity\n", ",p1,5,1\n", "")},
		"header":     {"customers.csv.gz": packed("CustomerID,", "x,", "\n1,2\n")},
		"cell":       {"customers.csv.gz": packed("CustomerID,Name\n1,\"", "xxxx", "\"\n")},
		"bad rows":   {"customers.csv.gz": packed("CustomerID,Name\n", "\n,x\n", "")},
		"totals":     {"totals.csv.gz": packed("Kind,Day,Shard,Count,Amount\n", "orders,2026-11-20,1,5,5\n", "")},
		"quotas":     {"quotas.csv.gz": packed("EmployeeID,Period,OrderTotal\n", "1,2026-Q4,5\n", "")},
		"items":      {"x.csv.gz": packed("PK (S),SK (S),EntityType (S)\n", "o#1,c#1,order\n", "")},
		"blank":      {"x.jsonl.gz": packed("", "\n", "")},
		"line":       {"x.jsonl.gz": packed(`{"Item":{"PK":{"S":"`, "xxxx", `"}}}`)},
		"nested":     {"x.jsonl.gz": packed(`{"Item":{"PK":`, `{"L":[`, ``)},
		"order item": {"x.jsonl.gz": packed("", `{"Item":{"PK":{"S":"o#1"},"SK":{"S":"p#1"},"EntityType":{"S":"orderItem"}}}`+"\n", "")},
		"receipts":   {"x.jsonl.gz": packed("", `{"Item":{"PK":{"S":"ACC#1"},"SK":{"S":"REC#2026-11-20#SKU#1#SUB#1"},"EntityType":{"S":"receipt"}}}`+"\n", "")},
		"employees":  {"x.jsonl.gz": packed("", `{"Item":{"PK":{"S":"e#1"},"SK":{"S":"e#1"},"EntityType":{"S":"employee"}}}`+"\n", "")},
		"total":      {"x.jsonl.gz": packed("", `{"Item":{"PK":{"S":"total#orders#2026-11#1"},"SK":{"S":"20"},"EntityType":{"S":"total"},"Version":{"N":"1"}}}`+"\n", "")},
		"document":   {"x.json.gz": packed(`{"Items":[{"PK":{"S":"`, "xxxx", `"}}]}`)},
		"metadata":   {"x.json.gz": packed(`{"Items":[],"ConsumedCapacity":"`, "xxxx", `"}`)},
		"name":       {"x.json.gz": packed(`{"Items":[],"`, "xxxx", `":[]}`)},
		"deep":       {"x.json.gz": packed(`{"Items":[`, "[", ``)},
		"blanks":     {"x.json.gz": packed(`{"Items":[`, "    ", `]}`)},
		"tables":     {"x.json.gz": packed(`{"ModelName":"x","DataModel":[`, `{"TableName":"x"},`, `{}]}`)},
		"rows":       {"x.json.gz": packed(`{"ModelName":"x","DataModel":[{"TableName":"x","TableData":[`, `{},`, `{}]}]}`)},
		"model":      {"x.json.gz": packed(`{"ModelName":"`, "xxxx", `","DataModel":[{}]}`)},
	} {
		t.Run(name, func(t *testing.T) {
			var opened []exchange.File
			for name, content := range files {
				opened = append(opened, exchange.File{Name: name, Content: content(t), Limits: exchange.Limits{Model: 16 << 20, ModelRows: 50_000, Totals: 20_000}})
			}
			s := storetest.Open(t, storetest.NewClock())
			grown := peakHeap(func() {
				sources, err := exchange.Open(opened, "")
				if err != nil {
					t.Log(err)
					return
				}
				known := exchange.NewKnown()
				for _, source := range sources {
					result, err := exchange.Import(t.Context(), s, source, exchange.ImportOptions{
						DryRun: true, Known: known, MaxRejected: 1000,
						Rejected: func([]exchange.RejectedRow) error { return nil },
					})
					t.Log(result.Counts, err)
				}
			})
			if grown > maxBombHeap {
				t.Errorf("the heap grew by %d MB, want at most %d", grown>>20, maxBombHeap>>20)
			}
		})
	}
}

func text(content string) func(*testing.T) io.Reader {
	return func(*testing.T) io.Reader { return strings.NewReader(content) }
}

func packed(start, body, end string) func(*testing.T) io.Reader {
	return func(t *testing.T) io.Reader { return bomb(t, start, body, end) }
}
