package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// Maximum lengths of keys in bytes. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// keyOfItem appends the table key of an item that is to be stored.
func (t *table) keyOfItem(dst []byte, item Item) ([]byte, error) {
	for _, key := range t.Key.attributes() {
		value, ok := item[key.Name]
		if !ok {
			return nil, invalidParameter("Missing the key %s in the item", key.Name)
		}
		if actual := expr.TypeOf(value); actual != string(key.Type) {
			return nil, invalidParameter("Type mismatch for key %s expected: %s actual: %s", key.Name, key.Type, actual)
		}
	}
	return t.Key.encode(dst, item)
}

// keyOf returns the table key for the Key parameter of a request.
func (t *table) keyOf(key Item) ([]byte, error) {
	attributes := t.Key.attributes()
	if len(key) != len(attributes) {
		return nil, errKeyMismatch()
	}
	for _, attribute := range attributes {
		if expr.TypeOf(key[attribute.Name]) != string(attribute.Type) {
			return nil, errKeyMismatch()
		}
	}
	return t.Key.encode(nil, key)
}

func errKeyMismatch() error { return invalidf("The provided key element does not match the schema") }

func (k *keySchema) attributes() []keyAttribute {
	if k.isMulti() {
		return append(k.partition(), k.sort()...)
	}
	if k.Sort.Name == "" {
		return []keyAttribute{k.Partition}
	}
	return []keyAttribute{k.Partition, k.Sort}
}

// encode appends the key of an item. The key attributes must have the right types.
func (k *keySchema) encode(dst []byte, item Item) ([]byte, error) {
	for _, key := range k.attributes() {
		if empty := emptyKind(item[key.Name]); empty != "" {
			return nil, invalidf("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", empty, key.Name)
		}
	}
	if err := k.checkLengths(item); err != nil {
		return nil, err
	}
	return k.append(dst, item)
}

func (k *keySchema) checkLengths(item Item) error {
	partition, sort := keyLength(item[k.Partition.Name]), 0
	if k.Sort.Name != "" {
		sort = keyLength(item[k.Sort.Name])
	}
	for _, attribute := range k.MorePartition {
		partition += keyLength(item[attribute.Name])
	}
	for _, attribute := range k.MoreSort {
		sort += keyLength(item[attribute.Name])
	}
	return checkKeyLengths(partition, sort)
}

// checkKeyLengths returns an error if a partition key or a sort key with this length in bytes
// is too long. Keys without a sort key have the length 0.
func checkKeyLengths(partition, sort int) error {
	if partition > maxPartitionKey {
		return invalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	if sort > maxSortKey {
		return invalidParameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

func (k *keySchema) append(dst []byte, item Item) ([]byte, error) {
	const separators = 4
	dst = slices.Grow(dst, keyLength(item[k.Partition.Name])+keyLength(item[k.Sort.Name])+separators)
	dst, err := codec.AppendPartitionKey(dst, item[k.Partition.Name])
	for i := 0; i < len(k.MorePartition) && err == nil; i++ {
		dst, err = codec.AppendPartitionKey(dst, item[k.MorePartition[i].Name])
	}
	if err == nil && k.Sort.Name != "" {
		dst, err = codec.AppendSortKey(dst, item[k.Sort.Name])
	}
	for i := 0; i < len(k.MoreSort) && err == nil; i++ {
		dst, err = codec.AppendSortKey(dst, item[k.MoreSort[i].Name])
	}
	return dst, err
}

// entryKey returns the key of an item's index entry. The result found is false if the
// item has no entry, because a key attribute of the index is missing or invalid. A key
// attribute can be invalid only if the item is older than the index.
func (ix *index) entryKey(item Item, tableKey []byte) (key []byte, found bool, err error) {
	return ix.appendEntryKey(nil, item, tableKey)
}

// appendEntryKey is like entryKey, but appends the key to dst.
func (ix *index) appendEntryKey(dst []byte, item Item, tableKey []byte) (key []byte, found bool, err error) {
	for _, attribute := range ix.Key.attributes() {
		value := item[attribute.Name]
		if value == nil || expr.TypeOf(value) != string(attribute.Type) || emptyKind(value) != "" {
			return nil, false, nil
		}
	}
	if ix.Key.checkLengths(item) != nil {
		return nil, false, nil
	}
	if dst == nil {
		dst = make([]byte, 0, 64+len(tableKey))
	}
	key, err = ix.Key.append(dst, item)
	return append(key, tableKey...), err == nil, err
}

// checkIndexKeys returns an error if an index key attribute of the item is
// empty or has the wrong type, or if an index key is too long.
func (t *table) checkIndexKeys(item Item) error {
	for _, ix := range t.indexes {
		found := false
		for _, key := range ix.Key.attributes() {
			value, ok := item[key.Name]
			if !ok {
				continue
			}
			found = true
			if actual := expr.TypeOf(value); actual != string(key.Type) {
				return invalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", key.Name, key.Type, actual, ix.Name)
			}
			if empty := emptyKind(value); empty != "" {
				return invalidf("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", empty, ix.Name, key.Name)
			}
		}
		if !found {
			continue
		}
		if err := ix.Key.checkLengths(item); err != nil {
			return err
		}
	}
	return nil
}

// emptyKind returns "string" or "binary" if value is an empty string or binary,
// which are not allowed in keys. Otherwise it returns "".
func emptyKind(value types.AttributeValue) string {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		if v.Value == "" {
			return "string"
		}
	case *types.AttributeValueMemberB:
		if len(v.Value) == 0 {
			return "binary"
		}
	}
	return ""
}

func keyLength(value types.AttributeValue) int {
	if value == nil {
		return 0
	}
	return codec.SizeOfValue(value)
}

// formatKey formats a stored key for messages, with its parts in quotes.
func formatKey(key []byte) string {
	partition, rest, err := codec.SplitPartitionKey(key)
	if err != nil {
		return fmt.Sprintf("%q", key)
	}
	parts := []string{fmt.Sprintf("%q", partition[2:])}
	for len(rest) > 0 {
		sort, remainder, err := codec.SplitSortKey(rest)
		if err != nil {
			parts = append(parts, fmt.Sprintf("%q", rest))
			break
		}
		parts = append(parts, fmt.Sprintf("%q", sort[:len(sort)-2]))
		rest = remainder
	}
	return strings.Join(parts, " ")
}
