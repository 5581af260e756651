package exchange

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// columnPhrases lists further names of each column, as phrases of separate words.
var columnPhrases = map[string][]string{
	"Name":               {"full name", "company", "label", "description"},
	"Detail.Name":        {"name", "title", "label", "product name"},
	"Detail.Description": {"description", "text", "quantity per unit", "notes"},
	"Phones":             {"phone", "home phone", "phone number"},
	"Address.Street":     {"street", "address", "address 1", "street address"},
	"Address.Number":     {"house number"},
	"ShipTo.Number":      {"ship house number"},
	"Address.ZipCode":    {"zipcode", "postal code"},
	"ShipTo.Street":      {"ship to", "ship address", "shipping address", "delivery address"},
	"ShipTo.City":        {"ship city", "shipping city", "delivery city"},
	"ShipTo.County":      {"ship region", "ship state", "delivery state"},
	"ShipTo.ZipCode":     {"ship postal code", "ship zip", "delivery zip"},
	"ShipTo.Country":     {"ship country", "shipping country", "delivery country"},
	"AccountRepID":       {"employee id", "rep", "sales rep", "sales person", "account manager"},
	"ManagerID":          {"manager", "reports to", "boss", "supervisor"},
	"JobTitle":           {"title", "job", "position", "role"},
	"HireDate":           {"hired", "start date"},
	"Created":            {"created", "customer since", "created date", "joined"},
	"Date":               {"order date", "invoice date", "shipped date"},
	"Price":              {"unit price", "list price", "price each"},
	"Total":              {"order total", "grand total", "amount"},
	"Category":           {"category id", "category name", "type"},
	"Weight":             {"weight", "grams"},
	"Quantity":           {"quantity", "stock", "units in stock"},
	"ReorderPoint":       {"reorder level", "reorder point", "minimum stock"},
	"Bin":                {"shelf", "location"},
	"Carrier":            {"ship via", "shipper"},
	"Tracking":           {"tracking number"},
	"Status":             {"state", "order status"},
	"DueDate":            {"due", "due date"},
	"PaymentAmount":      {"amount", "price"},
}

// wordsOf splits a name into Stockroom's words. unitPrice, unit_price, Unit-Price and
// Einzelpreis all become "unit" and "price".
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, normalWords(strings.ToLower(string(word)))...)
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	for i := range words {
		if i+1 < len(words) && words[i] == "e" && words[i+1] == "email" { // drops the e of e-mail
			return slices.Delete(words, i, i+1)
		}
	}
	return words
}

// normalWords returns Stockroom's words with the meaning of a word. It returns the singular
// of an unknown word, and no words for an article or a preposition.
func normalWords(word string) []string {
	if known, found := translated(word); found {
		return strings.Fields(known)
	}
	switch {
	case strings.HasSuffix(word, "ies"):
		word = strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"):
		word = strings.TrimSuffix(word, "es")
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && len(word) > 3:
		word = strings.TrimSuffix(word, "s")
	}
	if known, found := translated(word); found {
		return strings.Fields(known)
	}
	return []string{word}
}

// similarity returns how similar two lists of words are, from 0 to 1 (Dice's
// coefficient).
func similarity(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	common := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

var knownWords sync.Map // results of wordsOfColumn: the keys are strings, and the values have the type []string

// wordsOfColumn returns the words of a column or phrase of this package.
func wordsOfColumn(name string) []string {
	if words, found := knownWords.Load(name); found {
		return words.([]string)
	}
	words := wordsOf(name)
	knownWords.Store(name, words)
	return words
}

// columnSimilarity returns how well a name in a file matches a column of an entity,
// from 0 to 1.
func columnSimilarity(name string, c *column, entity []string) float64 {
	words := wordsOf(name)
	short := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(entity, w) })
	best := similarity(words, wordsOfColumn(c.name))
	last := c.name[strings.LastIndex(c.name, ".")+1:]
	if last != c.name && last != "Number" { // other programs often use "number" for an ID, and not for the house number in Address.Number
		best = max(best, 0.95*similarity(short, wordsOfColumn(last)))
	}
	phrases := columnPhrases[c.name]
	if isID(c.keyName) && slices.Equal(wordsOfColumn(c.name), append(slices.Clone(entity), "id")) {
		phrases = append(slices.Clone(phrases), "id")
	}
	for _, phrase := range phrases {
		best = max(best, 0.95*similarity(words, wordsOfColumn(phrase)), 0.9*similarity(short, wordsOfColumn(phrase)))
	}
	if len(short) > 0 {
		best = max(best, 0.95*similarity(short, wordsOfColumn(c.name)))
	}
	return best
}

// Minimum similarities: of a suggested column, and of a suggestion that needs no review.
const (
	likely = 0.6
	sure   = 0.85
)

// closestColumn returns the column whose name is closest to a name, or "" if no name
// is similar enough.
func closestColumn(name string, columns []column) string {
	best, found := likely, ""
	for i := range columns {
		if s := columnSimilarity(name, &columns[i], nil); s > best {
			best, found = s, columns[i].name
		}
	}
	return found
}
