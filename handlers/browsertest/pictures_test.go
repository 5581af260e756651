package browsertest

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

var update = flag.Bool("update", false, "write the pictures of the documentation and the words on them anew")

const (
	picturesFolder = "../../docs/pictures" // NAME-LOOK.png
	wordsFolder    = "testdata/pictures"   // NAME-LOOK.txt: what a person reads on the picture's page
)

// pictured are the pages of which the documentation has pictures.
// The customer buys, subscribes and rents.
var pictured = []struct{ name, address string }{
	{"today", "/"},
	{"customer", "/customers/20732"},
	{"model", "/data/model"},
	{"patterns", "/data/patterns"},
	{"pattern", "/data/patterns/getOrdersByStatusForDateRange?try=yes&status=PAID&from=2026-11-01&limit=5"},
}

// looks are how each of them is looked at.
var looks = []struct {
	name string
	look
}{
	{"light", look{width: 1280}},
	{"dark", look{width: 1280, dark: true}},
	{"phone", look{width: 390}},
}

// TestPicturesAreCurrent holds the pictures of the documentation to the pages
// of the demo business as they are. Run it with -update to write them anew.
func TestPicturesAreCurrent(t *testing.T) {
	chromium(t)
	s := storetest.Open(t, storetest.NewClock())
	settings := store.DefaultSettings()
	settings.Shards, settings.ShardsRead = 1, 1 // as a new table on one machine has them
	if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	if err := demo.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	addUser(t, s, store.User{Name: "admin", Role: store.Admin})
	home := serveStore(t, s, jobs.Record{})
	for _, l := range looks {
		t.Run(l.name, func(t *testing.T) {
			b := open(t, home, l.look)
			b.logIn("admin")
			for _, p := range pictured {
				b.visit(p.address)
				b.holdStill()
				name := p.name + "-" + l.name
				if !l.dark { // in the dark a page says the same
					b.compareWords(filepath.Join(wordsFolder, name+".txt"))
				}
				b.comparePicture(filepath.Join(picturesFolder, name+".png"))
			}
		})
	}
}

// measured is what differs each time a page is made: how long reading took.
var measured = regexp.MustCompile(`\d+(\.\d+)?(e-\d+)? ms`)

// holdStill waits for the page's fonts and writes the same time wherever one
// was measured.
func (b *tab) holdStill() {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`(async () => {
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode())
			texts.currentNode.data = texts.currentNode.data.replace(/`+measured.String()+`/, "1 ms");
		await document.fonts.ready;
		return true;
	})()`, chromedp.EvalAwaitPromise)); err != nil {
		b.Fatal(err)
	}
}

// compareWords holds what a person reads on the page to a file.
func (b *tab) compareWords(file string) {
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
		b.Errorf("%s: the page says in line %d\n%q\nand was\n%q%s", file, line, gotLine, wantLine, howToUpdate)
	}
}

// comparePicture holds the page as it looks to a picture.
func (b *tab) comparePicture(file string) {
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
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, fewColours(got)); err != nil {
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
	if unlike := unlikeness(got, want); unlike > mostUnlike {
		b.Errorf("%s: %.1f %% of the page look otherwise by now%s", file, 100*unlike, howToUpdate)
	}
}

const howToUpdate = "\nIf it should: go test ./handlers/browsertest -run TestPicturesAreCurrent -update"

func (b *tab) write(file string, content []byte) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		b.Fatal(err)
	}
}

// firstDifference is the first line in which two texts differ.
func firstDifference(a, b string) (line int, inA, inB string, differ bool) {
	linesA, linesB := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(linesA), len(linesB)) {
		inA, inB = "", ""
		if i < len(linesA) {
			inA = linesA[i]
		}
		if i < len(linesB) {
			inB = linesB[i]
		}
		if inA != inB {
			return i + 1, inA, inB, true
		}
	}
	return 0, "", "", false
}
