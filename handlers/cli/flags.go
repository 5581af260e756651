package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"stockroom/store"
)

// settings are what the flags say.
type settings struct {
	data, table            string
	dynamodb               bool
	addr, dynamodbAddr     string
	sessionKeys            string
	demo, https            bool
	dryRun, json           bool
	role, scope            string
	date, smtp, mailFrom   string
	rehearse               bool
	rate                   int
	passwordStdin, oneTime bool
	idPrefix               string
	samePeople             bool
	format, entities       string
	orders, bytes, apply   int
	openPercent            string
	sample                 int
}

// line is the command line: flags, which may stand anywhere on it, and words.
type line struct {
	flags *flag.FlagSet
	args  []string // the words behind the command
}

// newLine declares every flag of every command. A flag means the same with
// each command that takes it, so it can be read before the command is known.
func newLine(s *settings) *line {
	f := flag.NewFlagSet("stockroom", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&s.data, "data", "./data", "`folder` of the embedded store")
	f.BoolVar(&s.dynamodb, "dynamodb", false, "use Amazon DynamoDB, with credentials, region and endpoint as the AWS SDK finds them")
	f.StringVar(&s.table, "table", "OnlineShop", "`name` of the table")
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` to listen on")
	f.BoolVar(&s.demo, "demo", false, "load the demo business into a table without business entities")
	f.BoolVar(&s.https, "https", false, "pages are reached by https, through a proxy on this machine: cookies are for https only, and the proxy's X-Forwarded-For is believed")
	f.StringVar(&s.sessionKeys, "session-key", "", "`keys` of 32 or more characters that sign cookies, separated by commas, the newest first; without any, one is made and kept in the table")
	f.StringVar(&s.dynamodbAddr, "dynamodb-addr", "", "loopback `address` on which the embedded store is served over the DynamoDB API as well")
	f.BoolVar(&s.dryRun, "dry-run", false, "say what would happen and change nothing in the table")
	f.StringVar(&s.role, "role", "viewer", "the account's `role`: "+store.RoleChoices())
	f.StringVar(&s.scope, "scope", "", "the `places` that a manager is in charge of: w#12345,store#7")
	f.BoolVar(&s.passwordStdin, "password-stdin", false, "read the password from standard input instead of asking for it")
	f.BoolVar(&s.oneTime, "one-time", false, "make a password and print it; it must be changed at the first log-in")
	f.StringVar(&s.date, "date", "", "the `day` whose work is done, such as 2026-11-21; without it, today")
	f.BoolVar(&s.rehearse, "rehearse", false, "say what would be done and change nothing")
	f.IntVar(&s.rate, "rate", 0, "the `number` of subscriptions a second at most; 0 is as fast as it goes")
	f.StringVar(&s.smtp, "smtp", "", "`address` of the mail server, such as mail.example.com:587; without one, mail is kept in the folder outbox of the data folder")
	f.StringVar(&s.mailFrom, "mail-from", "stockroom@localhost", "`address` that mail comes from")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.StringVar(&s.idPrefix, "id-prefix", "", "`prefix` for the IDs of people, wherever they stand: for files of a business that numbered customers and employees apart")
	f.BoolVar(&s.samePeople, "same-people", false, "take people of one ID for one person where one of them has no e-mail to compare")
	f.StringVar(&s.format, "format", "jsonl", "`form` of the files: csv, jsonl for DynamoDB's JSON lines, or workbench for a model of NoSQL Workbench")
	f.IntVar(&s.sample, "sample", 0, "the most items of each entity in a model; 0 is all")
	f.StringVar(&s.entities, "entity", "", "`entities` to export, separated by commas, such as orders,invoices; without any, all")
	f.IntVar(&s.orders, "orders", 3_000_000, "how many `orders` there are")
	f.StringVar(&s.openPercent, "open", "20", "how many of them, in `percent`, are open at once")
	f.IntVar(&s.bytes, "bytes", 250, "how many `bytes` an order has")
	f.IntVar(&s.apply, "apply", 0, "spread the keys of busy lists over so many `shards`, also while the business goes on")
	return &line{flags: f}
}

// parse reads the line and finds its command. What is not given on the line
// is taken from the environment. With flag.ErrHelp or a usageError comes the
// command that the line got to, if any.
func (l *line) parse(args []string, env func(string) string) (command, error) {
	words, wrong := l.read(args)
	found, args, err := commandOf(words)
	if wrong != nil {
		if len(words) == 0 {
			found = command{}
		}
		return found, wrong
	}
	if err != nil {
		return found, err
	}
	l.args = args
	given := map[string]bool{}
	l.flags.Visit(func(f *flag.Flag) {
		given[f.Name] = true
		if !found.takes(f.Name) {
			err = usagef("%s takes no -%s", found.name, f.Name)
		}
	})
	l.flags.VisitAll(func(f *flag.Flag) {
		value := env(twin(f.Name))
		if value == "" || given[f.Name] || !found.takes(f.Name) || err != nil {
			return
		}
		if l.flags.Set(f.Name, value) != nil {
			err = usagef("%s is %q, which -%s cannot be", twin(f.Name), value, f.Name)
		}
	})
	return found, err
}

// read parts flags from words. Behind -- there are words only.
func (l *line) read(args []string) (words []string, err error) {
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

func (c command) takes(flag string) bool {
	return slices.Contains(commonFlags, flag) || slices.Contains(c.flags, flag)
}

// twin is the environment variable that stands in for a flag.
func twin(flag string) string {
	return "STOCKROOM_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// help says how a command is called, or which commands there are.
func (l *line) help(to io.Writer, c command) {
	if c.name == "" {
		fmt.Fprint(to, "Stockroom is the back office of a business that lives in one DynamoDB table.\n\nUsage: stockroom [command] [flags]\n\n")
		columns(to, func(row func(...string)) {
			for _, c := range commands {
				row("  "+strings.TrimSpace(c.name+" "+c.args), c.does)
			}
		})
		c = commands[0]
		fmt.Fprintf(to, "\n'stockroom COMMAND -h' shows the flags of a command. Those of %s:\n\n", c.name)
	} else {
		fmt.Fprintf(to, "Usage: stockroom %s\n\n%s\n\n", strings.TrimSpace(c.name+" [flags] "+c.args), c.does)
	}
	columns(to, func(row func(...string)) {
		l.flags.VisitAll(func(f *flag.Flag) {
			if c.takes(f.Name) {
				placeholder, usage := flag.UnquoteUsage(f)
				row(strings.TrimRight("  -"+f.Name+" "+placeholder, " "), "$"+twin(f.Name), usage+standard(f))
			}
		})
	})
	fmt.Fprint(to, "\nFlags may stand anywhere on the line. A flag counts before its environment variable, that before the default.\n")
}

func standard(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// columns prints rows with their cells one below the other.
func columns(to io.Writer, print func(row func(cells ...string))) {
	var aligned bytes.Buffer
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	print(func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) })
	_ = w.Flush() // a buffer takes everything
	for line := range strings.Lines(aligned.String()) {
		fmt.Fprintln(to, strings.TrimRight(line, " \n"))
	}
}
