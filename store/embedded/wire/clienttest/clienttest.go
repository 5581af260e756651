// Package clienttest pins the versions of a client library and of the AWS SDK. The tests of
// the library run on the engine with this version of the SDK, which is also the one that
// Stockroom uses. The package is a module of its own, so that Stockroom's module does not
// depend on the library.
package clienttest

import _ "github.com/guregu/dynamo/v2"
