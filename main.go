// Command stockroom is a back office for a business that keeps all its data in
// one DynamoDB table.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // embeds the time zone database, for systems without one, such as a container

	"stockroom/handlers/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // restores the default signal handling, so that a second signal ends the program immediately
	os.Exit(cli.Main(ctx, os.Args[1:], os.Getenv, time.Now, os.Stdin, os.Stdout, os.Stderr))
}
