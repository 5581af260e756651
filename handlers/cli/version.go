package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Commit and Date are set with -ldflags -X in builds from sources without Git, such as an
// archive. If they are empty, printVersion prints the values that the Go toolchain embeds.
var (
	Commit = ""
	Date   = "" // date of the commit, in the format of RFC 3339
)

// printVersion prints the build information or, with -modules, the modules. A binary of
// 'go run' contains no commit.
func printVersion(_ context.Context, c *call) error {
	if c.modules {
		return printModules(c.stdout)
	}
	version, commit, date, modified := "unknown", Commit, Date, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && Commit == "":
				commit = s.Value
			case s.Key == "vcs.time" && Date == "":
				date = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " (modified)"
			}
		}
	}
	_, err := fmt.Fprintf(c.stdout, "stockroom %s\ncommit %s%s\ndate %s\n%s %s/%s\n",
		version, cmp.Or(commit, "unknown"), modified, cmp.Or(date, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
