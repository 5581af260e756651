package exchange

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kebabCase converts orderItem to order-item.
func kebabCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func plural(name string) string {
	if stem, found := strings.CutSuffix(name, "y"); found {
		return stem + "ies"
	}
	return name + "s"
}

func singular(name string) string { return strings.TrimSuffix(name, "s") }

func capitalize(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}
