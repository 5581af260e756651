package storetest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// benchCustomers is the number of customers for BenchmarkSearch. The environment
// variable STOCKROOM_BENCH_CUSTOMERS overrides it.
const benchCustomers = 20_000

// benchSearches is the number of searches of each kind in one iteration.
const benchSearches = 500

// BenchmarkSearch alternates searches by words and by IDs. It reports the median time of
// each kind of search, and its ratio to that of searches by ID. Each given name and each
// family name belongs to many customers.
func BenchmarkSearch(b *testing.B) {
	customers := benchCustomers
	if n, err := strconv.Atoi(os.Getenv("STOCKROOM_BENCH_CUSTOMERS")); err == nil {
		customers = n
	}
	s := storetest.Open(b, storetest.NewClock())
	names := loadCustomers(b, s, customers)
	a := s.As(admin)
	random := rand.New(rand.NewPCG(1, 2))
	searches := map[string]func() string{
		"ID":        func() string { return fmt.Sprintf("%07d", random.IntN(customers)) },
		"word":      func() string { return names.family[random.IntN(len(names.family))] },
		"beginning": func() string { return names.family[random.IntN(len(names.family))][:3] },
		"words": func() string {
			return names.family[random.IntN(len(names.family))] + " " + names.given[random.IntN(len(names.given))]
		},
	}
	kinds := []string{"ID", "word", "beginning", "words"}
	took := map[string][]time.Duration{}
	b.ResetTimer()
	for range b.N * benchSearches {
		for _, kind := range kinds {
			text := searches[kind]()
			began := time.Now()
			if _, err := a.Search(b.Context(), text); err != nil {
				b.Fatal(text, err)
			}
			took[kind] = append(took[kind], time.Since(began))
		}
	}
	median := func(kind string) float64 {
		slices.Sort(took[kind])
		return float64(took[kind][len(took[kind])/2])
	}
	for _, kind := range kinds {
		b.ReportMetric(median(kind)/1e3, kind+"-µs")
		b.ReportMetric(median(kind)/median("ID"), kind+"/ID")
	}
}

type benchNames struct{ given, family []string }

// loadCustomers loads customers with 500 given names and 2,000 family names. Some
// names are much more frequent than others.
func loadCustomers(b *testing.B, s *store.Store, customers int) benchNames {
	b.Helper()
	syllables := []string{"an", "ber", "car", "dal", "el", "fin", "gar", "hol", "is", "jon", "kar", "lin", "mar", "nor", "ols", "per", "ros", "son", "ti", "vik"}
	random := rand.New(rand.NewPCG(3, 4))
	word := func(n int) string {
		name := ""
		for range n {
			name += syllables[random.IntN(len(syllables))]
		}
		return name
	}
	var names benchNames
	for range 500 {
		names.given = append(names.given, word(2))
	}
	for range 2000 {
		names.family = append(names.family, word(3))
	}
	pick := func(from []string) string { return from[min(random.IntN(len(from)), random.IntN(len(from)))] }
	began := time.Now()
	const chunk = 50_000
	for start := 0; start < customers; start += chunk {
		var entities []store.Entity
		for n := start; n < min(customers, start+chunk); n++ {
			id := fmt.Sprintf("%07d", n)
			entities = append(entities, &store.Customer{
				ID: id, Name: pick(names.given) + " " + pick(names.family), Email: id + "@example.com", Phones: []string{fmt.Sprintf("+46 70 %07d", n)},
				Address: store.Address{City: "Lund", Country: "Sweden"}, Version: 1,
			})
		}
		if _, err := s.Load(b.Context(), entities, store.LoadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d customers loaded at %.0f a second", customers, float64(customers)/time.Since(began).Seconds())
	return names
}
