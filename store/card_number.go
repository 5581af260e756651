package store

import "strings"

// cardMask replaces all digits of a card number except the last four.
const cardMask = "•••• "

// MaskedField returns the value of a form field as a page or a kept form may contain it: of
// card numbers, only the last four digits remain. The argument value is a function that
// returns the value of any field of the form.
func MaskedField(name string, value func(name string) string) string {
	text := value(name)
	switch name {
	case FieldCard:
		return CardDigits(text)
	case FieldVoucherCode:
		return MaskCardNumbers(text)
	case FieldRestReference:
		p := Payment{Type: value(FieldRestMethod), Data: text}
		if p.isByCard() && len(text) > 4 {
			return cardMask + CardDigits(text)
		}
		return p.Reference()
	}
	return text
}

// MaskCardNumbers masks all digits except the last four of each card number in a string.
// A card number has 12 to 19 digits, possibly separated by single spaces or dashes. The
// maximum of 19 comes from ISO/IEC 7812, https://www.iso.org/standard/70484.html.
func MaskCardNumbers(text string) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		end, digits := digitRun(text[start:])
		if digits < minCardDigits || digits > maxCardDigits {
			end = max(end, 1)
			b.WriteString(text[start : start+end])
			start += end
			continue
		}
		run := text[start : start+end]
		b.WriteString(cardMask)
		b.WriteString(lastDigits(run, 4))
		start += end
	}
	return b.String()
}

// digitRun returns the length in bytes of the digits at the start of a string, and the
// number of digits. Single spaces and dashes can separate the digits.
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

// MaskLikelyCards is like MaskCardNumbers, for strings in which other long numbers are more
// likely than card numbers. It keeps numbers with a wrong check digit, and product codes
// (UPC and EAN).
func MaskLikelyCards(text string) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		if end := likelyCard(text[start:]); end > 0 {
			b.WriteString(cardMask)
			b.WriteString(lastDigits(text[start:start+end], 4))
			start += end
			continue
		}
		end := strings.IndexFunc(text[start:], func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(text) - start
		}
		end = max(end, 1) // copy the digits, or one other byte
		b.WriteString(text[start : start+end])
		start += end
	}
	return b.String()
}

// likelyCard returns the length of the longest card number at the start of a string, or 0.
func likelyCard(text string) (length int) {
	digits := make([]byte, 0, maxCardDigits)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			if len(digits) == maxCardDigits {
				return length
			}
			digits = append(digits, c-'0')
			if last := i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9'; last && isCardNumber(digits) {
				length = i + 1
			}
		case (c == ' ' || c == '-') && len(digits) > 0 && text[i-1] != ' ' && text[i-1] != '-':
		default:
			return length
		}
	}
	return length
}

const minCardDigits, maxCardDigits = 12, 19

// isCardNumber reports whether digits have the length and the check digit of a card
// number (ISO/IEC 7812, Luhn). It returns false for product codes.
func isCardNumber(digits []byte) bool {
	if len(digits) < minCardDigits {
		return false
	}
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && !isProductCode(digits)
}

// isProductCode reports whether digits are a UPC or an EAN with a valid check digit
// (https://www.gs1.org/services/how-calculate-check-digit-manually).
func isProductCode(digits []byte) bool {
	if len(digits) != 12 && len(digits) != 13 {
		return false
	}
	sum := 0
	for i := range digits {
		sum += int(digits[len(digits)-1-i]) * (1 + i%2*2)
	}
	return sum%10 == 0
}
