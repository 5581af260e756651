package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"stockroom/store/storetest"
)

// outcome is what a run of the program left.
type outcome struct {
	code           int
	stdout, stderr string
}

// clock is that of every command and engine of these tests.
var clock = storetest.NewClock()

// environment is a test's own: nothing of the machine's gets in.
type environment map[string]string

func (e environment) get(name string) string { return e[name] }

func run(t *testing.T, args ...string) outcome {
	t.Helper()
	return runWith(t, environment{}, "", args...)
}

func runWith(t *testing.T, env environment, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), args, env.get, clock.Now, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// want fails the test where the run did not end with a code and words on
// standard output, or on standard error where it failed.
func (o outcome) want(t *testing.T, code int, words ...string) {
	t.Helper()
	said := o.stdout
	if code != exitDone {
		said = o.stderr
	}
	if o.code != code {
		t.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", o.code, code, o.stdout, o.stderr)
	}
	for _, word := range words {
		if !strings.Contains(said, word) {
			t.Errorf("does not say %q:\n%s", word, said)
		}
	}
	if code == exitFailed && strings.Contains(said, "goroutine ") {
		t.Errorf("prints a stack trace:\n%s", said)
	}
}

// buffer is written by a running command and read by the test.
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
		line, says string
	}{
		{"frobnicate", `no command "frobnicate"`},
		{"user", `no command "user"`},
		{"user frobnicate", `no command "user frobnicate"`},
		{"-frobnicate", "not defined: -frobnicate"},
		{"user list -frobnicate", "not defined: -frobnicate"},
		{"user list -demo", "user list takes no -demo"},
		{"-dry-run", "serve takes no -dry-run"},
		{"user list mia", `user list takes no "mia"`},
		{"user add", "user add needs NAME"},
		{"user add mia ole", `user add takes one NAME, not also "ole"`},
		{"import", "import needs FILE"},
		{"version -data", "flag needs an argument: -data"},
		{"patterns -json=perhaps", "invalid boolean value"},
		{"user add mia -one-time -password-stdin", "give one of the two"},
		{"user add mia", "use -password-stdin or -one-time"},
		{"serve -session-key short", "key 1 of -session-key has 5 characters"},
		{"serve -session-key 0123456789abcdef0123456789abcdef,short", "key 2 of -session-key"},
		{"serve -dynamodb-addr 0.0.0.0:0", "on loopback"},
		{"serve -dynamodb-addr :0", "on loopback"},
		{"serve -dynamodb-addr 8000", "needs to be an address"},
		{"serve -dynamodb-addr 127.0.0.1:0 -dynamodb", "which -dynamodb does without"},
	} {
		got := run(t, strings.Fields(tt.line)...)
		got.want(t, exitUsage, "stockroom: ", tt.says, "\nUsage: stockroom ")
		if got.stdout != "" {
			t.Errorf("%s: standard output is not empty: %s", tt.line, got.stdout)
		}
	}
}

func TestHelpShowsCommandsFlagsTwinsAndDefaults(t *testing.T) {
	all := run(t, "-h")
	all.want(t, exitDone, "STOCKROOM_ADDR", "127.0.0.1:8080", "STOCKROOM_DATA", "./data", "OnlineShop")
	for _, c := range commands {
		if !strings.Contains(all.stdout, "  "+c.name+" ") {
			t.Errorf("help does not name %s", c.name)
		}
		one := run(t, append(strings.Fields(c.name), "-h")...)
		one.want(t, exitDone, "Usage: stockroom "+c.name, c.does)
		for _, flag := range append(c.flags, commonFlags...) {
			one.want(t, exitDone, "  -"+flag, "$"+twin(flag))
		}
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	folder := t.TempDir()
	run(t, "-data", folder, "table", "-table=Shop", "create").want(t, exitDone, "The table Shop is as it needs to be")
	for _, line := range [][]string{
		{"-data", folder, "-table", "Shop", "table", "check"},
		{"table", "-data", folder, "check", "-table", "Shop"},
		{"table", "check", "--table=Shop", "--data=" + folder},
		{"table", "check", "-table", "Shop", "-data", folder, "--"},
	} {
		run(t, line...).want(t, exitDone, "The table Shop is as it needs to be")
	}
	run(t, "table", "check", "--", "-table").want(t, exitUsage, `table check takes no "-table"`)
}

func TestFlagBeatsEnvironmentBeatsDefault(t *testing.T) {
	folder := t.TempDir()
	env := environment{"STOCKROOM_DATA": folder, "STOCKROOM_TABLE": "FromEnvironment", "STOCKROOM_DEMO": "no boolean, of another command"}
	runWith(t, env, "", "table", "create").want(t, exitDone, "The table FromEnvironment is")
	runWith(t, env, "", "table", "create", "-table", "FromFlag").want(t, exitDone, "The table FromFlag is")
	env["STOCKROOM_TABLE"] = ""
	runWith(t, env, "", "table", "create").want(t, exitDone, "The table OnlineShop is")
	env["STOCKROOM_DYNAMODB"] = "perhaps"
	runWith(t, env, "", "table", "create").want(t, exitUsage, `STOCKROOM_DYNAMODB is "perhaps", which -dynamodb cannot be`)
	runWith(t, env, "", "table", "create", "-dynamodb=false").want(t, exitDone, "The table OnlineShop is")
}

func TestVersion(t *testing.T) {
	run(t, "version").want(t, exitDone, "stockroom ", "commit ", "go1.")
}
