// Package cli is the command line of Stockroom: it parses arguments and environment
// variables, opens the table and runs one command.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

type command struct {
	name    string
	args    string   // names of the arguments, separated by spaces; a final "…" means one or more
	flags   []string // flags of the command, in addition to commonFlags
	summary string
	run     func(context.Context, *call) error
	usage   map[string]string // texts of flags that have another meaning for this command, by flag
}

var commonFlags = []string{"data", "dynamodb", "table"}

var jobFlags = []string{"date", "dry-run", "rate", "workers", "smtp", "mail-from", "public-url"}

const emailURLUsage = "`URL` at which users open the site, such as https://stock.example.com; links to the site in emails begin with it (default: emails with lists have no link, and emails with a link for a new password fail)"

var exportFlags = []string{"format", "entity", "sample", "since", "masked", "mask-key"}

// commands lists all commands. The first one is the default.
var commands = []command{
	{"serve", "", append([]string{"addr", "demo", "https", "trusted-proxies", "public-url", "security-contact", "request-timeout", "session-key", "dynamodb-addr", "metrics-addr", "payments", "stripe-url", "smtp", "mail-from", "workers", "rcu"}, ssoFlags...), "serve the back office (default command)", serve, nil},
	{"import", "FILE…", []string{"dry-run", "encoding", "id-prefix", "json", "lenient", "map", "max-refused", "merge-lines", "same-people", "suggest", "update"}, "import files: CSV named after the entity (customers.csv), DynamoDB JSON Lines (.jsonl), NoSQL Workbench models or AWS CLI output (.json), all optionally gzipped; or a folder with such files or with an export to S3; or - for standard input", importFiles, map[string]string{"dry-run": "show what would happen without changing the table; rejected rows are written to files as in an import"}},
	{"export", "DIR", exportFlags, "export the data to new files in DIR", exportFiles, nil},
	{"user add", "NAME", []string{"role", "scope", "password-stdin", "one-time"}, "add a user", addUser, nil},
	{"user passwd", "NAME", []string{"password-stdin", "one-time"}, "set a user's password", changePassword, nil},
	{"user reset-second-factor", "NAME", nil, "remove a user's second factor and end their sessions", resetSecondFactor, nil},
	{"user disable", "NAME", nil, "lock a user and end their sessions", lockUser, nil},
	{"user unlock", "NAME", nil, "unlock a user", unlockUser, nil},
	{"user role", "NAME ROLE", []string{"scope"}, "change a user's role and end their sessions; ROLE is " + store.RoleChoices(), changeRole, nil},
	{"user list", "", nil, "list users", listUsers, nil},
	{"patterns", "", []string{"json"}, "print the access patterns", printPatterns, nil},
	{"table create", "", []string{"kms-key", "tag"}, "create the table with its indexes", createTable, nil},
	{"table check", "", nil, "compare an existing table with the required schema", checkTable, nil},
	{"table shards", "", []string{"orders", "open", "bytes", "peak", "apply"}, "show the current and recommended number of shards, or change it with -apply", tableShards, nil},
	{"table totals", "", []string{"check", "rebuild"}, "compare totals, quotas and stock levels with the records that they count, or correct them (safe while serving)", tableTotals, nil},
	{"table rekey", "", nil, "add missing index keys and search words to items, and correct wrong ones (safe while serving; after an interruption, run it again to continue)", rekeyTable, nil},
	{"table cloudformation", "", nil, "print a CloudFormation template of the table", printTemplate, nil},
	{"table policy", "POLICY", nil, "print an AWS IAM policy for the table: server (servers and jobs), readonly (export, check) or setup (table create)", printPolicy, nil},
	{"table model", "", nil, "print the table design as JSON", printModel, nil},
	{"backup", "FILE", []string{"encrypt", "passphrase-file"}, "back up the embedded store to FILE (safe while serving)", backup, nil},
	{"restore", "FILE", []string{"identity", "passphrase-file"}, "restore a backup into a data folder without a store", restore, nil},
	{"compact", "", nil, "remove unused space from the file of the embedded store (safe while serving)", compact, nil},
	{"check", "", []string{"engine", "business", "json", "resume", "rcu"}, "verify the embedded store, then check the books: references, sums, states and index keys (safe while serving)", check, nil},
	{"person export", "ID", []string{"output", "dry-run"}, "write everything about a customer, renter or employee to a zip file, or count it with -dry-run", exportPerson, map[string]string{"output": "new zip `file` to write; required without -dry-run"}},
	{"person erase", "ID", []string{"dry-run"}, "erase names, contacts, addresses and notes of a customer, renter or employee (after an interruption, run it again to continue)", erasePerson, nil},
	{"audit verify", "", []string{"copy"}, "verify the seals of the history: find events that were changed, removed or inserted", verifyAudit, nil},
	{"audit export", "", []string{"from", "to", "output", "follow"}, "print the history as JSON lines, or append it to a file", exportAudit, map[string]string{"output": "`file` to which lines are appended, after those that it has (default: standard output)"}},
	{"audit seal", "", []string{"from"}, "seal the past days of the history now, without waiting for a server to do so", sealAudit, map[string]string{"from": "first `day` (UTC) to seal, such as 2026-11-21, if no day is sealed yet (default: 92 days ago)"}},
	{"job reminders", "", jobFlags, "queue the payment reminders of a day, and send the emails in the outbox", runReminders, map[string]string{"public-url": emailURLUsage}},
	{"job payments", "", append(slices.Clone(jobFlags), "payments", "stripe-url"), "charge the payments of a day, and send the emails in the outbox", runPayments, map[string]string{"public-url": emailURLUsage}},
	{"job notices", "", jobFlags, "queue the notices of a day, and send the emails in the outbox", runNotices, map[string]string{"date": "`day` of the notices, such as 2026-11-21: today or, with -dry-run, any day (default: today)", "public-url": emailURLUsage}},
	{"job emails", "", []string{"smtp", "mail-from", "public-url"}, "send the emails in the outbox", runEmails, map[string]string{"public-url": emailURLUsage, "smtp": "`address` of the mail server, such as mail.example.com:587; required"}},
	{"job check", "", []string{"rcu"}, "check the books and show the result on the Check page", checkBooks, nil},
	{"health", "", []string{"addr"}, "check that the server at -addr responds and can reach its table", checkHealth, map[string]string{"addr": "`address` of the server"}},
	{"version", "", []string{"modules"}, "print the version, commit, commit date and Go version", printVersion, nil},
}

// call is one run of the program, with its flags, arguments and environment.
type call struct {
	settings
	args           []string
	env            func(string) string
	clock          func() time.Time
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
	building       []string // names of the indexes that DynamoDB is still building
}

// Main runs the command in args, which do not contain the name of the program. It
// returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage. It prints
// errors on stderr. When ctx is cancelled, the command stops early and Main returns. A
// server first waits for the requests in progress, up to shutdownTimeout.
func Main(ctx context.Context, args []string, env func(string) string, clock func() time.Time, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{
		env:    env,
		clock:  clock,
		stdin:  stdin,
		stdout: stdout,
		stderr: stderr,
		log:    slog.New(slog.NewTextHandler(stderr, nil)),
	}
	line := newCommandLine(&c.settings)
	cmd, err := line.parse(args, env)
	if errors.Is(err, flag.ErrHelp) {
		line.help(stdout, cmd)
		return exitDone
	}
	if err == nil {
		err = c.checkLocation()
	}
	if err == nil {
		c.args = line.args
		err = cmd.run(ctx, c)
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(stderr, "stockroom: "+message(err))
	var usage usageError
	if errors.As(err, &usage) {
		line.usage(stderr, cmd)
		return exitUsage
	}
	return exitFailed
}

// usageError reports wrong usage of the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// findCommand returns the command that the first words name. The other words are its
// arguments. Without words, it returns the first command.
func findCommand(words []string) (command, []string, error) {
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
	return command{}, nil, usagef("unknown command %q", strings.Join(words[:min(2, len(words))], " "))
}

func (c command) checkArgs(args []string) error {
	names := strings.Fields(c.args)
	switch {
	case len(args) < len(names):
		return usagef("%s: missing argument %s", c.name, names[len(args)])
	case len(args) > len(names) && len(names) == 0:
		return usagef("%s: unexpected argument %q", c.name, args[0])
	case len(args) > len(names) && !strings.HasSuffix(c.args, "…"):
		return usagef("%s: unexpected argument %q after %s", c.name, args[len(names)], c.args)
	}
	return nil
}
