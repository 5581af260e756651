// Package embedded implements DynamoDB's API with a single file, for running without
// Amazon. A DB has the methods of *dynamodb.Client, and DynamoDB's semantics,
// validation and error messages.
//
// The file is a bbolt database. Each table and index is a bucket whose keys sort as
// in DynamoDB, so that a Query reads a range of keys. All values have checksums. One
// goroutine commits all waiting writes together, with one sync, and then answers
// them. See docs/embedded.md for the file format and the differences from DynamoDB,
// and package wire for access over HTTP.
package embedded
