package exchange

import (
	"encoding/json"
	"fmt"

	"stockroom/store"
)

// incrementalNames contains the names in a line of an incremental export:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html#incremental-export-output.
var incrementalNames = []string{"Metadata", "Keys", "NewImage", "OldImage"}

// errDeleted means that a line of an incremental export says that an item was deleted, or
// that a request deletes an item. Its text is the reason to reject the row.
type errDeleted string

func (e errDeleted) Error() string { return string(e) }

func deletedItem(keys store.Item) errDeleted {
	return errDeleted(fmt.Sprintf("The file says that %s was deleted. Imports never delete items.", keysOf(keys)))
}

// parseIncremental returns the new image of the item in a line of an incremental export. If
// the line has none, the item was deleted, and parseIncremental returns errDeleted.
func parseIncremental(line []byte) (item store.Item, raw []byte, err error) {
	var images struct{ Keys, NewImage, OldImage json.RawMessage }
	if err := json.Unmarshal(line, &images); err != nil {
		return nil, line, errNotLine
	}
	if images.NewImage != nil {
		item, err := parseItem(images.NewImage)
		return item, images.NewImage, err
	}
	keys := images.Keys
	if keys == nil {
		keys = images.OldImage
	}
	if item, err = parseItem(keys); err == nil {
		err = deletedItem(item)
	}
	return nil, line, err
}
