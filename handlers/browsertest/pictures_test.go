package browsertest

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/views"
)

var update = flag.Bool("update", false, "write the screenshots of the documentation and their texts")

const (
	picturesFolder = "../../docs/pictures" // contains the files PAGE-SCREEN.png
	textsFolder    = "testdata/pictures"   // contains the files PAGE-SCREEN.txt with the visible text of each page
)

// screenshots lists the pages whose screenshots are in docs/pictures.
var screenshots = []struct{ name, address string }{
	{"today", "/"},
	{"orders", "/orders?status=PAID&limit=8"},
	{"order", "/orders/104890"},
	{"pick-list", "/orders/pick?order=100001&order=100864&order=101457&warehouse=101"},
	{"products", "/products?limit=8"},
	{"product", "/products/3024"},
	{"warehouse", "/warehouses/101/low?limit=3"},
	{"delivery", "/warehouses/101/receive"},
	{"count", views.CountPath(pictureCount, 1)},
	{"invoice", "/invoices/504890"},
	{"subscription", "/accounts/20571"},
	{"store", "/stores/7002"},
	{"customer", "/customers/20732"},
}

// screens lists the screens for the screenshots.
var screens = []struct {
	name string
	screen
}{
	{"light", screen{width: 1280}},
	{"dark", screen{width: 1280, dark: true}},
	{"phone", screen{width: 390}},
}

// TestPicturesAreCurrent compares the stored screenshots and texts with the pages of
// the demo business. With the flag -update, it replaces the stored screenshots and
// texts.
func TestPicturesAreCurrent(t *testing.T) {
	chromium(t)
	s, count := demoStore(t)
	baseURL := serveStore(t, s, jobs.Record{})
	for _, sc := range screens {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, baseURL, sc.screen)
			b.signIn("admin")
			for _, shot := range screenshots {
				b.visit(strings.Replace(shot.address, pictureCount, count, 1))
				b.freeze()
				name := shot.name + "-" + sc.name
				if !sc.dark { // the dark page has the same text
					b.compareText(filepath.Join(textsFolder, name+".txt"))
				}
				b.compareScreenshot(filepath.Join(picturesFolder, name+".png"))
			}
		})
	}
}

// pictureCount is a placeholder for the ID of the stock count in the addresses of
// screenshots.
const pictureCount = "COUNT"

// demoStore returns the demo business with a partly paid order and a started stock
// count, and the ID of the count.
func demoStore(t *testing.T) (s *store.Store, count string) {
	t.Helper()
	s = storetest.Open(t, storetest.NewClock())
	settings := store.DefaultSettings()
	settings.Shards, settings.ShardsRead = 1, 1 // as in a new embedded store
	if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	if err := demo.Load(t.Context(), s, demo.Full); err != nil {
		t.Fatal(err)
	}
	admin := store.User{Name: "admin", Role: store.Admin}
	addUser(t, s, admin)
	access := s.As(&admin)
	if err := access.NoteOnOrder(t.Context(), "104890", "Customer pays the rest on Monday", ""); err != nil {
		t.Fatal(err)
	}
	err := access.RecordPayment(t.Context(), store.PaymentRequest{
		InvoiceID: "504890",
		Version:   1,
		Voucher:   store.Payment{Type: "GiftCard", Amount: store.MinorUnits(5000), Data: "GC-2048"},
		Rest:      store.Payment{Type: "Visa", Amount: store.MinorUnits(25000), Data: "4242"},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if count, err = access.StartCount(t.Context(), store.Count{WarehouseID: "101", FromBin: "A-01", ToBin: "A-20"}, ""); err != nil {
		t.Fatal(err)
	}
	return s, count
}

// freeze replaces everything on the page that differs between two visits: measured times
// and generated IDs. It then waits for the fonts of the page.
func (b *tab) freeze() {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`(async () => {
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode())
			texts.currentNode.data = texts.currentNode.data
				.replace(/\d+(\.\d+)?(e-\d+)? ms/, "1 ms")
				.replace(/\b01[0-9A-Z]{24}\b/g, "01M7YTFR205C0GCDMPWT9F6HWC");
		await document.fonts.ready;
		return true;
	})()`, chromedp.EvalAwaitPromise)); err != nil {
		b.Fatal(err)
	}
}

// compareText compares the visible text of the page with a stored file.
func (b *tab) compareText(file string) {
	b.Helper()
	read, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
	if err != nil {
		b.Fatal(err)
	}
	got := strings.TrimSpace(read) + "\n"
	if *update {
		b.write(file, []byte(got))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	if line, gotLine, wantLine, differ := firstDifference(got, string(want)); differ {
		b.Errorf("%s, line %d: got %q, want %q%s", file, line, gotLine, wantLine, howToUpdate)
	}
}

// compareScreenshot compares the page with a stored screenshot.
func (b *tab) compareScreenshot(file string) {
	b.Helper()
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.Fatal(err)
	}
	if *update {
		var small bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, quantize(got)); err != nil {
			b.Fatal(err)
		}
		b.write(file, small.Bytes())
		return
	}
	content, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		b.Fatalf("%s: %v", file, err)
	}
	if share := differingShare(got, want); share > maxDifference {
		b.Errorf("%s: %.1f%% of the page differ, want at most %.1f%%%s", file, 100*share, 100*maxDifference, howToUpdate)
	}
}

const howToUpdate = "\nIf the change is intended, run: go test ./handlers/browsertest -run TestPicturesAreCurrent -update"

func (b *tab) write(file string, content []byte) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		b.Fatal(err)
	}
}

// firstDifference returns the first line in which a and b differ.
func firstDifference(a, b string) (line int, lineA, lineB string, differ bool) {
	linesA, linesB := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(linesA), len(linesB)) {
		lineA, lineB = "", ""
		if i < len(linesA) {
			lineA = linesA[i]
		}
		if i < len(linesB) {
			lineB = linesB[i]
		}
		if lineA != lineB {
			return i + 1, lineA, lineB, true
		}
	}
	return 0, "", "", false
}
