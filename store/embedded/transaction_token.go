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
	// tokenLife is how long a ClientRequestToken is valid. See
	// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html.
	tokenLife   = 10 * time.Minute
	maxTokenLen = 36
	// maxTokenCleanup is the maximum number of expired tokens that one transaction removes.
	// Each transaction adds only one token, so expired tokens do not accumulate.
	maxTokenCleanup = 4
)

// tokens maps each token to its time of use in nanoseconds and the hash of its
// transaction. tokenTimes contains the tokens sorted by time.
var (
	tokens     = newKeyspace("tokens", "the request tokens")
	tokenTimes = newKeyspace("token times", "the order of request tokens")
)

// token is the ClientRequestToken of a transaction, with a hash of its actions.
type token struct {
	key     []byte // nil if the transaction has no ClientRequestToken
	content [sha256.Size]byte
}

func newToken(in *dynamodb.TransactWriteItemsInput) *token {
	if aws.ToString(in.ClientRequestToken) == "" {
		return &token{}
	}
	// The prefix ensures that no token equals the filler key.
	return &token{key: []byte("t" + *in.ClientRequestToken), content: hashActions(in.TransactItems)}
}

// alreadyApplied reports whether the transaction with this token was already applied less
// than tokenLife ago. If a transaction with other actions used the token in that time, it
// returns an IdempotentParameterMismatchException.
func (t *token) alreadyApplied(tx *writeTx) (bool, error) {
	if t.key == nil {
		return false, nil
	}
	body, found, err := tx.get(tokens, t.key)
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

// record appends mutations that store the token and remove expired tokens.
func (t *token) record(tx *writeTx, mutations []mutation) ([]mutation, error) {
	if t.key == nil {
		return mutations, nil
	}
	mutations, err := removeExpiredTokens(tx, mutations)
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

func removeExpiredTokens(tx *writeTx, mutations []mutation) ([]mutation, error) {
	bucket, err := tokenTimes.bucket(tx.bolt)
	if err != nil {
		return nil, err
	}
	cursor := bucket.Cursor()
	removed := 0
	for key, value := cursor.First(); !atEnd(key) && removed < maxTokenCleanup; key, value = cursor.Next() {
		if err := tx.guard(tokenTimes, key, true); err != nil {
			return nil, err
		}
		if _, err := tokenTimes.unseal(key, value); err != nil {
			return nil, err
		}
		if len(key) <= 8 {
			return nil, tokenTimes.damaged(key, codec.ErrMalformed.Error())
		}
		if used := time.Unix(0, int64(binary.BigEndian.Uint64(key))); tx.now.Sub(used) < tokenLife {
			break
		}
		removed++
		mutations = append(mutations, mutation{space: tokenTimes, key: slices.Clone(key)})
		// If the token was used again later, keep it. It then has another, later entry in
		// tokenTimes.
		body, found, err := tx.get(tokens, key[8:])
		if err != nil {
			return nil, err
		}
		if found && string(body[:8]) == string(key[:8]) {
			mutations = append(mutations, mutation{space: tokens, key: slices.Clone(key[8:])})
		}
	}
	return mutations, nil
}

// hashActions returns a hash of everything that determines what the actions write. It
// does not include ReturnValuesOnConditionCheckFailure.
func hashActions(items []types.TransactWriteItem) [sha256.Size]byte {
	var data []byte
	for i := range items {
		switch item := &items[i]; {
		case item.Put != nil:
			data = appendAction(data, "Put", item.Put.TableName, item.Put.ConditionExpression, nil, item.Put.ExpressionAttributeNames, item.Put.Item, item.Put.ExpressionAttributeValues)
		case item.Update != nil:
			data = appendAction(data, "Update", item.Update.TableName, item.Update.ConditionExpression, item.Update.UpdateExpression, item.Update.ExpressionAttributeNames, item.Update.Key, item.Update.ExpressionAttributeValues)
		case item.Delete != nil:
			data = appendAction(data, "Delete", item.Delete.TableName, item.Delete.ConditionExpression, nil, item.Delete.ExpressionAttributeNames, item.Delete.Key, item.Delete.ExpressionAttributeValues)
		case item.ConditionCheck != nil:
			data = appendAction(data, "ConditionCheck", item.ConditionCheck.TableName, item.ConditionCheck.ConditionExpression, nil, item.ConditionCheck.ExpressionAttributeNames, item.ConditionCheck.Key, item.ConditionCheck.ExpressionAttributeValues)
		}
	}
	return sha256.Sum256(data)
}

// appendAction appends an encoding of an action. Each part has a length prefix, and
// maps are sorted by name.
func appendAction(data []byte, kind string, table, condition, update *string, names map[string]string, items ...Item) []byte {
	part := func(text string) { data = append(binary.AppendUvarint(data, uint64(len(text))), text...) }
	part(kind)
	for _, text := range []*string{table, condition, update} {
		part(aws.ToString(text))
	}
	data = binary.AppendUvarint(data, uint64(len(names)))
	for _, placeholder := range slices.Sorted(maps.Keys(names)) {
		part(placeholder)
		part(names[placeholder])
	}
	none := codec.NewNames(nil)
	for _, item := range items {
		// There is no error, because parsing has already rejected items that cannot be
		// encoded.
		if encoded, err := none.Encode(nil, item); err == nil {
			part(string(encoded))
		}
	}
	return data
}
