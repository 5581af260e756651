// Package cli is the terminal's way into the program: it reads arguments and
// environment, opens the table on whichever engine keeps it, and runs one
// command. What a command does to the business is package store's; what is
// sent to a browser is package handlers'.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// command is one row of the table of commands.
type command struct {
	name  string
	args  string   // what stands behind the name; "…" at its end: one or more
	flags []string // besides those that go with every command
	does  string
	run   func(context.Context, *call) error
}

// commonFlags go with every command.
var commonFlags = []string{"data", "dynamodb", "table"}

// jobFlags go with every daily job.
var jobFlags = []string{"date", "rehearse", "rate", "smtp", "mail-from"}

// commands are all of them. The first one runs where none is named.
var commands = []command{
	{"serve", "", []string{"addr", "demo", "https", "session-key", "dynamodb-addr", "smtp", "mail-from"}, "serve the back office (the default)", serve},
	{"import", "FILE…", []string{"dry-run", "id-prefix", "same-people"}, "load CSV named after its entity (customers.csv), DynamoDB's JSON lines (.jsonl, .jsonl.gz), or NoSQL Workbench models (.json); - is standard input", importFiles},
	{"export", "DIR", []string{"format", "entity", "sample"}, "write the business into a folder, a file for each entity", exportFiles},
	{"user add", "NAME", []string{"role", "scope", "password-stdin", "one-time"}, "add an account", addUser},
	{"user passwd", "NAME", []string{"password-stdin", "one-time"}, "give an account another password", changePassword},
	{"user disable", "NAME", nil, "lock an account and end its sessions", disableUser},
	{"user list", "", nil, "list the accounts", listUsers},
	{"patterns", "", []string{"json"}, "print the access patterns that the program asks its table", printPatterns},
	{"table create", "", nil, "create the table with its indexes", createTable},
	{"table shards", "", []string{"orders", "open", "bytes", "apply"}, "say over how many shards the keys of busy lists are spread and over how many they should be, or spread them", tableShards},
	{"table check", "", nil, "say what an existing table lacks", checkTable},
	{"table cloudformation", "", nil, "print a CloudFormation template of the table", printTemplate},
	{"table model", "", nil, "print the design of the table as JSON", printModel},
	{"backup", "FILE", nil, "write the embedded store as it is now into a new file, also while it is served", backup},
	{"restore", "FILE", nil, "make the embedded store of a backup, where there is none", restore},
	{"check", "", nil, "read the whole embedded store and say what is wrong with it, also while it is served", check},
	{"job reminders", "", jobFlags, "send the reminders of a day", runReminders},
	{"job payments", "", jobFlags, "take the payments of a day", runPayments},
	{"version", "", nil, "print version, commit and Go version", printVersion},
}

// call is one run of the program: what it was asked to do, and where it
// answers.
type call struct {
	settings
	args           []string
	env            func(string) string
	clock          func() time.Time
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
}

// Main runs the command that args name, without the program's own name, and
// returns the exit code: 0 it is done, 1 it failed and said why on stderr, 2
// it was called the wrong way. It ends early when ctx does, after what is
// under way.
func Main(ctx context.Context, args []string, env func(string) string, clock func() time.Time, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{
		env: env, clock: clock, stdin: stdin, stdout: stdout, stderr: stderr,
		log: slog.New(slog.NewTextHandler(stderr, nil)),
	}
	line := newLine(&c.settings)
	found, err := line.parse(args, env)
	if errors.Is(err, flag.ErrHelp) {
		line.help(stdout, found)
		return exitDone
	}
	if err == nil {
		c.args = line.args
		err = found.run(ctx, c)
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(stderr, "stockroom: "+sentence(err))
	var wrong usageError
	if errors.As(err, &wrong) {
		fmt.Fprintln(stderr)
		line.help(stderr, found)
		return exitUsage
	}
	return exitFailed
}

// usageError says how the program was called the wrong way.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// commandOf finds the command that the words of the line begin with, and what
// stands behind it.
func commandOf(words []string) (command, []string, error) {
	if len(words) == 0 {
		return commands[0], nil, nil
	}
	for _, c := range commands {
		name := strings.Fields(c.name)
		if len(words) >= len(name) && strings.Join(words[:len(name)], " ") == c.name {
			args := words[len(name):]
			return c, args, c.checkArgs(args)
		}
	}
	return command{}, nil, usagef("there is no command %q", strings.Join(words[:min(2, len(words))], " "))
}

func (c command) checkArgs(args []string) error {
	switch {
	case c.args == "" && len(args) > 0:
		return usagef("%s takes no %q", c.name, args[0])
	case c.args != "" && len(args) == 0:
		return usagef("%s needs %s", c.name, c.args)
	case len(args) > 1 && !strings.HasSuffix(c.args, "…"):
		return usagef("%s takes one %s, not also %q", c.name, c.args, args[1])
	}
	return nil
}
