//go:build !unix || aix || android || solaris

package embedded

import (
	"errors"
	"os"
)

// duplicate is not supported: on these systems, two handles cannot share a lock.
var duplicate = func(*os.File, int64) (*os.File, error) { return nil, errors.ErrUnsupported }
