package csvfile

import "strings"

// JoinList joins strings into one cell, separated by semicolons.
func JoinList(texts []string) string {
	var b []byte
	for i, text := range texts {
		if i > 0 {
			b = append(b, "; "...)
		}
		if strings.ContainsAny(text, "\"\r\n;") || text == "" || strings.TrimSpace(text) != text {
			b = appendQuoted(b, text)
		} else {
			b = append(b, text...)
		}
	}
	return string(b)
}

// SplitList splits a cell that JoinList or a person wrote. It ignores spaces around
// unquoted text. ok is false if a quote is missing or misplaced.
func SplitList(cell string) (texts []string, ok bool) {
	for rest := cell; ; {
		rest = strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(rest, `"`) {
			text, after, more := strings.Cut(rest, ";")
			texts, rest = append(texts, strings.TrimSpace(text)), after
			if !more {
				return texts, true
			}
			continue
		}
		end := closingQuote(rest)
		if end < 0 {
			return nil, false
		}
		texts = append(texts, strings.ReplaceAll(rest[1:end], `""`, `"`))
		after := strings.TrimLeft(rest[end+1:], " ")
		if after == "" {
			return texts, true
		}
		if rest, ok = strings.CutPrefix(after, ";"); !ok {
			return nil, false
		}
	}
}

// closingQuote returns the index of the closing quote of s, which starts with a quote, or
// -1. A doubled quote does not count as the closing quote.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '"':
		case strings.HasPrefix(s[i+1:], `"`):
			i++
		default:
			return i
		}
	}
	return -1
}
