package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/stream"
)

// constraints collects violations of constraints in a request, because DynamoDB reports
// them together. A request is checked before its table is read.
type constraints struct{ broken []string }

// check records a violation if ok is false. The message shows a nil value as null.
func (c *constraints) check(ok bool, value any, member, constraint string) {
	if ok {
		return
	}
	shown := "null"
	if value != nil {
		shown = fmt.Sprintf("'%v'", value)
	}
	c.broken = append(c.broken, fmt.Sprintf("Value %s at '%s' failed to satisfy constraint: %s", shown, member, constraint))
}

func (c *constraints) err() error {
	switch len(c.broken) {
	case 0:
		return nil
	case 1:
		return invalidf("1 validation error detected: %s", c.broken[0])
	}
	return invalidf("%d validation errors detected: %s", len(c.broken), strings.Join(c.broken, "; "))
}

func (c *constraints) notNull(set bool, member string) {
	c.check(set, nil, member, "Member must not be null")
}

// minNameLen is the minimum length of the name of a new table or of any index.
const minNameLen = 3

func (c *constraints) tableName(name *string) { c.name(name, "tableName", 1) }

// name checks the name of a table or index. As in DynamoDB, minLen is 1 for most
// references to existing tables, and minNameLen for all other names.
func (c *constraints) name(name *string, member string, minLen int) {
	if name == nil {
		c.notNull(false, member)
		return
	}
	valid := !strings.ContainsFunc(*name, isInvalidNameRune)
	if valid && minLen <= len(*name) && len(*name) <= 255 {
		return // the name is valid: return without allocating the messages
	}
	c.check(len(*name) >= minLen, *name, member, fmt.Sprintf("Member must have length greater than or equal to %d", minLen))
	c.check(len(*name) <= 255, *name, member, "Member must have length less than or equal to 255")
	c.check(valid, *name, member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
}

func isInvalidNameRune(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '.' && r != '-'
}

// Allowed values of parameters, in the order of DynamoDB's messages.
var (
	returnValues          = []types.ReturnValue{types.ReturnValueAllNew, types.ReturnValueUpdatedOld, types.ReturnValueAllOld, types.ReturnValueNone, types.ReturnValueUpdatedNew}
	returnValuesOnFailure = []types.ReturnValuesOnConditionCheckFailure{types.ReturnValuesOnConditionCheckFailureAllOld, types.ReturnValuesOnConditionCheckFailureNone}
	returnCapacity        = []types.ReturnConsumedCapacity{types.ReturnConsumedCapacityIndexes, types.ReturnConsumedCapacityTotal, types.ReturnConsumedCapacityNone}
	returnMetrics         = []types.ReturnItemCollectionMetrics{types.ReturnItemCollectionMetricsSize, types.ReturnItemCollectionMetricsNone}
	selects               = []types.Select{types.SelectSpecificAttributes, types.SelectCount, types.SelectAllAttributes, types.SelectAllProjectedAttributes}
	attributeTypes        = []types.ScalarAttributeType{types.ScalarAttributeTypeB, types.ScalarAttributeTypeN, types.ScalarAttributeTypeS}
	keyTypes              = []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}
	billingModes          = []types.BillingMode{types.BillingModeProvisioned, types.BillingModePayPerRequest}
	projectionTypes       = []types.ProjectionType{types.ProjectionTypeAll, types.ProjectionTypeInclude, types.ProjectionTypeKeysOnly}
	comparisonOperators   = []types.ComparisonOperator{
		types.ComparisonOperatorIn, types.ComparisonOperatorNull, types.ComparisonOperatorBetween, types.ComparisonOperatorLt, types.ComparisonOperatorNotContains,
		types.ComparisonOperatorEq, types.ComparisonOperatorGt, types.ComparisonOperatorNotNull, types.ComparisonOperatorNe, types.ComparisonOperatorLe,
		types.ComparisonOperatorBeginsWith, types.ComparisonOperatorGe, types.ComparisonOperatorContains,
	}
	conditionalOperators = []types.ConditionalOperator{types.ConditionalOperatorOr, types.ConditionalOperatorAnd}
	attributeActions     = []types.AttributeAction{types.AttributeActionAdd, types.AttributeActionDelete, types.AttributeActionPut}
	streamViewTypes      = []types.StreamViewType{types.StreamViewTypeNewImage, types.StreamViewTypeOldImage, types.StreamViewTypeNewAndOldImages, types.StreamViewTypeKeysOnly}
	shardIteratorTypes   = []stream.IteratorType{stream.TrimHorizon, stream.Latest, stream.AtSequenceNumber, stream.AfterSequenceNumber}
	tableClasses         = []types.TableClass{types.TableClassStandardInfrequentAccess, types.TableClassStandard}
)

// enum records a violation if the value is neither empty nor one of the known values.
func enum[E ~string](c *constraints, value E, member string, known []E) {
	if value == "" || slices.Contains(known, value) {
		return
	}
	c.check(false, value, member, fmt.Sprintf("Member must satisfy enum value set: %s", strings.ReplaceAll(fmt.Sprint(known), " ", ", ")))
}

func (c *constraints) consumedCapacity(mode types.ReturnConsumedCapacity) {
	enum(c, mode, "returnConsumedCapacity", returnCapacity)
}

func (c *constraints) limit(limit *int32) {
	if limit != nil {
		c.check(*limit >= 1, *limit, "limit", "Member must have value greater than or equal to 1")
	}
}

// consistent reports whether the request asks for a strongly consistent read. All
// reads of the engine are strongly consistent. The option only changes the consumed
// capacity, and is an error for global indexes.
func consistent(mode *bool) bool { return aws.ToBool(mode) }
