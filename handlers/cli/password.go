package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"stockroom/store"
)

// maxPasswordInput bounds what is read of standard input, in bytes; what a
// password may be is the store's to say.
const maxPasswordInput = 4 << 10

// password gets the new password of an account by the way that the flags
// name: made here, from standard input, or asked of a person twice.
func (c *call) password(ctx context.Context, account string) (string, error) {
	switch {
	case c.oneTime && c.passwordStdin:
		return "", usagef("-one-time makes a password and -password-stdin reads one: give one of the two")
	case c.oneTime:
		return store.OneTimePassword(), nil
	case c.passwordStdin:
		return readPassword(c.stdin)
	}
	terminal, ok := c.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return "", usagef("there is no terminal to ask for the password on: use -password-stdin or -one-time")
	}
	first, err := c.askHidden(ctx, terminal, "Password for "+account+": ")
	if err != nil {
		return "", err
	}
	second, err := c.askHidden(ctx, terminal, "The same again: ")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", errors.New("the two passwords differ; nothing was changed")
	}
	return first, nil
}

func (c *call) sayOneTime(password string) error {
	if !c.oneTime {
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "One-time password: %s\n", password)
	return err
}

// readPassword reads a password that stands alone on one line.
func readPassword(from io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxPasswordInput))
	if err != nil {
		return "", fmt.Errorf("the password cannot be read: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if strings.ContainsAny(password, "\r\n") {
		return "", errors.New("standard input holds several lines; -password-stdin takes the password alone")
	}
	return password, nil
}

// askHidden asks for a line that is not shown while it is typed. Who
// interrupts it gets their terminal back as it was.
func (c *call) askHidden(ctx context.Context, terminal *os.File, prompt string) (string, error) {
	fd := int(terminal.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("the terminal cannot be used: %w", err)
	}
	fmt.Fprint(c.stderr, prompt)
	defer fmt.Fprintln(c.stderr)
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		typed <- line{text, err}
	}()
	select {
	case l := <-typed:
		if l.err != nil {
			return "", fmt.Errorf("the password cannot be read: %w", l.err)
		}
		return string(l.text), nil
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}
