package cli

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store/embedded/wire"
)

// dynamodbKeyVariable is the environment variable with the access key for -dynamodb-addr,
// as ID:SECRET. There is no flag for the key, because other users of the machine can see
// the flags of a process.
const dynamodbKeyVariable = "STOCKROOM_DYNAMODB_KEY"

// dynamodbKeyFile is the file in the data folder with the access key. AWS clients can
// read it, because it has the format of a credentials file. See
// https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html
const dynamodbKeyFile = "dynamodb-credentials"

// minDynamoDBSecret is the minimum length of a secret access key, in bytes.
const minDynamoDBSecret = 16

// dynamodbKey returns the access key for -dynamodb-addr, and a phrase that says where the
// key is stored. The key comes from the environment, or from a file that only its owner can
// read. If there is no file, dynamodbKey creates one with a random key.
func (c *call) dynamodbKey() (key wire.AccessKey, source string, err error) {
	if text := c.env(dynamodbKeyVariable); text != "" {
		id, secret, _ := strings.Cut(text, ":")
		if id == "" || len(secret) < minDynamoDBSecret {
			return key, "", usagef("invalid %s: enter ID:SECRET, the secret with at least %d characters", dynamodbKeyVariable, minDynamoDBSecret)
		}
		return wire.AccessKey{ID: id, Secret: secret}, dynamodbKeyVariable, nil
	}
	path := filepath.Join(c.data, dynamodbKeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key = wire.AccessKey{ID: "STOCKROOM" + rand.Text()[:11], Secret: rand.Text() + rand.Text()}
		text = fmt.Appendf(nil, "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\nregion = local\n", key.ID, key.Secret)
		err = os.WriteFile(path, text, 0o600)
	}
	if err == nil {
		err = os.Chmod(path, 0o600) // a copied file may be readable by other users
	}
	if err != nil {
		return key, "", fmt.Errorf("cannot read or create the access key of the DynamoDB API: %w", err)
	}
	key = parseCredentials(text)
	if key.ID == "" || len(key.Secret) < minDynamoDBSecret {
		return key, "", fmt.Errorf("%s has no access key with a secret of at least %d characters: delete the file to generate a new key", path, minDynamoDBSecret)
	}
	return key, path, nil
}

func parseCredentials(text []byte) (key wire.AccessKey) {
	for line := range bytes.Lines(text) {
		name, value, _ := strings.Cut(string(line), "=")
		switch strings.TrimSpace(name) {
		case "aws_access_key_id":
			key.ID = strings.TrimSpace(value)
		case "aws_secret_access_key":
			key.Secret = strings.TrimSpace(value)
		}
	}
	return key
}
