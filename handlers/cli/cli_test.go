package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestMain(m *testing.M) {
	if args := os.Getenv(serveVariable); args != "" {
		env := environment{stripeKey: os.Getenv(stripeKey)}
		os.Exit(Main(context.Background(), strings.Fields(args), env.get, childClock().Now, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(storetest.Run(m))
}

// result is the exit code and the output of one run of the program.
type result struct {
	code           int
	stdout, stderr string
}

// clock is the clock of all commands and databases in the tests.
var clock = storetest.NewClock()

// environment contains the environment variables of a run. They replace the environment
// variables of the machine.
type environment map[string]string

func (e environment) get(name string) string { return e[name] }

func run(t *testing.T, args ...string) result {
	t.Helper()
	return runWith(t, environment{}, "", args...)
}

func runWith(t *testing.T, env environment, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), args, env.get, clock.Now, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// want fails the test unless the run has this exit code and its output contains these
// strings: on standard output after a success, otherwise on standard error. A failed
// run must not print a stack trace.
func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	output := r.stdout
	if code != exitDone {
		output = r.stderr
	}
	if r.code != code {
		t.Fatalf("got exit code %d, want %d\nstdout: %s\nstderr: %s", r.code, code, r.stdout, r.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(output, text) {
			t.Errorf("got no %q in:\n%s", text, output)
		}
	}
	if code == exitFailed && strings.Contains(output, "goroutine ") {
		t.Errorf("got a stack trace:\n%s", output)
	}
}

// buffer is a buffer that a test can read while the program writes to it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		line, want string
	}{
		{"frobnicate", `unknown command "frobnicate"`},
		{"user", `unknown command "user"`},
		{"user frobnicate", `unknown command "user frobnicate"`},
		{"table", "  table create"},
		{"table totlas -check", "  table totals"},
		{"imprt file.csv", "Run 'stockroom -h' to see all commands."},
		{"export", "Run 'stockroom export -h' to see its flags."},
		{"table shards -apply 0", "enter a number from 1 to 48"},
		{"table shards -apply 49", "enter a number from 1 to 48"},
		{"-frobnicate", "not defined: -frobnicate"},
		{"user list -frobnicate", "not defined: -frobnicate"},
		{"user list -demo", "user list: unexpected flag -demo"},
		{"-dry-run", "serve: unexpected flag -dry-run"},
		{"user list mia", `user list: unexpected argument "mia"`},
		{"user add", "user add: missing argument NAME"},
		{"user add mia ole", `user add: unexpected argument "ole" after NAME`},
		{"import", "import: missing argument FILE"},
		{"version -data", "flag needs an argument: -data"},
		{"patterns -json=perhaps", "invalid boolean value"},
		{"user add mia -one-time -password-stdin", "-one-time and -password-stdin cannot be combined"},
		{"user add mia", "use -password-stdin or -one-time"},
		{"serve -session-key short", "key 1 of -session-key has 5 characters"},
		{"serve -session-key 0123456789abcdef0123456789abcdef,short", "key 2 of -session-key"},
		{"serve -dynamodb-addr 0.0.0.0:0", "loopback address"},
		{"serve -dynamodb-addr :0", "loopback address"},
		{"serve -stripe-url http://stripe.example.com", "loopback URL"},
		{"job payments -stripe-url 127.0.0.1:12111", "loopback URL"},
		{"serve -dynamodb-addr 8000", "enter an address such as"},
		{"serve -addr foo", `invalid -addr "foo": enter an address such as 127.0.0.1:8080`},
		{"serve -addr 127.0.0.1:nowhere", "enter an address such as"},
		{"serve -addr 127.0.0.1:70000", "enter an address such as"},
		{"serve -addr 127.0.0.1:0 -metrics-addr 9100", `invalid -metrics-addr "9100"`},
		{"user list -data=", "invalid -data: enter a folder"},
		{"user list -table a/b", `invalid -table "a/b"`},
		{"user list -dynamodb -table arn:aws:dynamodb:eu-north-1:123456789012:table/Shop", "enter the name of the table, not its ARN"},
		{"import customers.csv -id-prefix boss=b-", "invalid -id-prefix: “boss=b-” is not valid"},
		{"import customers.csv -max-refused -1", "invalid -max-refused -1"},
		{"audit export -from 2026-11-21 -to 2026-11-20", "-to 2026-11-20 is before -from 2026-11-21"},
		{"serve -dynamodb-addr 127.0.0.1:0 -dynamodb", "cannot be combined with -dynamodb"},
	} {
		got := run(t, strings.Fields(tt.line)...)
		got.want(t, exitUsage, "stockroom: ", tt.want, "Usage: stockroom ")
		if got.stdout != "" {
			t.Errorf("%s: got standard output %q, want none", tt.line, got.stdout)
		}
		if lines := strings.Count(got.stderr, "\n"); lines > 15 {
			t.Errorf("%s: got %d lines of errors, want a short usage", tt.line, lines)
		}
	}
}

func TestHelp_ShowsCommandsFlagsAndDefaults(t *testing.T) {
	all := run(t, "-h")
	all.want(t, exitDone, "STOCKROOM_ADDR", "127.0.0.1:8080", "STOCKROOM_DATA", "./data", "OnlineShop")
	for _, c := range commands {
		if !strings.Contains(all.stdout, "  "+c.name+" ") {
			t.Errorf("help: got no command %s", c.name)
		}
		one := run(t, append(strings.Fields(c.name), "-h")...)
		one.want(t, exitDone, "Usage: stockroom "+c.name, c.summary[1:])
		for _, flag := range append(c.flags, commonFlags...) {
			one.want(t, exitDone, "  -"+flag, "$"+envName(flag))
		}
	}
}

// TestHelp_DescribesFlagsOfCommand checks the help of flags that have another meaning for
// some commands.
func TestHelp_DescribesFlagsOfCommand(t *testing.T) {
	for command, want := range map[string]string{
		"person export": "new zip file to write; required without -dry-run",
		"audit export":  "(default: 92 days ago; with -follow, today)",
		"audit seal":    "if no day is sealed yet (default: 92 days ago)",
		"job notices":   "today or, with -dry-run, any day",
		"job emails":    "links to the site in emails begin with it",
		"serve":         "requests with another host are rejected",
	} {
		run(t, append(strings.Fields(command), "-h")...).want(t, exitDone, want)
	}
	for _, c := range commands {
		for name := range c.usage {
			if !c.accepts(name) {
				t.Errorf("%s: has a help text for -%s, which it does not accept", c.name, name)
			}
		}
	}
}

// TestDataFolder_IsFile uses a file as the data folder. Each command must say so.
func TestDataFolder_IsFile(t *testing.T) {
	file := save(t, filepath.Join(t.TempDir(), "notes"), "text")
	customers := save(t, filepath.Join(t.TempDir(), "customers.csv"), "CustomerID\n")
	for _, line := range [][]string{
		{"serve", "-addr", "127.0.0.1:0"}, {"user", "list"}, {"backup", file + "-2"}, {"restore", file}, {"import", customers}, {"import", "-dry-run", customers}, {"check"},
	} {
		for _, data := range []string{file, filepath.Join(file, "below")} {
			run(t, append(line, "-data", data)...).want(t, exitFailed, file+" is not a folder: choose another folder")
		}
	}
}

func TestMessage_JoinedErrors(t *testing.T) {
	err := errors.Join(errors.New("3 failed: see the job's page"), fmt.Errorf("emails not delivered: %w", &store.Error{Kind: store.Busy, Message: "The table is busy."}))
	const want = "3 failed: see the job's page; The table is busy"
	if got := message(err); strings.TrimSuffix(got, ".") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHelp_ShowsSecrets(t *testing.T) {
	all := []string{stripeKey, smtpUser, smtpPassword, ssoSecret, dynamodbKeyVariable, auditKeyVariable}
	for command, want := range map[string][]string{
		"serve":        all,
		"audit verify": {auditKeyVariable},
		"audit seal":   {auditKeyVariable},
		"person erase": {auditKeyVariable},
		"export":       nil,
	} {
		help := run(t, append(strings.Fields(command), "-h")...).stdout
		for _, name := range all {
			if got := strings.Contains(help, "  $"+name+" "); got != slices.Contains(want, name) {
				t.Errorf("%s -h: shows %s: got %v, want %v", command, name, got, !got)
			}
		}
	}
}

func TestFlags_AnyPosition(t *testing.T) {
	folder := t.TempDir()
	run(t, "-data", folder, "table", "-table=Shop", "create").want(t, exitDone, "Table Shop matches the required schema")
	for _, line := range [][]string{
		{"-data", folder, "-table", "Shop", "table", "check"},
		{"table", "-data", folder, "check", "-table", "Shop"},
		{"table", "check", "--table=Shop", "--data=" + folder},
		{"table", "check", "-table", "Shop", "-data", folder, "--"},
	} {
		run(t, line...).want(t, exitDone, "Table Shop matches the required schema")
	}
	run(t, "table", "check", "--", "-table").want(t, exitUsage, `table check: unexpected argument "-table"`)
}

func TestFlags_OverrideEnvironment(t *testing.T) {
	folder := t.TempDir()
	env := environment{"STOCKROOM_DATA": folder, "STOCKROOM_TABLE": "FromEnvironment", "STOCKROOM_DEMO": "invalid, but of another command"}
	runWith(t, env, "", "table", "create").want(t, exitDone, "Table FromEnvironment matches")
	runWith(t, env, "", "table", "create", "-table", "FromFlag").want(t, exitDone, "Table FromFlag matches")
	env["STOCKROOM_TABLE"] = ""
	runWith(t, env, "", "table", "create").want(t, exitDone, "Table OnlineShop matches")
	env["STOCKROOM_DYNAMODB"] = "perhaps"
	runWith(t, env, "", "table", "create").want(t, exitUsage, `invalid value "perhaps" of STOCKROOM_DYNAMODB for flag -dynamodb`)
	runWith(t, env, "", "table", "create", "-dynamodb=false").want(t, exitDone, "Table OnlineShop matches")
}

func TestFlags_RehearseMeansDryRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		env  environment
		want bool
	}{
		{"default", nil, nil, false},
		{"new flag", []string{"-dry-run"}, nil, true},
		{"old flag", []string{"-rehearse"}, nil, true},
		{"old variable", nil, environment{"STOCKROOM_REHEARSE": "true"}, true},
		{"flag over old variable", []string{"-dry-run"}, environment{"STOCKROOM_REHEARSE": "false"}, true},
		{"new variable over old", nil, environment{"STOCKROOM_DRY_RUN": "true", "STOCKROOM_REHEARSE": "false"}, true},
	} {
		var s settings
		if _, err := newCommandLine(&s).parse(append([]string{"job", "payments"}, tt.args...), tt.env.get); err != nil || s.dryRun != tt.want {
			t.Errorf("%s: got dry run %v, %v; want %v", tt.name, s.dryRun, err, tt.want)
		}
	}
	if help := run(t, "job", "payments", "-h").stdout; strings.Contains(help, "rehearse") {
		t.Errorf("help shows the old flag:\n%s", help)
	}
}

func TestVersion(t *testing.T) {
	run(t, "version").want(t, exitDone, "stockroom ", "commit ", "go1.")
}
