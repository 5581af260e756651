package views

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"stockroom/store"
)

// EmailedView is the list of a saved view in an email.
type EmailedView struct {
	Name    string
	Path    string
	Columns []string
	Numbers []bool // whether each of the columns contains numbers
	Rows    [][]string
	More    bool // the list has more rows
}

// emailAlign returns the alignment of column i of a table. Numbers are aligned right.
func emailAlign(numbers []bool, i int) string {
	if i < len(numbers) && numbers[i] {
		return "right"
	}
	return "left"
}

// summary says how many rows the list has, and how many of them the email shows.
func (v *EmailedView) summary() string {
	switch rows := len(v.Rows); {
	case rows == 0:
		return "The list " + v.Name + " is empty now."
	case v.More:
		return "These are the first " + strconv.Itoa(rows) + " rows of the list " + v.Name + ". The list has more rows."
	case rows == 1:
		return "The list " + v.Name + " has 1 row."
	default:
		return "The list " + v.Name + " has " + strconv.Itoa(rows) + " rows."
	}
}

// columnWords maps names of columns in files to the names that pages show.
var columnWords = map[string]string{"Owed": "Balance due", "InventoryID": "Kayak ID", "ItemName": "Kayak", "StoreName": "Store", "PersonName": "Person"}

// ColumnWords returns the name of a column of a file in words, such as "Customer name" for
// CustomerName.
func ColumnWords(name string) string {
	if words := columnWords[name]; words != "" {
		return words
	}
	name = name[strings.LastIndexByte(name, '.')+1:] // the last part of a nested attribute
	var words []string
	start := 0
	letters := []rune(name)
	for i := 1; i <= len(letters); i++ {
		if i < len(letters) && !(unicode.IsUpper(letters[i]) && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))) {
			continue
		}
		word := string(letters[start:i])
		if len(words) > 0 && strings.ToUpper(word) != word {
			word = strings.ToLower(word)
		}
		words = append(words, word)
		start = i
	}
	return strings.Join(words, " ")
}

// ViewCell formats a value of a CSV file as pages show it. If money is true, the value is
// an amount. If count is true, it is a quantity and not an ID, so it gets commas.
func ViewCell(settings store.Settings, value string, money, count bool) string {
	if n, err := strconv.Atoi(value); count && err == nil {
		return string(AppendCount(nil, n))
	}
	if money {
		if amount, err := store.ParseMoney("", value); err == nil {
			return string(AppendMoney(nil, amount, settings.Currency))
		}
		return value
	}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		return calendar(day)
	}
	if at, err := time.Parse(time.RFC3339, value); err == nil {
		if at.Location() == time.UTC && at.Truncate(24*time.Hour).Equal(at) {
			return calendar(at) // midnight UTC stands for a calendar day
		}
		p := Page{Zone: settings.Zone()}
		return p.time(at)
	}
	return value
}
