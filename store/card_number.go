package store

import "strings"

// MaskCardNumbers replaces each card number in a text with its last four digits. A
// card number has 12 to 19 digits, possibly separated by single spaces or dashes. The
// maximum of 19 comes from ISO/IEC 7812, https://www.iso.org/standard/70484.html.
func MaskCardNumbers(text string) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		end, digits := digitRun(text[start:])
		if digits < 12 || digits > 19 {
			end = max(end, 1)
			b.WriteString(text[start : start+end])
			start += end
			continue
		}
		run := text[start : start+end]
		b.WriteString("•••• ")
		b.WriteString(lastDigits(run, 4))
		start += end
	}
	return b.String()
}

// digitRun measures the digits at the start of a text. They may be separated by
// single spaces and dashes. It returns the length in bytes and the number of digits.
func digitRun(text string) (end, digits int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
			end = i + 1
		case (c == ' ' || c == '-') && end == i && digits > 0:
		default:
			return end, digits
		}
	}
	return end, digits
}

func lastDigits(run string, n int) string {
	found := make([]byte, 0, n)
	for i := len(run) - 1; i >= 0 && len(found) < n; i-- {
		if run[i] >= '0' && run[i] <= '9' {
			found = append([]byte{run[i]}, found...)
		}
	}
	return string(found)
}
