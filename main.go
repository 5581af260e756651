// Command stockroom is the back office of a business that lives in one
// DynamoDB table. Here are its signals and its exit code and nothing else.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"stockroom/handlers/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(cli.Main(ctx, os.Args[1:], os.Getenv, time.Now, os.Stdin, os.Stdout, os.Stderr))
}
