package exchange_test

import (
	"io"
	"testing"

	"stockroom/store/demo"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// BenchmarkExport exports the demo business in each format, once masked, and once with
// only the changes of the last week.
func BenchmarkExport(b *testing.B) {
	s := storetest.Open(b, storetest.NewClock())
	if err := demo.Load(b.Context(), s, demo.Full); err != nil {
		b.Fatal(err)
	}
	settings, err := s.Settings(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	mask, err := exchange.NewMasker(nil)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, options exchange.ExportOptions) {
		b.Run(name, func(b *testing.B) {
			options.Files, _ = exchange.FileNames(options.Format, nil)
			options.Shards = settings.Shards
			options.Create = func(string) (io.WriteCloser, error) { return discard{io.Discard}, nil }
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				exported, err := exchange.Export(b.Context(), s, options)
				if err != nil {
					b.Fatal(err)
				}
				for _, n := range exported {
					rows += n
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
	for _, format := range exchange.Formats {
		run(string(format), exchange.ExportOptions{Format: format})
	}
	run("masked", exchange.ExportOptions{Format: exchange.FormatLines, Mask: mask})
	run("since", exchange.ExportOptions{Format: exchange.FormatLines, Since: storetest.Now.AddDate(0, 0, -7)})
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }
