package embedded

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

const (
	// tokenLife is how long DynamoDB remembers a ClientRequestToken.
	tokenLife = 10 * time.Minute
	maxToken  = 36
	// tokensSwept bounds how many forgotten tokens one transaction removes:
	// each removes more than it adds, so they do not pile up.
	tokensSwept = 4
)

// tokens holds when a token was used, in nanoseconds, and for what, as a hash;
// tokenTimes the same tokens in the order of that time.
var (
	tokens     = newKeyspace("tokens", "the request tokens")
	tokenTimes = newKeyspace("token times", "the order of request tokens")
)

// token is the ClientRequestToken of a transaction, with what it stands for.
// Without one, nothing is remembered.
type token struct {
	key     []byte // nil without a token
	content [sha256.Size]byte
}

func newToken(in *dynamodb.TransactWriteItemsInput) *token {
	if aws.ToString(in.ClientRequestToken) == "" {
		return &token{}
	}
	// The letter keeps what a client makes up apart from the filler.
	return &token{key: []byte("t" + *in.ClientRequestToken), content: contentOf(in.TransactItems)}
}

// seen tells whether the transaction was made before; an error, whether it
// was another one.
func (t *token) seen(tx *writeTx) (bool, error) {
	if t.key == nil {
		return false, nil
	}
	body, found, err := tokens.get(tx.bolt, t.key)
	if err != nil || !found {
		return false, err
	}
	if len(body) != 8+sha256.Size {
		return false, tokens.damaged(t.key, codec.ErrMalformed.Error())
	}
	if used := time.Unix(0, int64(binary.BigEndian.Uint64(body))); tx.now.Sub(used) >= tokenLife {
		return false, nil
	}
	if string(body[8:]) != string(t.content[:]) {
		return false, &types.IdempotentParameterMismatchException{Message: aws.String("The request was rejected because the client request token was already used with other parameters")}
	}
	return true, nil
}

// note appends what remembers the token, and what forgets some old ones.
func (t *token) note(tx *writeTx, mutations []mutation) ([]mutation, error) {
	if t.key == nil {
		return mutations, nil
	}
	mutations, err := forgetTokens(tx, mutations)
	if err != nil {
		return nil, err
	}
	at := binary.BigEndian.AppendUint64(nil, uint64(tx.now.UnixNano()))
	timeKey := append(slices.Clone(at), t.key...)
	return append(mutations,
		mutation{space: tokens, key: t.key, value: tokens.seal(t.key, append(slices.Clone(at), t.content[:]...))},
		mutation{space: tokenTimes, key: timeKey, value: tokenTimes.seal(timeKey, nil)},
	), nil
}

func forgetTokens(tx *writeTx, mutations []mutation) ([]mutation, error) {
	bucket, err := tokenTimes.bucket(tx.bolt)
	if err != nil {
		return nil, err
	}
	cursor := bucket.Cursor()
	forgotten := 0
	for key, _ := cursor.First(); !atEnd(key) && forgotten < tokensSwept; key, _ = cursor.Next() {
		if len(key) <= 8 {
			return nil, tokenTimes.damaged(key, codec.ErrMalformed.Error())
		}
		if used := time.Unix(0, int64(binary.BigEndian.Uint64(key))); tx.now.Sub(used) < tokenLife {
			break
		}
		forgotten++
		mutations = append(mutations, mutation{space: tokenTimes, key: slices.Clone(key)})
		// A token that was used again has a later time.
		body, found, err := tokens.get(tx.bolt, key[8:])
		if err != nil {
			return nil, err
		}
		if found && string(body[:8]) == string(key[:8]) {
			mutations = append(mutations, mutation{space: tokens, key: slices.Clone(key[8:])})
		}
	}
	return mutations, nil
}

// contentOf is a hash of all that a transaction says.
func contentOf(items []types.TransactWriteItem) [sha256.Size]byte {
	var said []byte
	for i := range items {
		switch item := &items[i]; {
		case item.Put != nil:
			said = appendAction(said, "Put", item.Put.TableName, item.Put.ConditionExpression, nil, item.Put.ExpressionAttributeNames, item.Put.Item, item.Put.ExpressionAttributeValues)
		case item.Update != nil:
			said = appendAction(said, "Update", item.Update.TableName, item.Update.ConditionExpression, item.Update.UpdateExpression, item.Update.ExpressionAttributeNames, item.Update.Key, item.Update.ExpressionAttributeValues)
		case item.Delete != nil:
			said = appendAction(said, "Delete", item.Delete.TableName, item.Delete.ConditionExpression, nil, item.Delete.ExpressionAttributeNames, item.Delete.Key, item.Delete.ExpressionAttributeValues)
		case item.ConditionCheck != nil:
			said = appendAction(said, "ConditionCheck", item.ConditionCheck.TableName, item.ConditionCheck.ConditionExpression, nil, item.ConditionCheck.ExpressionAttributeNames, item.ConditionCheck.Key, item.ConditionCheck.ExpressionAttributeValues)
		}
	}
	return sha256.Sum256(said)
}

// appendAction appends what an action says, each part with its length in front.
// Maps have no order, so their members are taken by name.
func appendAction(said []byte, kind string, table, condition, update *string, names map[string]string, items ...Item) []byte {
	part := func(text string) { said = append(binary.AppendUvarint(said, uint64(len(text))), text...) }
	part(kind)
	for _, text := range []*string{table, condition, update} {
		part(aws.ToString(text))
	}
	said = binary.AppendUvarint(said, uint64(len(names)))
	for _, placeholder := range slices.Sorted(maps.Keys(names)) {
		part(placeholder)
		part(names[placeholder])
	}
	none := codec.NewNames(nil)
	for _, item := range items {
		// An item that cannot be encoded was refused before it came here.
		if encoded, err := none.Encode(nil, item); err == nil {
			part(string(encoded))
		}
	}
	return said
}
