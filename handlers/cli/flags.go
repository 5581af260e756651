package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/jobs"
	"stockroom/web"
)

type settings struct {
	data, table        string
	dynamodb           bool
	addr, dynamodbAddr string
	metricsAddr        string
	sessionKeys        string
	demo, https        bool
	trustedProxies     string
	publicURL          string
	securityContact    string
	requestTimeout     time.Duration
	dryRun, json       bool
	modules            bool

	sso ssoSettings

	encrypt, identity, passphraseFile string
	role, scope                       string
	date, smtp, mailFrom              string
	rate                              int
	payments, stripeURL               string
	passwordStdin, oneTime            bool
	idPrefix                          string
	samePeople                        bool
	mapping                           string
	suggest                           bool
	update                            bool
	mergeLines, lenient               bool
	maxRefused                        int
	encoding                          string
	format, entities                  string
	orders, bytes, apply              int
	openPercent                       string
	check, rebuild                    bool
	engine, business                  bool
	resume                            string
	rcu, workers                      int
	peak                              float64
	sample                            int
	since, maskKey                    string
	masked                            bool
	from, to, output                  string
	follow                            bool
	copied                            string
	kmsKey                            string
	tags                              []types.Tag
}

// aliases maps old names of flags to their current names. Old names still work, but -h
// does not list them.
var aliases = map[string]string{"rehearse": "dry-run"}

// commandLine is the parsed command line. Flags can be at any position. The other arguments
// are called words.
type commandLine struct {
	flags *flag.FlagSet
	words []string // name of the command and its arguments
	args  []string // arguments of the command
}

const (
	defaultData  = "./data"
	defaultTable = "OnlineShop"
)

// newCommandLine declares the flags of all commands. The flags can be parsed before the
// command is known, because a flag means the same for all commands.
func newCommandLine(s *settings) *commandLine {
	f := flag.NewFlagSet("stockroom", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&s.data, "data", defaultData, "`folder` of the embedded store")
	f.BoolVar(&s.dynamodb, "dynamodb", false, "use Amazon DynamoDB; credentials, region and endpoint come from the AWS SDK's usual sources")
	f.StringVar(&s.table, "table", defaultTable, "`name` of the table")
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` on which the server listens")
	f.BoolVar(&s.demo, "demo", false, "load the demo business if the table has no business data, or continue an interrupted load")
	f.BoolVar(&s.https, "https", false, "run behind an HTTPS proxy: send cookies over HTTPS only, and read the client's address from X-Forwarded-For (see -trusted-proxies)")
	f.StringVar(&s.trustedProxies, "trusted-proxies", loopback, "comma-separated `networks` of the proxies whose X-Forwarded-For is trusted; requires -https")
	f.StringVar(&s.publicURL, "public-url", "", "`URL` at which users open the site, such as https://stock.example.com; requests with another host are rejected; links to the site in QR codes and emails begin with it (default: accept any host; QR codes have the host of the request; emails with lists have no link)")
	f.StringVar(&s.securityContact, "security-contact", "", "`URI` for reports of vulnerabilities in /.well-known/security.txt, such as mailto:security@example.com (default: no such file)")
	f.DurationVar(&s.requestTimeout, "request-timeout", web.DefaultRequestTimeout, fmt.Sprintf("`time` that a page may take before its request is cancelled, up to %s; uploads and downloads may take longer", maxRequestTimeout))
	f.StringVar(&s.sessionKeys, "session-key", "", "deprecated, because other users of the machine can see flags: set the environment variable instead; comma-separated `keys` that sign cookies, newest first, at least 32 characters each (default: one key, generated once and kept in the table)")
	f.StringVar(&s.dynamodbAddr, "dynamodb-addr", "", "loopback `address` at which the DynamoDB API of the embedded store is available")
	f.StringVar(&s.metricsAddr, "metrics-addr", "", "`address` at which metrics for Prometheus are available under /metrics; an address without a host, such as :9100, means loopback; on loopback, profiles are available under /debug/pprof/")
	f.BoolVar(&s.dryRun, "dry-run", false, "show what would happen without changing anything")
	f.Func("encrypt", "public age `key` (age1…) that encrypts the backup", notEmpty(&s.encrypt))
	f.StringVar(&s.identity, "identity", "", "`file` with the secret age keys that decrypt the backup")
	f.Func("passphrase-file", "`file` whose first line is the passphrase of the backup", notEmpty(&s.passphraseFile))
	f.BoolVar(&s.modules, "modules", false, "print all modules of the program as a software bill of materials, in CycloneDX format (JSON)")
	f.BoolVar(&s.dryRun, "rehearse", false, "")
	f.StringVar(&s.role, "role", "viewer", "`role` of the user: "+store.RoleChoices())
	f.StringVar(&s.scope, "scope", "", "warehouses and stores of a manager, as a comma-separated `list`: w#12345,store#7")
	f.BoolVar(&s.passwordStdin, "password-stdin", false, "read the password from standard input")
	f.BoolVar(&s.oneTime, "one-time", false, "generate and print a password that is valid for 24 hours and that the user must change at the first sign-in")
	f.StringVar(&s.date, "date", "", "`day` to run the job for, such as 2026-11-21 (default: today)")
	f.IntVar(&s.rate, "rate", 0, "maximum `number` of subscriptions or notices per second; 0 means no limit")
	f.IntVar(&s.workers, "workers", jobs.DefaultWorkers, fmt.Sprintf("`number` of subscriptions or notices of each shard that a job processes at once, from 1 to %d", jobs.MaxWorkers))
	f.StringVar(&s.payments, "payments", "", "payment `service` to save in the settings, unless one is already saved: stripe charges the customers; record charges nobody and marks payments as paid. Admins can change the service or turn payments off in the settings")
	f.StringVar(&s.stripeURL, "stripe-url", "", "`URL` on loopback to use instead of Stripe's API, for tests with stripe-mock")
	f.StringVar(&s.smtp, "smtp", "", "`address` of the mail server, such as mail.example.com:587 (default: keep emails in the outbox)")
	f.StringVar(&s.mailFrom, "mail-from", "stockroom@localhost", "sender `address` of emails")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.StringVar(&s.idPrefix, "id-prefix", "", "`prefix` to add to the IDs of employees, if customers and employees were numbered separately; or a prefix for each kind, such as employee=emp-,customer=c-,person=p-")
	f.BoolVar(&s.samePeople, "same-people", false, "treat records with the same ID as one person even if one of them has no email address")
	f.BoolVar(&s.suggest, "suggest", false, "print a suggested mapping for CSV files, based on column names and first values, without importing")
	f.BoolVar(&s.update, "update", false, "change existing customers, products, employees, warehouses, and reorder points and bins of stock that differ from the files, instead of rejecting the rows; attributes without a column in the file stay unchanged")
	f.StringVar(&s.mapping, "map", "", "YAML `file` that maps the column names and values of CSV files to those of Stockroom")
	f.BoolVar(&s.mergeLines, "merge-lines", false, "merge lines of an order that have the same product and price, by adding their quantities, instead of rejecting the order")
	f.StringVar(&s.encoding, "encoding", "", "`encoding` of CSV files: "+strings.Join(exchange.Encodings(), ", ")+" (default utf-8; UTF-16 with a byte order mark is recognized)")
	f.IntVar(&s.maxRefused, "max-refused", 0, "stop the import when more than this `number` of rows are rejected; 0 means no limit")
	f.BoolVar(&s.lenient, "lenient", false, "also import rows that refer to unknown records, orders with wrong totals, and values that forms reject; print a warning for each")
	f.StringVar(&s.format, "format", "jsonl", "file `format`: csv, jsonl (DynamoDB JSON Lines), workbench (NoSQL Workbench model) or dynamodb (for DynamoDB's import from S3)")
	f.IntVar(&s.sample, "sample", 0, "maximum `number` of items per entity in a model; 0 means all")
	f.StringVar(&s.since, "since", "", "leave out records that have not changed since this `time`, such as 2026-11-21 or 2026-11-21T14:30:00Z")
	f.BoolVar(&s.masked, "masked", false, "replace names, emails, phone numbers, addresses, notes and payment references with pseudonyms")
	f.StringVar(&s.maskKey, "mask-key", "", "`file` with the key of the pseudonyms, at least 32 bytes; exports with the same key have the same pseudonyms (default: a new key each time)")
	f.StringVar(&s.entities, "entity", "", "comma-separated `entities` to export, such as orders,invoices (default: all)")
	f.IntVar(&s.orders, "orders", 3_000_000, "`number` of orders")
	f.StringVar(&s.openPercent, "open", "20", "`percent` of all orders that are open at the same time")
	f.Float64Var(&s.peak, "peak", 10, "`orders` placed per second at the peak")
	f.IntVar(&s.bytes, "bytes", 250, "size of an order in `bytes`")
	f.BoolVar(&s.check, "check", false, "compare totals, quotas and stock levels with the records, and report differences")
	f.BoolVar(&s.rebuild, "rebuild", false, "compare totals, quotas and stock levels with the records, and correct differences")
	f.BoolVar(&s.engine, "engine", false, "verify only the embedded store")
	f.BoolVar(&s.business, "business", false, "check only the books")
	f.StringVar(&s.resume, "resume", "", "`file` in which the check of the books saves its position, so that it can continue after an interruption; a second file ending in .facts holds the data read so far")
	f.IntVar(&s.rcu, "rcu", 100, "maximum read capacity `units` per second of a check of the books on Amazon DynamoDB; 0 means no limit")
	f.StringVar(&s.from, "from", "", "first `day` (UTC), such as 2026-11-21 (default: 92 days ago; with -follow, today)")
	f.StringVar(&s.to, "to", "", "last `day` (UTC), such as 2026-11-21 (default: today)")
	f.StringVar(&s.output, "output", "", "`file` to write")
	f.BoolVar(&s.follow, "follow", false, "continue with new events until interrupted")
	f.StringVar(&s.copied, "copy", "", "`file` that 'audit export' wrote; seals in the table that differ from the file are reported")
	f.Func("kms-key", "ARN or ID of the AWS KMS `key` that encrypts the table (default: a key owned by AWS)", notEmpty(&s.kmsKey))
	f.Func("tag", "`tag` of the table, such as team=shop; repeat the flag, or separate tags with commas", s.parseTags)
	f.Func("apply", "change the `number` of shards (safe while serving)", func(text string) (err error) {
		if s.apply, err = strconv.Atoi(text); err != nil || s.apply < 1 || s.apply > store.MaxShards {
			return fmt.Errorf("enter a number from 1 to %d", store.MaxShards)
		}
		return nil
	})
	l := &commandLine{flags: f}
	l.declareSSO(&s.sso)
	return l
}

// parse parses args and returns the command. For flags that are not in args, it uses their
// environment variables. With the error flag.ErrHelp or a usageError, it returns the
// command whose help the caller should print.
func (l *commandLine) parse(args []string, env func(string) string) (command, error) {
	words, flagErr := l.split(args)
	l.words = words
	cmd, args, err := findCommand(words)
	if flagErr != nil {
		if len(words) == 0 {
			cmd = command{}
		}
		return cmd, flagErr
	}
	if err != nil {
		return cmd, err
	}
	l.args = args
	return cmd, cmp.Or(l.checkFlags(cmd), l.readEnv(cmd, env))
}

// checkFlags rejects flags that the command does not accept.
func (l *commandLine) checkFlags(cmd command) (err error) {
	l.flags.Visit(func(f *flag.Flag) {
		if !cmd.accepts(f.Name) {
			err = usagef("%s: unexpected flag -%s", cmd.name, f.Name)
		}
	})
	return err
}

// readEnv sets each flag of the command that is not on the command line to the value of
// its environment variable, unless that is empty.
func (l *commandLine) readEnv(cmd command, env func(string) string) (err error) {
	set := map[string]bool{}
	l.flags.Visit(func(f *flag.Flag) { set[fullName(f.Name)] = true })
	l.flags.VisitAll(func(f *flag.Flag) {
		value := env(envName(f.Name))
		if value == "" || set[fullName(f.Name)] || !cmd.accepts(f.Name) || err != nil {
			return
		}
		set[fullName(f.Name)] = true
		if l.flags.Set(f.Name, value) != nil {
			err = usagef("invalid value %q of %s for flag -%s", value, envName(f.Name), f.Name)
		}
	})
	return err
}

// split parses flags and returns the words between them. After --, all arguments are
// words.
func (l *commandLine) split(args []string) (words []string, err error) {
	for len(args) > 0 {
		if err := l.flags.Parse(args); err != nil {
			if err != flag.ErrHelp {
				err = usageError(err.Error())
			}
			return words, err
		}
		rest := l.flags.Args()
		if flags := len(args) - len(rest); flags > 0 && args[flags-1] == "--" {
			return append(words, rest...), nil
		}
		if len(rest) == 0 {
			break
		}
		words, args = append(words, rest[0]), rest[1:]
	}
	return words, nil
}

func (c command) accepts(flag string) bool {
	flag = fullName(flag)
	return slices.Contains(commonFlags, flag) || slices.Contains(c.flags, flag)
}

// secret is a value that is set in an environment variable, because it must not be visible
// in a flag.
type secret struct {
	name     string
	flag     string   // commands with this flag can use the secret
	commands []string // names of further commands that can use the secret
	usage    string
}

var secrets = []secret{
	{stripeKey, "payments", nil, "secret key of the Stripe account that charges payments"},
	{smtpUser, "smtp", nil, "user name for the mail server; without it, Stockroom does not authenticate"},
	{smtpPassword, "smtp", nil, "password for the mail server"},
	{ssoSecret, "sso-issuer", nil, "client secret of single sign-on"},
	{dynamodbKeyVariable, "dynamodb-addr", nil, "access key of the DynamoDB API, as ID:SECRET (default: a generated key in the file dynamodb-credentials in the data folder)"},
	{auditKeyVariable, "", []string{"serve", "audit verify", "audit seal", "person erase"}, "comma-separated keys that seal the history, newest first, at least 32 characters each (default with the embedded store: a generated key in the file audit-key in the data folder)"},
}

// secrets returns the secrets that the command can use.
func (c command) secrets() []secret {
	return slices.DeleteFunc(slices.Clone(secrets), func(s secret) bool {
		return !slices.Contains(s.commands, c.name) && (s.flag == "" || !c.accepts(s.flag))
	})
}

// fullName returns the current name of a flag, which can be given by an old name.
func fullName(flag string) string { return cmp.Or(aliases[flag], flag) }

// envName returns the environment variable of a flag.
func envName(flag string) string {
	return "STOCKROOM_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// usage prints a short usage message after an error. If the command is unknown, it
// prints the commands that start with the first word.
func (l *commandLine) usage(to io.Writer, cmd command) {
	if cmd.name != "" {
		fmt.Fprintf(to, "Usage: stockroom %s\nRun 'stockroom %s -h' to see its flags.\n", strings.TrimSpace(cmd.name+" [flags] "+cmd.args), cmd.name)
		return
	}
	fmt.Fprintln(to, "Usage: stockroom [command] [flags]")
	printColumns(to, func(row func(...string)) {
		for _, c := range commands {
			if len(l.words) > 0 && strings.HasPrefix(c.name, l.words[0]+" ") {
				row("  "+strings.TrimSpace(c.name+" "+c.args), c.summary)
			}
		}
	})
	fmt.Fprintln(to, "Run 'stockroom -h' to see all commands.")
}

// help prints the help of a command. If the command has no name, it prints the help of
// the program.
func (l *commandLine) help(to io.Writer, cmd command) {
	if cmd.name == "" {
		fmt.Fprint(to, "Stockroom is a back office for a business that keeps all its data in one DynamoDB table.\n\nUsage: stockroom [command] [flags]\n\nCommands:\n")
		printColumns(to, func(row func(...string)) {
			for _, c := range commands {
				row("  "+strings.TrimSpace(c.name+" "+c.args), c.summary)
			}
		})
		cmd = commands[0]
		fmt.Fprintf(to, "\nRun 'stockroom COMMAND -h' to see the flags of a command.\n\nFlags of %s:\n", cmd.name)
	} else {
		summary := strings.ToUpper(cmd.summary[:1]) + cmd.summary[1:] + "."
		fmt.Fprintf(to, "%s\n\nUsage: stockroom %s\n\nFlags:\n", summary, strings.TrimSpace(cmd.name+" [flags] "+cmd.args))
	}
	printColumns(to, func(row func(...string)) {
		l.flags.VisitAll(func(f *flag.Flag) {
			if cmd.accepts(f.Name) && aliases[f.Name] == "" {
				described := *f
				described.Usage = cmp.Or(cmd.usage[f.Name], f.Usage)
				placeholder, usage := flag.UnquoteUsage(&described)
				row(strings.TrimRight("  -"+f.Name+" "+placeholder, " "), "$"+envName(f.Name), usage+defaultText(f))
			}
		})
	})
	if len(cmd.secrets()) > 0 {
		fmt.Fprint(to, "\nSecrets, which have no flags because other users of the machine can see a process's arguments:\n")
		printColumns(to, func(row func(...string)) {
			for _, s := range cmd.secrets() {
				row("  $"+s.name, s.usage)
			}
		})
	}
	fmt.Fprint(to, "\nFlags can appear anywhere on the command line.\nFlags override environment variables, which override defaults.\n")
}

func defaultText(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" || f.DefValue == "0" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

func printColumns(to io.Writer, print func(row func(cells ...string))) {
	var aligned bytes.Buffer
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	print(func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) })
	_ = w.Flush() // writing to a buffer never fails
	for line := range strings.Lines(aligned.String()) {
		fmt.Fprintln(to, strings.TrimRight(line, " \n"))
	}
}

// fullCommand returns a command line to suggest to the user. Pass the name and the other
// flags of the command. fullCommand adds the flags for the current table.
func (s *settings) fullCommand(words string) string {
	line := "stockroom " + words
	switch {
	case s.dynamodb:
		line += " -dynamodb"
	case s.data != defaultData:
		line += " -data " + strconv.Quote(s.data)
	}
	if s.table != defaultTable {
		line += " -table " + s.table
	}
	return line
}

// tableName matches the names that DynamoDB accepts for a table.
var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)

// checkLocation returns a usageError if -data or -table is invalid.
func (s *settings) checkLocation() error {
	switch {
	case s.data == "":
		return usagef("invalid -data: enter a folder")
	case strings.HasPrefix(s.table, "arn:"):
		return usagef("invalid -table %q: enter the name of the table, not its ARN", s.table)
	case !tableName.MatchString(s.table):
		return usagef("invalid -table %q: enter 3 to 255 letters, digits, hyphens, underscores and periods", s.table)
	}
	return nil
}

// notEmpty returns a function that sets a flag and rejects an empty value. For example, a
// script with -encrypt "$KEY" must not write an unencrypted backup if KEY is not set.
func notEmpty(value *string) func(string) error {
	return func(text string) error {
		if text == "" {
			return errors.New("the value is empty")
		}
		*value = text
		return nil
	}
}
