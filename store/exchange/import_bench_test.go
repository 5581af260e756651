package exchange_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// BenchmarkImport imports CSV files of customers and of orders, each in two sizes, with the
// memory limit of the command line. It reports the rows per second, the CPU time per row,
// and the peaks of the heap and of anonymous memory. Anonymous memory does not include the
// mapped file of the store, and must be at most maxAnonymous.
func BenchmarkImport(b *testing.B) {
	for _, n := range []int{50_000, 500_000} {
		paths := []string{customerFile(b, n)}
		b.Run(fmt.Sprintf("customers/%d", n), func(b *testing.B) { benchmarkImport(b, paths) })
	}
	for _, n := range []int{10_000, 100_000} {
		paths := shopFiles(b, newShop(n))
		b.Run(fmt.Sprintf("orders/%d", n), func(b *testing.B) { benchmarkImport(b, paths) })
	}
}

// maxAnonymous is the maximum anonymous memory of an import, in bytes.
const maxAnonymous = 200 << 20

func customerFile(b *testing.B, n int) string {
	b.Helper()
	var rows bytes.Buffer
	rows.WriteString("CustomerID,Name,Email,Phones,Address.Country,Address.City,Address.Street,Address.ZipCode\n")
	for i := range n {
		fmt.Fprintf(&rows, "c%d,Customer %d,c%d@example.com,+46 70 %07d,Sweden,Lund,Long Street,22%03d\n", i, i, i, i, i%1000)
	}
	path := filepath.Join(b.TempDir(), "customers.csv")
	if err := os.WriteFile(path, rows.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func benchmarkImport(b *testing.B, paths []string) {
	defer exchange.LimitMemory(os.Getenv)()
	rows, peak, used := 0, memoryPeak{}, time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		s := storetest.OpenSynced(b, storetest.NewClock())
		debug.FreeOSMemory()
		b.StartTimer()
		stop := peak.watch()
		before := processorTime(b)
		rows += importPaths(b, s, paths)
		used += processorTime(b) - before
		stop()
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(used.Microseconds())/float64(rows), "cpu-µs/row")
	b.ReportMetric(float64(peak.heap)/(1<<20), "MB-heap")
	b.ReportMetric(float64(peak.anonymous)/(1<<20), "MB-anonymous")
	b.ReportMetric(0, "ns/op")
	if peak.anonymous > maxAnonymous {
		b.Errorf("got %d MB of anonymous memory, want at most %d", peak.anonymous>>20, maxAnonymous>>20)
	}
}

func importPaths(b *testing.B, s *store.Store, paths []string) (rows int) {
	b.Helper()
	var files []exchange.File
	for _, path := range paths {
		content, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer content.Close()
		files = append(files, exchange.File{Name: path, Content: content})
	}
	sources, err := exchange.Open(files, "")
	if err != nil {
		b.Fatal(err)
	}
	known := exchange.NewKnown()
	for _, source := range sources {
		result, err := exchange.Import(b.Context(), s, source, exchange.ImportOptions{Known: known})
		if err != nil {
			b.Fatal(err)
		}
		sum := result.Sum()
		if rows += sum.Read; sum.Added != sum.Read {
			b.Fatalf("got %+v, want all added", sum)
		}
	}
	return rows
}

// memoryPeak is the peak of the heap and of the anonymous memory of the process, in
// bytes.
type memoryPeak struct{ heap, anonymous uint64 }

func (p *memoryPeak) watch() (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			p.heap, p.anonymous = max(p.heap, m.HeapAlloc), max(p.anonymous, anonymousMemory())
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-stopped }
}

// anonymousMemory returns the resident anonymous memory of the process, or 0 on
// systems that do not report it.
func anonymousMemory() uint64 {
	status, _ := os.ReadFile("/proc/self/status")
	lines := strings.Split(string(status), "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "RssAnon:") })
	if i < 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseUint(strings.Fields(lines[i])[1], 10, 64)
	return kilobytes << 10
}

// processorTime returns the CPU time of the process, or 0 on systems that do not
// report it.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	const user, system, tick = 11, 12, 10 * time.Millisecond // positions of the fields and the unit of time in /proc/self/stat; see proc(5)
	ticks := 0
	for _, field := range []int{user, system} {
		n, err := strconv.Atoi(strings.Fields(after)[field])
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick
}
