package embedded

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

// Maximum numbers of indexes per table. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html.
const (
	maxGlobalIndexes = 20
	maxLocalIndexes  = 5
)

// Maximum numbers of key attributes.
const (
	maxKeyElements     = 2
	maxMultiAttributes = 4 // maximum number of attributes in the partition key or the sort key of a global index
	maxMultiElements   = 2 * maxMultiAttributes
)

// CreateTable creates a table, which is ready when CreateTable returns. The output
// nevertheless says CREATING, as in DynamoDB.
func (db *DB) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	d, err := newDefinition(in)
	if err != nil {
		return nil, err
	}
	d.Created = db.clock().UTC()
	if in.StreamSpecification != nil && (aws.ToBool(in.StreamSpecification.StreamEnabled) || in.StreamSpecification.StreamViewType != "") {
		if err := d.setStream(in.StreamSpecification, d.Created); err != nil {
			return nil, err
		}
	}
	d.ARNID = newUUID()
	var description *types.TableDescription
	err = db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		if _, exists := tx.catalog.tables[d.Name]; exists {
			return nil, &types.ResourceInUseException{Message: aws.String("Table already exists: " + d.Name)}
		}
		t, err := tx.create(*d)
		if err != nil {
			return nil, err
		}
		description, err = t.describe(tx.bolt)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	description.TableStatus = types.TableStatusCreating
	for i := range description.GlobalSecondaryIndexes {
		description.GlobalSecondaryIndexes[i].IndexStatus = types.IndexStatusCreating
	}
	return &dynamodb.CreateTableOutput{TableDescription: description}, nil
}

func (tx *writeTx) create(d definition) (*table, error) {
	bucket, err := tables.bucket(tx.bolt)
	if err != nil {
		return nil, err
	}
	id, err := bucket.NextSequence()
	if err != nil {
		return nil, fmt.Errorf("embedded: %w", err)
	}
	d.ID = uint32(id)
	t, err := tx.saveDefinition(d, codec.NewNames(nil))
	if err != nil {
		return nil, err
	}
	for _, space := range t.keyspaces() {
		if err := space.create(tx.bolt); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *table) keyspaces() []*keyspace {
	all := []*keyspace{t.items, t.expiry, t.dictionary}
	for _, ix := range t.indexes {
		all = append(all, ix.entries)
	}
	for _, s := range t.streams {
		all = append(all, s.records)
	}
	return all
}

func newDefinition(in *dynamodb.CreateTableInput) (*definition, error) {
	var c constraints
	if in.TableName == nil {
		return nil, invalidf("The parameter 'TableName' is required but was not present in the request")
	}
	c.name(in.TableName, "tableName", minNameLen)
	c.notNull(in.AttributeDefinitions != nil, "attributeDefinitions")
	c.notNull(in.KeySchema != nil, "keySchema")
	c.keySchema(in.KeySchema, "keySchema", maxKeyElements)
	c.attributeDefinitions(in.AttributeDefinitions)
	enum(&c, in.BillingMode, "billingMode", billingModes)
	enum(&c, in.TableClass, "tableClass", tableClasses)
	c.tags(in.Tags)
	c.streamSpecification(in.StreamSpecification)
	if err := c.err(); err != nil {
		return nil, err
	}
	d := &definition{Name: *in.TableName, Class: in.TableClass, Protected: aws.ToBool(in.DeletionProtectionEnabled), Billing: in.BillingMode}
	if d.Billing == "" {
		d.Billing = types.BillingModeProvisioned
	}
	var err error
	if d.Throughput, err = throughputOf(d.Billing, in.ProvisionedThroughput); err != nil {
		return nil, err
	}
	defined, err := attributesOf(in.AttributeDefinitions)
	if err != nil {
		return nil, err
	}
	used := make(map[string]bool)
	if d.Key, err = keySchemaOf(in.KeySchema, defined, used); err != nil {
		return nil, err
	}
	if err := d.addIndexes(in, defined, used); err != nil {
		return nil, err
	}
	if len(used) != len(defined) {
		return nil, invalidParameter("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	if len(in.Tags) > 0 {
		d.Tags = make(map[string]string, len(in.Tags))
		addTags(d.Tags, in.Tags)
	}
	return d, checkTagCount(d.Tags)
}

func (d *definition) addIndexes(in *dynamodb.CreateTableInput, defined map[string]types.ScalarAttributeType, used map[string]bool) error {
	for _, requested := range in.LocalSecondaryIndexes {
		ix, err := newIndex(requested.IndexName, requested.KeySchema, requested.Projection, maxKeyElements, defined, used)
		if err != nil {
			return err
		}
		ix.Local = true
		if err := d.addIndex(ix); err != nil {
			return err
		}
	}
	for _, requested := range in.GlobalSecondaryIndexes {
		ix, err := newIndex(requested.IndexName, requested.KeySchema, requested.Projection, maxMultiElements, defined, used)
		if err != nil {
			return err
		}
		if ix.Throughput, err = throughputOf(d.Billing, requested.ProvisionedThroughput); err != nil {
			return err
		}
		if err := d.addIndex(ix); err != nil {
			return err
		}
	}
	return nil
}

// addIndex adds an index to the definition, with a new number. It returns an error if the
// index does not fit the table or the other indexes.
func (d *definition) addIndex(ix indexDefinition) error {
	if slices.ContainsFunc(d.Indexes, func(other indexDefinition) bool { return other.Name == ix.Name }) {
		return invalidParameter("Duplicate index name: %s", ix.Name)
	}
	if ix.Local {
		switch {
		case d.Key.Sort.Name == "":
			return invalidParameter("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
		case ix.Key.Partition.Name != d.Key.Partition.Name:
			return invalidParameter("Table KeySchema: The AttributeValue for a key attribute of index %s must have the table's hash key", ix.Name)
		case ix.Key.Sort.Name == "":
			return invalidParameter("Index KeySchema does not have a range key for index: %s", ix.Name)
		}
	}
	ix.ID = d.NextIndex
	d.NextIndex++
	d.Indexes = append(d.Indexes, ix)
	count := 0
	for _, other := range d.Indexes {
		if other.Local == ix.Local {
			count++
		}
	}
	switch {
	case ix.Local && count > maxLocalIndexes:
		return invalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocalIndexes)
	case !ix.Local && count > maxGlobalIndexes:
		return invalidParameter("Number of GlobalSecondaryIndexes exceeds per-table limit of %d", maxGlobalIndexes)
	}
	return nil
}

func newIndex(name *string, schema []types.KeySchemaElement, projection *types.Projection, mostElements int, defined map[string]types.ScalarAttributeType, used map[string]bool) (indexDefinition, error) {
	var c constraints
	c.name(name, "indexName", minNameLen)
	c.notNull(schema != nil, "keySchema")
	c.keySchema(schema, "keySchema", mostElements)
	c.notNull(projection != nil, "projection")
	if projection != nil {
		enum(&c, projection.ProjectionType, "projection.projectionType", projectionTypes)
	}
	if err := c.err(); err != nil {
		return indexDefinition{}, err
	}
	ix := indexDefinition{Name: *name, Projection: projection.ProjectionType, Included: projection.NonKeyAttributes}
	switch {
	case ix.Projection == "":
		return ix, invalidParameter("Unknown ProjectionType: null")
	case ix.Projection == types.ProjectionTypeInclude && len(ix.Included) == 0:
		return ix, invalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	case ix.Projection != types.ProjectionTypeInclude && ix.Included != nil:
		return ix, invalidParameter("ProjectionType is %s, but NonKeyAttributes is specified", ix.Projection)
	}
	parse := keySchemaOf
	if isMulti := len(schema) > 2 || len(schema) == 2 && schema[0].KeyType == schema[1].KeyType; isMulti && mostElements > maxKeyElements {
		parse = multiKeyOf
	}
	var err error
	ix.Key, err = parse(schema, defined, used)
	return ix, err
}

func attributesOf(definitions []types.AttributeDefinition) (map[string]types.ScalarAttributeType, error) {
	defined := make(map[string]types.ScalarAttributeType, len(definitions))
	for _, attribute := range definitions {
		if _, duplicate := defined[*attribute.AttributeName]; duplicate {
			return nil, invalidParameter("Cannot have two attributes with the same name")
		}
		defined[*attribute.AttributeName] = attribute.AttributeType
	}
	return defined, nil
}

func (c *constraints) attributeDefinitions(definitions []types.AttributeDefinition) {
	for i, attribute := range definitions {
		member := fmt.Sprintf("attributeDefinitions.%d.member.", i+1)
		c.notNull(attribute.AttributeName != nil, member+"attributeName")
		c.notNull(attribute.AttributeType != "", member+"attributeType")
		enum(c, attribute.AttributeType, member+"attributeType", attributeTypes)
	}
}

func (c *constraints) keySchema(schema []types.KeySchemaElement, member string, most int) {
	if len(schema) > most {
		shown := make([]string, len(schema))
		for i, element := range schema {
			shown[i] = fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", aws.ToString(element.AttributeName), element.KeyType)
		}
		c.check(false, "["+strings.Join(shown, ", ")+"]", member, fmt.Sprintf("Member must have length less than or equal to %d", most))
	}
	c.check(schema == nil || len(schema) > 0, "[]", member, "Member must have length greater than or equal to 1")
	for i, element := range schema {
		at := fmt.Sprintf("%s.%d.member.", member, i+1)
		c.notNull(element.AttributeName != nil, at+"attributeName")
		c.notNull(element.KeyType != "", at+"keyType")
		enum(c, element.KeyType, at+"keyType", keyTypes)
	}
}

// keySchemaOf converts a key schema. It also sets used[name] for the name of each attribute
// in the schema.
func keySchemaOf(schema []types.KeySchemaElement, defined map[string]types.ScalarAttributeType, used map[string]bool) (keySchema, error) {
	var key keySchema
	for i, element := range schema {
		name := aws.ToString(element.AttributeName)
		if element.KeyType != []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i] {
			if i == 0 {
				return key, invalidf("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
			}
			return key, invalidf("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
		}
		if i == 1 && name == key.Partition.Name {
			return key, invalidf("Invalid KeySchema: Some index key attribute have no definition")
		}
		kind, ok := defined[name]
		if !ok {
			return key, invalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: %v", name, slices.Sorted(maps.Keys(defined)))
		}
		used[name] = true
		*[]*keyAttribute{&key.Partition, &key.Sort}[i] = keyAttribute{name, kind}
	}
	return key, nil
}

// multiKeyOf is like keySchemaOf, for global index keys with several attributes.
func multiKeyOf(schema []types.KeySchemaElement, defined map[string]types.ScalarAttributeType, used map[string]bool) (key keySchema, err error) {
	var partition, sort []keyAttribute
	seen := make(map[string]bool)
	for _, element := range schema {
		name := aws.ToString(element.AttributeName)
		kind, ok := defined[name]
		switch {
		case !ok:
			return key, invalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: %v", name, slices.Sorted(maps.Keys(defined)))
		case seen[name]:
			return key, invalidf("Invalid KeySchema: Two KeySchemaElements have the same name: %s", name)
		case element.KeyType == types.KeyTypeRange:
			sort = append(sort, keyAttribute{name, kind})
		case sort != nil:
			return key, invalidf("Invalid KeySchema: HASH key attributes must precede RANGE key attributes")
		default:
			partition = append(partition, keyAttribute{name, kind})
		}
		seen[name], used[name] = true, true
	}
	switch {
	case len(partition) == 0:
		return key, invalidf("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(partition) > maxMultiAttributes:
		return key, invalidf("Invalid KeySchema: Number of HASH key attributes exceeds the limit of %d", maxMultiAttributes)
	case len(sort) > maxMultiAttributes:
		return key, invalidf("Invalid KeySchema: Number of RANGE key attributes exceeds the limit of %d", maxMultiAttributes)
	}
	key.Partition, key.MorePartition = partition[0], partition[1:]
	if len(sort) > 0 {
		key.Sort, key.MoreSort = sort[0], sort[1:]
	}
	return key, nil
}

func throughputOf(billing types.BillingMode, requested *types.ProvisionedThroughput) (throughput, error) {
	if billing == types.BillingModePayPerRequest {
		if requested != nil && (aws.ToInt64(requested.ReadCapacityUnits) > 0 || aws.ToInt64(requested.WriteCapacityUnits) > 0) {
			return throughput{}, invalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		return throughput{}, nil
	}
	if requested == nil {
		return throughput{}, invalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	result := throughput{aws.ToInt64(requested.ReadCapacityUnits), aws.ToInt64(requested.WriteCapacityUnits)}
	if result.Read < 1 || result.Write < 1 {
		return throughput{}, invalidf("1 validation error detected: Value '%d' at 'provisionedThroughput' failed to satisfy constraint: Member must have value greater than or equal to 1", min(result.Read, result.Write))
	}
	return result, nil
}

// newUUID returns a random TableId.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // cannot fail
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", binary.BigEndian.Uint32(b[:]), b[4:6], b[6:8], b[8:10], b[10:])
}
