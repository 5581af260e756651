package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// printVersion prints the build information that the Go toolchain embedded.
// 'go run' embeds no commit.
func printVersion(_ context.Context, c *call) error {
	version, commit, modified := "unknown", "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " (modified)"
			}
		}
	}
	_, err := fmt.Fprintf(c.stdout, "stockroom %s\ncommit %s%s\n%s %s/%s\n", version, commit, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
