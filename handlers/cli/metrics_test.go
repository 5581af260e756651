package cli

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestCached_ReadsOncePerLifetime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0.0
		value := cached(30*time.Second, func() float64 { reads++; return reads })
		expect := func(want float64) {
			t.Helper()
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if got := value(); got != want {
						t.Errorf("got value of read %v, want %v", got, want)
					}
				})
			}
			all.Wait()
		}
		expect(1)
		time.Sleep(29 * time.Second)
		expect(1)
		time.Sleep(time.Second)
		expect(2)
	})
}
