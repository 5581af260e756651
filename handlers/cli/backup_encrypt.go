package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// ageHeader is the start of every encrypted file. See https://age-encryption.org/v1
const ageHeader = "age-encryption.org/v1\n"

// minPassphrase is the minimum length of a backup's passphrase, in bytes.
const minPassphrase = 16

// recipient returns the key that encrypts a backup: the key of -encrypt, or one derived
// from the passphrase in -passphrase-file. Without these flags, it returns nil.
func (c *call) recipient() (age.Recipient, error) {
	switch {
	case c.encrypt != "" && c.passphraseFile != "":
		return nil, usagef("use only one of -encrypt and -passphrase-file")
	case c.passphraseFile != "":
		passphrase, err := c.readPassphrase()
		if err != nil {
			return nil, err
		}
		return age.NewScryptRecipient(passphrase)
	case c.encrypt == "":
		return nil, nil
	}
	all, err := age.ParseRecipients(strings.NewReader(c.encrypt))
	if err != nil || len(all) != 1 {
		return nil, usagef("invalid -encrypt: enter one public key from age-keygen, which begins with age1")
	}
	return all[0], nil
}

// identities returns the keys that may decrypt a backup: those in the file of -identity, or
// one derived from the passphrase in -passphrase-file.
func (c *call) identities() ([]age.Identity, error) {
	switch {
	case c.identity != "" && c.passphraseFile != "":
		return nil, usagef("use only one of -identity and -passphrase-file")
	case c.passphraseFile != "":
		passphrase, err := c.readPassphrase()
		if err != nil {
			return nil, err
		}
		identity, err := age.NewScryptIdentity(passphrase)
		return []age.Identity{identity}, err
	case c.identity == "":
		return nil, usagef("the backup is encrypted: use -identity or -passphrase-file")
	}
	file, err := os.Open(c.identity)
	if err != nil {
		return nil, readError(c.identity, err)
	}
	all, err := age.ParseIdentities(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s is not a file of age keys: %w", c.identity, err)
	}
	return all, nil
}

// readPassphrase returns the first line of the file of -passphrase-file.
func (c *call) readPassphrase() (string, error) {
	text, err := os.ReadFile(c.passphraseFile)
	if err != nil {
		return "", readError(c.passphraseFile, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimRight(line, "\r"); len(line) < minPassphrase {
		return "", usagef("the first line of %s must be a passphrase with at least %d characters", c.passphraseFile, minPassphrase)
	}
	return line, nil
}

// encryptTo calls write with a writer that encrypts for the recipient. If recipient is
// nil, it calls write with w.
func encryptTo(w io.Writer, recipient age.Recipient, write func(io.Writer) error) error {
	if recipient == nil {
		return write(w)
	}
	encrypted, err := age.Encrypt(w, recipient)
	if err != nil {
		return err
	}
	return errors.Join(write(encrypted), encrypted.Close())
}

// decrypt returns a reader of the decrypted backup. If the backup is not encrypted, decrypt
// returns a reader of the unchanged backup, or an error if -identity or -passphrase-file is
// set.
func (c *call) decrypt(path string, backup *bufio.Reader) (io.Reader, error) {
	if start, _ := backup.Peek(len(ageHeader)); string(start) != ageHeader {
		if c.identity != "" || c.passphraseFile != "" {
			return nil, fmt.Errorf("%s is not encrypted: leave out -identity and -passphrase-file", path)
		}
		return backup, nil
	}
	identities, err := c.identities()
	if err != nil {
		return nil, err
	}
	plain, err := age.Decrypt(backup, identities...)
	var wrong *age.NoIdentityMatchError
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("cannot decrypt %s: the key or passphrase is wrong", path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot decrypt %s: %w", path, err)
	}
	return plain, nil
}
