package store

// symbols maps currency codes to symbols. Other currencies are written with their code.
var symbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "UAH": "₴", "TRY": "₺", "ILS": "₪",
	"PLN": "zł\u00a0", "BRL": "R$", "AUD": "A$", "CAD": "CA$", "VND": "₫",
}

// AppendMoney appends an amount with its currency, such as €1,234.50. It never rounds: if
// needed, it writes up to four decimals.
func AppendMoney(b []byte, amount Amount, code string) []byte {
	negative := amount.Sign() < 0
	if negative {
		amount = Amount{}.Minus(amount)
	}
	b, start, decimals := AppendSymbol(b, negative, code)
	return trimDecimals(amount.AppendFixed(b, maxAmountScale), start, decimals)
}

// AppendSum appends a sum with its currency, in the same format as AppendMoney.
func AppendSum(b []byte, sum Sum, code string) []byte {
	negative := sum.Sign() < 0
	if negative {
		sum = sum.Negative()
	}
	b, start, decimals := AppendSymbol(b, negative, code)
	return trimDecimals(sum.AppendFixed(b, maxAmountScale), start, decimals)
}

// AppendSymbol appends a minus sign if negative is true, and the symbol of the currency. It
// returns the index at which the number starts, and the minimum number of decimals.
func AppendSymbol(b []byte, negative bool, code string) (appended []byte, start, decimals int) {
	symbol, known := symbols[code]
	if !known && code != "" {
		symbol = code + "\u00a0"
	}
	if negative {
		b = append(b, "−"...)
	}
	b = append(b, symbol...)
	return b, len(b), CurrencyDecimals(code)
}

// trimDecimals removes trailing zeros from the number that starts at index start, but keeps
// the minimum number of decimals. It also calls GroupDigits.
func trimDecimals(b []byte, start, decimals int) []byte {
	least := len(b) - maxAmountScale + decimals
	for len(b) > least && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return GroupDigits(b, start)
}

// GroupDigits inserts commas between the thousands of the number that starts at b[start].
func GroupDigits(b []byte, start int) []byte {
	end := start
	for end < len(b) && b[end] >= '0' && b[end] <= '9' {
		end++
	}
	for at := end - 3; at > start; at -= 3 {
		b = append(b, 0)
		copy(b[at+1:], b[at:])
		b[at] = ','
	}
	return b
}
