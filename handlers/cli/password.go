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

// maxPasswordInput is the maximum number of bytes that are read from standard input. It
// exceeds the maximum length of a password, which the store checks.
const maxPasswordInput = 4 << 10

// newPassword returns the new password of a user. With -one-time, it generates a
// password. With -password-stdin, it reads the password from standard input. Otherwise,
// it prompts for the password twice.
func (c *call) newPassword(ctx context.Context, user string) (string, error) {
	switch {
	case c.oneTime && c.passwordStdin:
		return "", usagef("-one-time and -password-stdin cannot be combined")
	case c.oneTime:
		return store.OneTimePassword(), nil
	case c.passwordStdin:
		return readPassword(c.stdin)
	}
	terminal, ok := c.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return "", usagef("standard input is not a terminal: use -password-stdin or -one-time")
	}
	first, err := c.promptPassword(ctx, terminal, "Password for "+user+": ")
	if err != nil {
		return "", err
	}
	second, err := c.promptPassword(ctx, terminal, "Repeat the password: ")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", errors.New("the passwords do not match; nothing was changed")
	}
	return first, nil
}

func (c *call) printOneTimePassword(password string) error {
	if !c.oneTime {
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "One-time password: %s\n", password)
	return err
}

// readPassword reads a password. It returns an error if the input has more than one line.
func readPassword(from io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxPasswordInput))
	if err != nil {
		return "", fmt.Errorf("cannot read the password: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if strings.ContainsAny(password, "\r\n") {
		return "", errors.New("standard input has more than one line: -password-stdin expects only the password")
	}
	return password, nil
}

// promptPassword reads a line from the terminal without showing it. If ctx is cancelled,
// it restores the settings of the terminal.
func (c *call) promptPassword(ctx context.Context, terminal *os.File, prompt string) (string, error) {
	fd := int(terminal.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("cannot use the terminal: %w", err)
	}
	fmt.Fprint(c.stderr, prompt)
	defer fmt.Fprintln(c.stderr)
	type line struct {
		text []byte
		err  error
	}
	input := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		input <- line{text, err}
	}()
	select {
	case l := <-input:
		if l.err != nil {
			return "", fmt.Errorf("cannot read the password: %w", l.err)
		}
		return string(l.text), nil
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(fd, state))
	}
}
