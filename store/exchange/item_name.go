package exchange

import (
	"regexp"
	"strings"
	"unicode"

	"stockroom/store"
)

// typeNames contains the names of the attribute EntityType in models, in the form of
// lettersOf.
var typeNames = []string{"entitytype", "entity"}

// indexKey matches names of index keys, such as GSI1-PK, GSI1PK and gsi1_sk.
var indexKey = regexp.MustCompile(`(?i)^GSI(\d)[-_]?([PS]K)$`)

// lettersOf returns the letters and digits of a name in lower case. Entity_Type
// becomes entitytype.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// typeOfItem returns the entity type of an item. The attribute with the type can have any
// of the names in typeNames.
func typeOfItem(item store.Item) string {
	if entityType := text(item, "EntityType"); entityType != "" {
		return entityType
	}
	for _, typeName := range typeNames {
		for name := range item {
			if lettersOf(name) == typeName {
				return text(item, name)
			}
		}
	}
	return ""
}

// renameAttributes renames the attributes with the entity type and the index keys to their
// names in this table.
func renameAttributes(item store.Item) {
	for name, value := range item {
		renamed := name
		if match := indexKey.FindStringSubmatch(name); match != nil {
			renamed = "GSI" + match[1] + "-" + strings.ToUpper(match[2])
		} else if strings.EqualFold(name, "PK") || strings.EqualFold(name, "SK") {
			renamed = strings.ToUpper(name)
		} else if letters := lettersOf(name); letters == typeNames[0] || letters == typeNames[1] {
			renamed = "EntityType"
		}
		if renamed != name {
			delete(item, name)
			if item[renamed] == nil {
				item[renamed] = value
			}
		}
	}
}

// hasPrefixFold is like strings.HasPrefix, but ignores case.
func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
