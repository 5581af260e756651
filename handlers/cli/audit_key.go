package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
)

// auditKeyVariable is the environment variable with the keys that seal the history,
// separated by commas. New seals use the first key.
const auditKeyVariable = "STOCKROOM_AUDIT_KEY"

// auditKeyFile is the file in the data folder with the key that seals the history.
// Backups do not contain it.
const auditKeyFile = "audit-key"

// useAuditKeys sets the keys with which the store seals the history. They come from the
// environment, or from a file in the data folder. If there is no file and create is true,
// useAuditKeys creates one. On Amazon DynamoDB, it uses no file, because all servers must
// have the same keys. If the environment then contains no keys, it logs a warning if create
// is true, and otherwise returns an error.
func (c *call) useAuditKeys(s *store.Store, create bool) error {
	texts, err := splitKeys(auditKeyVariable, c.env(auditKeyVariable), store.MinAuditKey)
	switch {
	case err != nil:
		return err
	case len(texts) > 0:
	case c.dynamodb && create:
		c.log.Warn("the history is not sealed: set " + auditKeyVariable)
		return nil
	case c.dynamodb:
		return usagef("set %s to the keys that seal the history", auditKeyVariable)
	default:
		text, err := c.readAuditKey(create)
		if err != nil {
			return fmt.Errorf("cannot use the key that seals the history: %w", err)
		}
		texts = []string{text}
	}
	var keys store.AuditKeys
	for i, text := range texts {
		if strings.ContainsAny(text, " \t\n") {
			return usagef("key %d of %s contains a space: separate keys with commas", i+1, auditKeyVariable)
		}
		keys = append(keys, store.NewAuditKey(text))
	}
	s.UseAuditKeys(keys)
	return nil
}

// splitKeys returns the keys in a list that is separated by commas. It ignores empty keys,
// and spaces around keys. The argument name is the variable or flag with the list.
func splitKeys(name, list string, shortest int) (keys []string, err error) {
	for key := range strings.SplitSeq(list, ",") {
		switch key = strings.TrimSpace(key); {
		case key == "":
		case len(key) < shortest:
			return nil, usagef("key %d of %s has %s, but needs at least %d: generate one with 'openssl rand -base64 32'", len(keys)+1, name, store.NumberOf(len(key), "character", "characters"), shortest)
		default:
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// readAuditKey reads the key from its file. If the file is missing and create is true, it
// creates the file with a random key.
func (c *call) readAuditKey(create bool) (string, error) {
	path := filepath.Join(c.data, auditKeyFile)
	text, err := os.ReadFile(path)
	if create && errors.Is(err, fs.ErrNotExist) {
		text = []byte(rand.Text() + rand.Text() + "\n")
		err = os.WriteFile(path, text, 0o600)
	}
	if err == nil {
		err = os.Chmod(path, 0o600) // a copied file may be readable by other users
	}
	if err != nil {
		return "", err
	}
	if text := strings.TrimSpace(string(text)); len(text) >= store.MinAuditKey {
		return text, nil
	}
	return "", fmt.Errorf("%s has fewer than %d characters: restore the file, or delete it so that 'stockroom serve' generates a new key, with which earlier seals cannot be verified", path, store.MinAuditKey)
}
