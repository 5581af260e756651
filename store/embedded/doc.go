// Package embedded implements DynamoDB's API on a single file, for running
// without Amazon. A DB has the methods of *dynamodb.Client with the SDK's own
// types, and DynamoDB's semantics, validation and error messages.
//
// The file is a bbolt database. Each table and index is a bucket whose keys sort
// as DynamoDB's do, so a Query reads a range. All values have checksums. One
// goroutine commits all writes that wait together, with one sync, before it
// answers them. See docs/embedded.md for the file format and the differences from
// DynamoDB, and package wire for access over HTTP.
package embedded
