package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestAudit checks that the history of an import can be sealed, verified and exported. It
// then cuts off the end of the exported file, as if the export had been killed. The next
// export must complete the file.
func TestAudit(t *testing.T) {
	folder := t.TempDir()
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	run(t, "audit", "verify", "-data", folder).want(t, exitFailed, "cannot use the key that seals the history")
	// wantProblem runs 'audit verify', and fails the test unless the command prints the
	// problem.
	wantProblem := func(env environment, problem string, flags ...string) {
		t.Helper()
		r := runWith(t, env, "", append([]string{"audit", "verify", "-data", folder}, flags...)...)
		r.want(t, exitFailed, "the history does not match its seals")
		if !strings.Contains(r.stdout, problem) {
			t.Errorf("got no problem %q in:\n%s", problem, r.stdout)
		}
	}
	keyed := environment{auditKeyVariable: strings.Repeat("k", 40)}
	runWith(t, environment{auditKeyVariable: "short"}, "", "audit", "verify", "-data", folder).want(t, exitUsage, "key 1 of "+auditKeyVariable+" has 5 characters, but needs at least 32")
	wantProblem(keyed, "the table has no seal")
	runWith(t, keyed, "", "audit", "seal", "-from", "yesterday", "-data", folder).want(t, exitUsage, "enter a day such as")
	runWith(t, keyed, "", "audit", "seal", "-data", folder).want(t, exitDone, "Days sealed: 1", "Newest seal: ")
	runWith(t, keyed, "", "audit", "seal", "-data", folder).want(t, exitDone, "Days sealed: 0")
	runWith(t, keyed, "", "audit", "verify", "-data", folder).want(t, exitDone, "Sealed days: 1, from ", "Newest seal: ")
	wantProblem(environment{auditKeyVariable: strings.Repeat("x", 40)}, "sealed with another key")

	output := filepath.Join(t.TempDir(), "history.jsonl")
	run(t, "audit", "export", "-data", folder, "-output", output).want(t, exitDone)
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	types, imported := map[string]int{}, false
	for line := range bytes.Lines(text) {
		var l struct {
			Type  string
			Event struct{ Sentence string }
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("line %s: got error %v", line, err)
		}
		types[l.Type]++
		imported = imported || strings.HasPrefix(l.Event.Sentence, "Imported warehouses.csv")
	}
	if types["seal"] != 1 || !imported || len(types) != 2 {
		t.Errorf("got lines %v, want 1 seal and the event of the import", types)
	}
	// A killed export leaves an incomplete last line.
	save(t, output, string(text[:len(text)-20]))
	run(t, "audit", "export", "-data", folder, "-output", output).want(t, exitDone)
	if again, err := os.ReadFile(output); err != nil || !bytes.Equal(again, text) {
		t.Errorf("after a killed export: got %d bytes, error %v, want the same %d bytes", len(again), err, len(text))
	}
	// It can also leave a complete last line without the newline.
	save(t, output, string(text[:len(text)-1]))
	run(t, "audit", "export", "-data", folder, "-output", output).want(t, exitDone)
	if again, err := os.ReadFile(output); err != nil || !bytes.Equal(again, text) {
		t.Errorf("after a killed export without the newline: got %d bytes, error %v, want the same %d bytes", len(again), err, len(text))
	}
	runWith(t, keyed, "", "audit", "verify", "-data", folder, "-copy", output).want(t, exitDone)
	torn := save(t, filepath.Join(folder, "torn.jsonl"), string(text)+`{"type":"event","ev`)
	runWith(t, keyed, "", "audit", "verify", "-data", folder, "-copy", torn).want(t, exitDone)
	falsified := strings.Replace(string(text), `"MAC":"`, `"MAC":"00`, 1)
	wantProblem(keyed, "the seal differs from the copy", "-copy", save(t, output, falsified))
	run(t, "audit", "export", "-data", folder, "-output", save(t, output, "{\"a\":1}\n")).want(t, exitFailed, "audit export' did not write")
	run(t, "audit", "export", "-data", folder, "-follow", "-to", "2026-11-20").want(t, exitUsage, "use either -follow or -to")

	server := startServer(t, "-data", folder) // with a new key
	if server.stop(); !strings.Contains(server.stderr.String(), "the history is sealed with another key") {
		t.Errorf("got the log %s, want a warning about the missing key", server.stderr.String())
	}
}

// TestAuditExport_ContinuesWithoutSeals interrupts 'audit export -follow' before any day is
// sealed, and starts it again two days later. The file must then have the events of all
// days.
func TestAuditExport_ContinuesWithoutSeals(t *testing.T) {
	const day = 24 * time.Hour
	folder := t.TempDir()
	runAt := func(ahead time.Duration, args ...string) {
		t.Helper()
		if code := Main(t.Context(), append(args, "-data", folder), environment{}.get, clockAhead(ahead).Now, strings.NewReader(""), &buffer{}, &buffer{}); code != exitDone {
			t.Fatalf("%s: got exit code %d, want %d", args, code, exitDone)
		}
	}
	// follow runs the export until the file contains a text.
	follow := func(ahead time.Duration, output, text string) (content string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		go func() {
			for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
				if content, _ := os.ReadFile(output); strings.Contains(string(content), text) {
					cancel()
				}
			}
		}()
		var errors buffer
		if code := Main(ctx, []string{"audit", "export", "-follow", "-output", output, "-data", folder}, environment{}.get, clockAhead(ahead).Now, strings.NewReader(""), &buffer{}, &errors); code != exitDone {
			t.Fatalf("got exit code %d, want %d: %s", code, exitDone, errors.String())
		}
		written, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		return string(written)
	}
	want := func(content string, files ...string) {
		t.Helper()
		for _, file := range files {
			if n := strings.Count(content, "Imported "+file); n != 1 {
				t.Errorf("got %d events about %s, want 1, in:\n%s", n, file, content)
			}
		}
	}
	imported := func(ahead time.Duration, file, content string) {
		t.Helper()
		runAt(ahead, "import", save(t, filepath.Join(folder, file), content))
	}
	output, empty := filepath.Join(folder, "history.jsonl"), save(t, filepath.Join(folder, "empty.jsonl"), "")
	startServer(t, "-data", folder)
	imported(0, "warehouses.csv", "WarehouseID,Name\n12345,Malmö\n")
	follow(0, output, "warehouses.csv")
	imported(day, "customers.csv", "CustomerID,Name\nc1,Kim\n")
	imported(2*day, "products.csv", "ProductID,Price,Detail.Name\np1,5,Lamp\n")
	want(follow(2*day, output, "products.csv"), "warehouses.csv", "customers.csv", "products.csv")

	// An earlier export created the other file on the second day, and found no event.
	if created := clockAhead(day).Now(); os.Chtimes(empty, created, created) != nil {
		t.Fatal("cannot set the time of the file")
	}
	want(follow(2*day, empty, "products.csv"), "customers.csv", "products.csv")
}

// TestAuditExport_ReportsEarlierEvents appends to a file that begins after the first event.
// The export must fail if -from asks for the events before the file, and only then.
func TestAuditExport_ReportsEarlierEvents(t *testing.T) {
	folder := t.TempDir()
	imported := func(ahead time.Duration, file, content string) {
		t.Helper()
		path := save(t, filepath.Join(folder, file), content)
		if code := Main(t.Context(), []string{"import", path, "-data", folder}, environment{}.get, clockAhead(ahead).Now, strings.NewReader(""), &buffer{}, &buffer{}); code != exitDone {
			t.Fatalf("import of %s: got exit code %d, want %d", file, code, exitDone)
		}
	}
	day := func(ahead int) string { return clock.Now().AddDate(0, 0, ahead).Format(time.DateOnly) }
	imported(0, "warehouses.csv", "WarehouseID,Name\n12345,Malmö\n")
	imported(5*24*time.Hour, "customers.csv", "CustomerID,Name\nc1,Kim\n")
	output := filepath.Join(folder, "history.jsonl")
	export := func(from int) result {
		t.Helper()
		return run(t, "audit", "export", "-from", day(from), "-to", day(5), "-output", output, "-data", folder)
	}
	export(3).want(t, exitDone)
	export(1).want(t, exitDone)
	export(-2).want(t, exitFailed, output+" begins on "+day(5), "has events of "+day(0), "choose another file with -output")
	if text, err := os.ReadFile(output); err != nil || strings.Count(string(text), "Imported") != 1 || !strings.Contains(string(text), "Imported customers.csv") {
		t.Errorf("got error %v and another file than the event of the second import:\n%s", err, text)
	}
}

// TestAuditExport_FollowLetsServersStart starts 'audit export -follow' while a process listens
// but does not answer. It then starts a server, and another one after the first has ended.
// Both must be able to open the data folder, and the export must write the events of both.
func TestAuditExport_FollowLetsServersStart(t *testing.T) {
	t.Parallel() // the test waits for a timeout
	folder := t.TempDir()
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	var log, output buffer
	c := &call{
		settings: settings{data: folder, table: "OnlineShop"},
		env:      environment{}.get, clock: clock.Now, log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	x := newAuditExporter(clock.Now().UTC().Truncate(24 * time.Hour))
	x.out, x.interval = bufio.NewWriter(&output), 10*time.Millisecond
	silent, err := net.Listen("unix", filepath.Join(folder, socketName))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.followAudit(ctx, x) }()
	wait := func(in *buffer, text string, count int) {
		t.Helper()
		for strings.Count(in.String(), text) < count {
			select {
			case err := <-ended:
				t.Fatalf("got error %v without %q, want the export to continue", err, text)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	wait(&log, "does not answer", 1)
	if err := silent.Close(); err != nil {
		t.Fatal(err)
	}
	first := startServer(t, "-data", folder)
	wait(&output, "Imported warehouses.csv", 1)
	if code := first.stop(); code != exitDone {
		t.Fatalf("server: got exit code %d: %s", code, first.stderr.String())
	}
	wait(&log, "waiting for a server", 2)
	startServer(t, "-data", folder)
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "customers.csv"), "CustomerID,Name\nc1,Kim\n")).want(t, exitDone)
	wait(&output, "Imported customers.csv", 1)
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("after the interruption: got error %v, want none", err)
	}
}

// TestAuditExport_StopsReadingOldDays repeats an export of days without seals. After 60 days,
// it must not read the first days again, nor remember their lines. When the days are sealed,
// it must write their seals.
func TestAuditExport_StopsReadingOldDays(t *testing.T) {
	const days = 60
	folder := t.TempDir()
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	later := clockAhead(days * 24 * time.Hour)
	s := store.New(storetest.EmbeddedAt(t, folder, later), "OnlineShop", later.Now)
	var out bytes.Buffer
	x := newAuditExporter(clock.Now().UTC().Truncate(24 * time.Hour))
	x.out = bufio.NewWriter(&out)
	write := func(now time.Time) (reads int) {
		t.Helper()
		trace := &store.Trace{}
		if err := x.write(store.WithTrace(t.Context(), trace), s, now); err != nil {
			t.Fatal(err)
		}
		return len(trace.Reads())
	}
	write(clock.Now())
	if out.Len() == 0 || len(x.written) == 0 {
		t.Fatal("got no event, want the event of the import")
	}
	write(later.Now())
	out.Reset()
	if reads := write(later.Now()); reads > 30 || len(x.written) > 0 || out.Len() > 0 {
		t.Errorf("got %d reads, %d remembered lines and the output %q; want at most 30 reads and nothing else", reads, len(x.written), out.String())
	}
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey(strings.Repeat("k", 40))})
	if _, sealed, err := s.SealDays(t.Context(), time.Time{}); err != nil || sealed != days {
		t.Fatalf("got %d sealed days, error %v, want %d", sealed, err, days)
	}
	write(later.Now())
	if got := strings.Count(out.String(), `"type":"seal"`); got != days {
		t.Errorf("got %d seals, want %d", got, days)
	}
	out.Reset()
	if reads := write(later.Now()); reads > 10 || out.Len() > 0 {
		t.Errorf("after the seals: got %d reads and the output %q, want at most 10 reads and no output", reads, out.String())
	}
}

// sealingTable is a table that calls seal before the third read of a seal.
type sealingTable struct {
	store.DB
	reads int
	seal  func()
}

func (d *sealingTable) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if pk, ok := in.Key["PK"].(*types.AttributeValueMemberS); ok && strings.HasPrefix(pk.Value, "auditSeals#") {
		if d.reads++; d.reads == 3 {
			d.seal()
		}
	}
	return d.DB.GetItem(ctx, in, options...)
}

// TestAuditExport_SealsWrittenMeanwhile seals all days while an export reads them. The export
// has then read the first days without their seals. It must write the seal of each day, in
// order.
func TestAuditExport_SealsWrittenMeanwhile(t *testing.T) {
	const days = 5
	folder := t.TempDir()
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	later := clockAhead(days * 24 * time.Hour)
	db := storetest.EmbeddedAt(t, folder, later)
	sealing := store.New(db, "OnlineShop", later.Now)
	sealing.UseAuditKeys(store.AuditKeys{store.NewAuditKey(strings.Repeat("k", 40))})
	first := clock.Now().UTC().Truncate(24 * time.Hour)
	table := &sealingTable{DB: db, seal: func() {
		if _, sealed, err := sealing.SealDays(t.Context(), time.Time{}); err != nil || sealed != days {
			t.Errorf("got %d sealed days, error %v, want %d", sealed, err, days)
		}
	}}
	var out bytes.Buffer
	x := newAuditExporter(first)
	x.out = bufio.NewWriter(&out)
	if err := x.write(t.Context(), store.New(table, "OnlineShop", later.Now), later.Now()); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for lines := json.NewDecoder(&out); lines.More(); {
		var line store.AuditLine
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if line.Seal != nil {
			got = append(got, line.Seal.Day.Format(time.DateOnly))
		}
	}
	for day := range days {
		want = append(want, first.AddDate(0, 0, day).Format(time.DateOnly))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the seals of %v, want %v", got, want)
	}
}
