package exchange

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"

	"stockroom/store"
)

// Files and folders of FormatDynamoDB.
const (
	dataFolder = "data"
	tableFile  = "table.json"
)

// maxPart is the maximum size of an output file in bytes, before compression.
const maxPart = 64 << 20

// dynamoOutput writes files that DynamoDB can import from S3: a folder of gzipped parts
// with one item per line, and a file with the parameters for creating the table. See:
//
//   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html
//   - https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableCreationParameters.html
type dynamoOutput struct {
	ExportOptions
	maxPart int
	part    int
	size    int
	file    *outputFile
	zip     *gzip.Writer
}

func openDynamoOutput(options ExportOptions) (output, error) {
	o := &dynamoOutput{ExportOptions: options, maxPart: maxPart}
	if err := o.writeTable(); err != nil {
		return nil, err
	}
	return o, o.nextPart()
}

// nextPart creates the next part. The gzip header contains no time, so that two
// exports of the same data are equal.
func (o *dynamoOutput) nextPart() (err error) {
	if err := o.close(); err != nil {
		return err
	}
	o.part++
	if o.file, err = createOutput(o.ExportOptions, fmt.Sprintf("%s/part-%05d.json.gz", dataFolder, o.part)); err != nil {
		return err
	}
	o.size, o.zip = 0, gzip.NewWriter(o.file)
	return nil
}

func (o *dynamoOutput) write(_ int, text []byte) error {
	if o.size > 0 && o.size+len(text) > o.maxPart {
		if err := o.nextPart(); err != nil {
			return err
		}
	}
	o.size += len(text)
	_, err := o.zip.Write(text)
	return err
}

func (o *dynamoOutput) close() error {
	if o.file == nil {
		return nil
	}
	err := errors.Join(o.zip.Close(), o.file.close())
	o.file = nil
	return err
}

// Parameters for creating a table, with the field names of the API.
type (
	attributeDefinition struct{ AttributeName, AttributeType string }
	keySchema           struct{ AttributeName, KeyType string }
	tableIndex          struct {
		IndexName  string
		KeySchema  []keySchema
		Projection struct{ ProjectionType string }
	}
	tableParameters struct {
		TableName              string
		AttributeDefinitions   []attributeDefinition
		KeySchema              []keySchema
		BillingMode            string
		GlobalSecondaryIndexes []tableIndex
	}
)

func newKeySchema(pk, sk string) []keySchema { return []keySchema{{pk, "HASH"}, {sk, "RANGE"}} }

func (o *dynamoOutput) writeTable() error {
	p := tableParameters{TableName: o.Table, BillingMode: "PAY_PER_REQUEST", KeySchema: newKeySchema("PK", "SK")}
	for n := 1; n <= store.IndexCount; n++ {
		name := store.IndexName(n)
		index := tableIndex{IndexName: name, KeySchema: newKeySchema(name+"-PK", name+"-SK")}
		index.Projection.ProjectionType = "ALL"
		p.GlobalSecondaryIndexes = append(p.GlobalSecondaryIndexes, index)
	}
	for _, attribute := range store.TableInput(o.Table).AttributeDefinitions {
		p.AttributeDefinitions = append(p.AttributeDefinitions, attributeDefinition{*attribute.AttributeName, string(attribute.AttributeType)})
	}
	file, err := createOutput(o.ExportOptions, tableFile)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", "  ")
	return errors.Join(encoder.Encode(p), file.close())
}
