package exchange

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// maxItem is the most that DynamoDB takes as one item, in bytes, less what a
// raised Version may add.
const maxItem = 400<<10 - 16

// size is about how DynamoDB measures what the entities of this table are
// made of: names and texts in bytes, and a few bytes around each value.
func size(item store.Item) int {
	n := 0
	for name, value := range item {
		n += len(name) + sizeOf(value)
	}
	return n
}

func sizeOf(value types.AttributeValue) int {
	n := 3
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		n = len(v.Value)
	case *types.AttributeValueMemberN:
		n = len(v.Value)
	case *types.AttributeValueMemberM:
		n += size(v.Value) + len(v.Value)
	case *types.AttributeValueMemberL:
		for _, element := range v.Value {
			n += sizeOf(element) + 1
		}
	}
	return n
}
