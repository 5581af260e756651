package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"stockroom/store/storetest"
)

// terminal is a pseudo-terminal. The program uses one end and the test uses the other.
type terminal struct {
	*os.File
	user *os.File
	seen buffer
}

func openTerminal(t *testing.T) *terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { user.Close() })
	if err := unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	term := &terminal{File: program, user: user}
	go func() {
		for chunk := make([]byte, 1024); ; {
			n, err := user.Read(chunk)
			_, _ = term.seen.Write(chunk[:n])
			if err != nil {
				return
			}
		}
	}()
	return term
}

// await waits until the program has printed this text.
func (term *terminal) await(t *testing.T, what string) {
	t.Helper()
	storetest.WaitFor(t, "output "+what, func() bool { return strings.Contains(term.seen.String(), what) })
}

// echoes reports whether the terminal shows what the user types.
func (term *terminal) echoes(t *testing.T) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(term.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// typeHidden waits until the terminal no longer shows input, and then types a line.
func (term *terminal) typeHidden(t *testing.T, line string) {
	t.Helper()
	storetest.WaitFor(t, "hidden input", func() bool { return !term.echoes(t) })
	if _, err := term.user.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

func (term *terminal) start(ctx context.Context, args ...string) <-chan int {
	code := make(chan int, 1)
	go func() { code <- Main(ctx, args, environment{}.get, clock.Now, term.File, term.File, term.File) }()
	return code
}

func TestPasswordPrompt_HiddenAndRepeated(t *testing.T) {
	folder := t.TempDir()
	for _, tt := range []struct {
		first, second string
		code          int
		want          string
	}{
		{password, "something else entirely", exitFailed, "the passwords do not match; nothing was changed"},
		{password, password, exitDone, "Added user mia"},
	} {
		term := openTerminal(t)
		code := term.start(t.Context(), "user", "add", "mia", "-data", folder)
		term.await(t, "Password for mia: ")
		term.typeHidden(t, tt.first)
		term.await(t, "Repeat the password: ")
		term.typeHidden(t, tt.second)
		term.await(t, tt.want)
		if got := <-code; got != tt.code {
			t.Errorf("got exit code %d, want %d", got, tt.code)
		}
		if strings.Contains(term.seen.String(), password) || !term.echoes(t) {
			t.Errorf("got the password shown, or echo still off: %q", term.seen.String())
		}
	}
	if _, err := openStore(t, folder).Authenticate(t.Context(), "mia", password); err != nil {
		t.Error(err)
	}
}

func TestPasswordPrompt_InterruptRestoresTerminal(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	term := openTerminal(t)
	code := term.start(ctx, "user", "add", "mia", "-data", t.TempDir())
	term.await(t, "Password for mia: ")
	storetest.WaitFor(t, "hidden input", func() bool { return !term.echoes(t) })
	interrupt()
	if got := <-code; got != exitFailed || !term.echoes(t) {
		t.Errorf("got exit code %d, echo %v", got, term.echoes(t))
	}
	term.await(t, "stockroom: interrupted")
}

func TestProgress_OnTerminal(t *testing.T) {
	folder := t.TempDir()
	file := save(t, folder+"/shop.json", modelOf(lamp, desk, rolf))
	term := openTerminal(t)
	code := term.start(t.Context(), "import", file, "-data", folder+"/data")
	term.await(t, "100 %, 3 rows, ")
	term.await(t, "3 added")
	if got := <-code; got != exitDone {
		t.Errorf("got exit code %d: %s", got, term.seen.String())
	}
}
