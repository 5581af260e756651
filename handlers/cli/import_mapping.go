package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// readMapping reads the mapping in the file of -map. Without this flag, it returns nil.
func (c *call) readMapping() (m *exchange.Mapping, err error) {
	if c.mapping == "" {
		return nil, nil
	}
	file, err := os.Open(c.mapping)
	if err != nil {
		return nil, readError(c.mapping, err)
	}
	defer closeJoin(file, &err)
	m, err = exchange.ReadMapping(c.mapping, file)
	return m, withPath(err)
}

// printAbsent prints the files in the mapping that are not among the arguments. With
// -json or -suggest, it prints nothing.
func (c *call) printAbsent(m *exchange.Mapping) {
	if absent := m.Absent(c.args); len(absent) > 0 && !c.json && !c.suggest {
		fmt.Fprintf(c.stdout, "%s also names these files, which were not given and are not imported: %s\n", c.mapping, strings.Join(absent, ", "))
	}
}

// printSkipped prints the files that the mapping excludes. With -json, it prints nothing.
func (r *importRun) printSkipped() {
	for _, name := range r.args {
		if r.files.Skips(name) && !r.json {
			fmt.Fprintf(r.stdout, "%s: not imported, because %s excludes it\n", name, r.mapping)
		}
	}
}

// setCurrency sets the currency of the mapping to that of the business. The argument m
// may be nil.
func setCurrency(ctx context.Context, s *store.Store, m *exchange.Mapping) error {
	if m == nil {
		return nil
	}
	settings, err := s.Settings(ctx)
	m.SetCurrency(settings.Currency)
	return err
}
