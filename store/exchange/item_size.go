package exchange

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// maxItem is the maximum size of an item in bytes: DynamoDB's limit minus a reserve
// for a longer Version. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const maxItem = 400<<10 - 16

// encode returns the item of an entity. If the entity cannot be stored, for example because
// a computed value is out of range, it returns the reason.
func encode(entity store.Entity) (item store.Item, reason string) {
	item, err := store.Encode(entity, key.DefaultShards)
	if err != nil {
		return nil, err.Error()
	}
	if n := itemSize(item); n > maxItem {
		return nil, fmt.Sprintf("The item has about %d KB with its keys. DynamoDB stores at most 400 KB.", n>>10)
	}
	return item, ""
}

// itemSize estimates the size of an item in bytes by DynamoDB's rules, from the lengths of
// names and values.
func itemSize(item store.Item) int {
	n := 0
	for name, value := range item {
		n += len(name) + valueSize(value)
	}
	return n
}

func valueSize(value types.AttributeValue) int {
	n := 3
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		n = len(v.Value)
	case *types.AttributeValueMemberN:
		n = len(v.Value)
	case *types.AttributeValueMemberM:
		n += itemSize(v.Value) + len(v.Value)
	case *types.AttributeValueMemberL:
		for _, element := range v.Value {
			n += valueSize(element) + 1
		}
	}
	return n
}
