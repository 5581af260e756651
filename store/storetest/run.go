package storetest

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
)

// gcPercent and memoryLimit make the garbage collector use more memory, up to about a
// gigabyte, and less time. With Go's default, tests spend a sixth of their CPU time on
// garbage collection.
const (
	gcPercent   = 800
	memoryLimit = 1 << 30
)

// testsPerCPU is the number of parallel tests for each CPU. Many tests wait most of the
// time: for the disk, and for pauses before retries.
const testsPerCPU = 4

// Run runs the tests of a package with gcPercent, memoryLimit and testsPerCPU, unless the
// environment variable GOGC or GOMEMLIMIT, or the flag -parallel, is set.
func Run(m *testing.M) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	parallel := flag.Lookup("test.parallel") // m.Run parses the command line later, so -parallel overrides this value
	if err := parallel.Value.Set(strconv.Itoa(testsPerCPU * runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return m.Run()
}
