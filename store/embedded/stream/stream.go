// Package stream contains the inputs and outputs of DynamoDB Streams, which the SDK has
// in a module of its own. Package embedded implements the operations. See
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html.
//
// The struct tag wire contains the name of a member in the API if it differs from the
// name of the field.
package stream

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Status is the status of a stream.
type Status string

const (
	Enabled  Status = "ENABLED"
	Disabled Status = "DISABLED"
)

// IteratorType is the place in a shard at which an iterator starts.
type IteratorType string

const (
	TrimHorizon         IteratorType = "TRIM_HORIZON"
	Latest              IteratorType = "LATEST"
	AtSequenceNumber    IteratorType = "AT_SEQUENCE_NUMBER"
	AfterSequenceNumber IteratorType = "AFTER_SEQUENCE_NUMBER"
)

// Event is the kind of a change.
type Event string

const (
	Insert Event = "INSERT"
	Modify Event = "MODIFY"
	Remove Event = "REMOVE"
)

type ListStreamsInput struct {
	TableName               *string
	ExclusiveStartStreamArn *string
	Limit                   *int32
}

type ListStreamsOutput struct {
	Streams                []Stream
	LastEvaluatedStreamArn *string
}

type Stream struct {
	StreamArn   string
	StreamLabel string
	TableName   string
}

type DescribeStreamInput struct {
	StreamArn             *string
	ExclusiveStartShardId *string
	Limit                 *int32
	ShardFilter           *ShardFilter
}

// ShardFilter selects the shards that follow another shard.
type ShardFilter struct {
	ShardId *string
	Type    string
}

type DescribeStreamOutput struct{ StreamDescription *Description }

type Description struct {
	StreamArn               string
	StreamLabel             string
	StreamStatus            Status
	StreamViewType          types.StreamViewType
	CreationRequestDateTime *time.Time
	TableName               string
	KeySchema               []types.KeySchemaElement
	Shards                  []Shard
}

type Shard struct {
	ShardId             string
	SequenceNumberRange *SequenceNumberRange
}

// SequenceNumberRange is the range of the records in a shard. EndingSequenceNumber is
// "" while the stream is enabled.
type SequenceNumberRange struct {
	StartingSequenceNumber string
	EndingSequenceNumber   string
}

type GetShardIteratorInput struct {
	StreamArn         *string
	ShardId           *string
	ShardIteratorType IteratorType
	SequenceNumber    *string
}

type GetShardIteratorOutput struct{ ShardIterator *string }

type GetRecordsInput struct {
	ShardIterator *string
	Limit         *int32
}

// GetRecordsOutput has no NextShardIterator at the end of a disabled stream.
type GetRecordsOutput struct {
	Records           []Record
	NextShardIterator *string
}

type Record struct {
	EventID      string    `wire:"eventID"`
	EventName    Event     `wire:"eventName"`
	EventVersion string    `wire:"eventVersion"`
	EventSource  string    `wire:"eventSource"`
	AwsRegion    string    `wire:"awsRegion"`
	Change       Change    `wire:"dynamodb"`
	UserIdentity *Identity `wire:"userIdentity"`
}

// Change is a change of one item.
type Change struct {
	ApproximateCreationDateTime time.Time
	Keys                        map[string]types.AttributeValue
	OldImage                    map[string]types.AttributeValue
	NewImage                    map[string]types.AttributeValue
	SequenceNumber              string
	SizeBytes                   int64
	StreamViewType              types.StreamViewType
}

// Identity identifies the service that removed an item. It is set only for items that Time
// to Live removed.
type Identity struct {
	PrincipalId string
	Type        string
}
