// Package embedded implements DynamoDB's API with a single file, for running without AWS.
// A DB has the methods of *dynamodb.Client, and DynamoDB's semantics, validation and
// error messages.
//
// The file is a bbolt database. Each table and index is a bucket, whose keys sort as
// in DynamoDB. A Query therefore reads a range of keys. All values have checksums.
// One goroutine commits all waiting writes together with one sync. docs/embedded.md
// describes the guarantees and the differences from DynamoDB. Package wire provides
// access over HTTP.
package embedded
