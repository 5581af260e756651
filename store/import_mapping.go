package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ImportMapping is a mapping of the columns of a CSV file to attributes. The program stores
// it for later files with the same header.
type ImportMapping struct {
	Header  string // digest of the column names
	Text    string // the mapping of one file, in YAML
	By      string // the user who last accepted it
	Used    time.Time
	Expires time.Time `json:"-"` // TTL
	Version int
}

// Limits of stored mappings.
const (
	MaxImportMapping  = 32 << 10 // bytes
	importMappingDays = 366      // days until TTL deletes a mapping that was not used again
)

func (*ImportMapping) EntityType() string { return "importMapping" }

func (m *ImportMapping) KeyValue(name string) string {
	if name == "header" {
		return m.Header
	}
	return ""
}

func (m *ImportMapping) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "importMapping#", &m.Header)
	a.Text("Text", &m.Text)
	a.Text("By", &m.By)
	a.Time("Used", &m.Used)
	a.Seconds(table.AttrTTL, &m.Expires)
	a.Version(&m.Version)
}

// ImportMapping returns the stored mapping for a header, or NotFound.
func (a Access) ImportMapping(ctx context.Context, header string) (*ImportMapping, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return readConsistently[*ImportMapping](ctx, a.store, getImportMapping, key.Map{"header": header})
}

// RememberImportMapping stores the mapping for a header. It replaces the earlier mapping
// for this header. It returns Invalid if the mapping is longer than MaxImportMapping bytes.
func (a Access) RememberImportMapping(ctx context.Context, header, text string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	if len(text) > MaxImportMapping {
		return InvalidField("remember", "A mapping of more than %d KB can't be remembered.", MaxImportMapping>>10)
	}
	return retryOnConflict(ctx, func() error {
		before, err := a.ImportMapping(ctx, header)
		if KindOf(err) == NotFound {
			before, err = &ImportMapping{}, nil
		}
		if err != nil {
			return err
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		now := a.store.now()
		next := &ImportMapping{Header: header, Text: text, By: a.user.Name, Used: now, Expires: now.AddDate(0, 0, importMappingDays), Version: before.Version + 1}
		if before.Version == 0 {
			c.Create(next)
		} else {
			c.Replace(next, before.Version)
		}
		return c.Commit(ctx)
	})
}
