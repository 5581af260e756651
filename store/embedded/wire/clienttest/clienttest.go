// Package clienttest pins the version of a client library whose own tests run on the
// engine, with the AWS SDK of Stockroom. It is a module of its own, so that Stockroom's
// module does not depend on the library.
package clienttest

import _ "github.com/guregu/dynamo/v2"
