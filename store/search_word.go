package store

import (
	"cmp"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// SearchWord makes a record findable by a word of its name, by a pair of such words, or
// by one of the other values that WordGroup lists. The transaction that adds, renames or
// deletes a record also writes and deletes its search words. Search words are neither
// exported nor imported.
type SearchWord struct {
	Group WordGroup
	Words string // one word, or two words in alphabetical order
	Later bool   // the word is not the first word of the name
	Name  string // all words of the name, joined by key.JoinWords
	Type  string // prefix of the record's ID, which identifies its type
	ID    string
	Place string // rest of the record's key, or the warehouse that determines who may see the record

	Version int
}

// WordGroup is a group of search words that a search reads together.
type WordGroup string

// The groups of search words.
const (
	wordsOfPeople   WordGroup = "people" // names of customers, and of people with the record Person
	wordsOfProducts WordGroup = "products"
	wordsOfKayaks   WordGroup = "kayaks"
	wordsOfStaff    WordGroup = "staff"
	wordsOfPlaces   WordGroup = "places" // names and cities of stores and warehouses
	wordsOfCodes    WordGroup = "codes"  // SKUs, serial numbers, tracking numbers, and IDs that cannot be looked up as a key
	wordsOfEmails   WordGroup = "emails" // email addresses of employees and of people with the record Person; customers have an index
	wordsOfPhones   WordGroup = "phones" // phone numbers of people with the record Person; customers have indexes
	wordsOfClosed   WordGroup = "closed" // days on which customers were closed; see closedWords
)

// The record types to which search words refer.
const (
	typeCustomer     = "c"
	typePerson       = "person"
	typeEmployee     = "e"
	typeProduct      = "p"
	typeWarehouse    = "w"
	typeStore        = "store"
	typeKayak        = "k"
	typeSubscription = "s"
	typeOrder        = "o"
	typeInvoice      = "i"
	typeShipment     = "sh"
)

// peopleShards is the number of shards of the search words of people. Without shards, all
// names with the same first letter would share a partition. In some countries, this would
// be 40 % of the family names.
const peopleShards = 3

func (g WordGroup) shards() int {
	if g == wordsOfPeople {
		return peopleShards
	}
	return 1
}

func (g WordGroup) isOfNames() bool {
	return g != wordsOfCodes && g != wordsOfEmails && g != wordsOfPhones && g != wordsOfClosed
}

// types returns the record types whose names are in the group, or nil for a group that
// does not contain names.
func (g WordGroup) types() []string {
	switch g {
	case wordsOfPeople:
		return []string{typeCustomer, typePerson}
	case wordsOfStaff:
		return []string{typeEmployee}
	case wordsOfProducts:
		return []string{typeProduct}
	case wordsOfKayaks:
		return []string{typeKayak}
	case wordsOfPlaces:
		return []string{typeWarehouse, typeStore}
	}
	return nil
}

// initials returns the number of first characters of a word that determine its
// partition.
func (g WordGroup) initials() int {
	switch g {
	case wordsOfCodes, wordsOfEmails:
		return 3
	case wordsOfPhones, wordsOfClosed:
		return 4
	}
	return 1
}

func (*SearchWord) EntityType() string { return "searchWord" }

func (w *SearchWord) KeyValue(name string) string {
	switch name {
	case "group":
		return string(w.Group)
	case "initials":
		return w.Group.initialsOf(w.Words)
	case "shard":
		return key.Shard(w.ID, w.Group.shards())
	case "words":
		return w.Words
	case "later":
		if w.Later {
			return "1"
		}
		return "0"
	case "name":
		return w.Name
	case "type":
		return w.Type
	case "place":
		return cmp.Or(w.Place, noPlace)
	case "id":
		return w.ID
	}
	return ""
}

// noPlace is the place in the key of a search word whose record has no place. It is
// not a valid ID.
const noPlace = "."

// initialsOf returns the initials of one or two words. They are part of the partition
// key.
func (g WordGroup) initialsOf(words string) string {
	if n := g.initials(); n > 1 {
		return key.Initials(words, n)
	}
	first, second, _ := strings.Cut(words, "_")
	return key.Initials(first, 1) + key.Initials(second, 1)
}

func (w *SearchWord) attributes(a *table.Attributes) {
	a.Version(&w.Version)
	if !a.Decoding() {
		return
	}
	group, _, _ := strings.Cut(a.AfterPrefix(table.AttrPK, "words#"), "#")
	words, rest, _ := strings.Cut(a.Read(table.AttrSK), "#")
	later, rest, _ := strings.Cut(rest, "#")
	name, rest, _ := strings.Cut(rest, "#")
	kind, rest, _ := strings.Cut(rest, "#")
	end := strings.LastIndexByte(rest, '#')
	if end < 0 || group == "" {
		a.Damaged(table.AttrSK, "the key of a search word")
		return
	}
	w.Group, w.Words, w.Later, w.Name, w.Type, w.Place, w.ID = WordGroup(group), words, later == "1", name, kind, rest[:end], rest[end+1:]
	if w.Place == noPlace {
		w.Place = ""
	}
}

// decodeWord decodes a search word that a query returned. Query results contain only
// the keys of search words.
func decodeWord(row Row, to *SearchWord) error { return schema.DecodeProjected(row, to) }

func searchWords(e Entity) []*SearchWord {
	switch e := e.(type) {
	case *Customer:
		return append(nameWords(SearchWord{Group: wordsOfPeople, Type: typeCustomer, ID: e.ID}, e.Name, ""), closedWords(e)...)
	case *Person:
		words := nameWords(SearchWord{Group: wordsOfPeople, Type: typePerson, ID: e.ID}, e.Name, "")
		words = append(words, codeWords(SearchWord{Group: wordsOfEmails, Type: typePerson, ID: e.ID}, emailWord(e.Email))...)
		for _, phone := range e.Phones[:min(searchedPhones, len(e.Phones))] {
			words = append(words, codeWords(SearchWord{Group: wordsOfPhones, Type: typePerson, ID: e.ID}, key.Phone(phone))...)
		}
		return words
	case *Employee:
		words := nameWords(SearchWord{Group: wordsOfStaff, Type: typeEmployee, ID: e.ID, Place: e.WarehouseID}, e.Name, "")
		return append(words, codeWords(SearchWord{Group: wordsOfEmails, Type: typeEmployee, ID: e.ID, Place: e.WarehouseID}, emailWord(e.Email))...)
	case *Product:
		if e.Archived {
			return nil
		}
		words := nameWords(SearchWord{Group: wordsOfProducts, Type: typeProduct, ID: e.ID}, e.Name, "")
		return append(words, codeWords(SearchWord{Group: wordsOfCodes, Type: typeProduct, ID: e.ID}, key.Code(e.SKU))...)
	case *Warehouse:
		if e.Archived {
			return nil
		}
		return nameWords(SearchWord{Group: wordsOfPlaces, Type: typeWarehouse, ID: e.ID}, e.Name, e.Address.City)
	case *RentalStore:
		if e.Archived {
			return nil
		}
		return nameWords(SearchWord{Group: wordsOfPlaces, Type: typeStore, ID: e.ID}, e.Name, e.Address.City)
	case *Kayak:
		words := nameWords(SearchWord{Group: wordsOfKayaks, Type: typeKayak, ID: e.ID, Place: e.StoreID}, e.Name, "")
		return append(words, codeWords(SearchWord{Group: wordsOfCodes, Type: typeKayak, ID: e.ID, Place: e.StoreID}, key.Code(e.ID), key.Code(e.Serial))...)
	case *Subscription:
		w := SearchWord{Group: wordsOfCodes, Type: typeSubscription, ID: e.ID, Place: e.AccountID + "#" + e.SKU}
		return codeWords(w, key.Code(e.ID), key.Code(e.SKU))
	case *Order:
		return codeWords(SearchWord{Group: wordsOfCodes, Type: typeOrder, ID: e.ID, Place: e.CustomerID}, spelledCode(e.ID))
	case *Invoice:
		return codeWords(SearchWord{Group: wordsOfCodes, Type: typeInvoice, ID: e.ID, Place: e.OrderID}, spelledCode(e.ID))
	case *Shipment:
		return codeWords(SearchWord{Group: wordsOfCodes, Type: typeShipment, ID: e.ID, Place: e.OrderID}, spelledCode(e.ID), key.Code(e.Tracking))
	}
	return nil
}

// searchedPhones is the maximum number of a person's phone numbers that have search
// words.
const searchedPhones = 3

// emailWord returns an email address in the form of search words, or "" if the
// address cannot be part of a key.
func emailWord(email string) string {
	if !isEmail(email) {
		return ""
	}
	return strings.ToLower(email)
}

// nameWords returns a search word for each of the words of a name and city that
// key.NameWords returns, and for each pair of these words. w contains the other values.
func nameWords(w SearchWord, name, city string) []*SearchWord {
	all := key.Words(name + " " + city)
	words := key.NameWords(all)
	if len(words) == 0 {
		return nil
	}
	w.Version = 1
	w.Name = key.JoinWords(all)
	first := words[0]
	found := make([]*SearchWord, 0, len(words)*(len(words)+1)/2)
	for i, word := range words {
		found = append(found, w.with(word, word != first))
		for _, other := range words[i+1:] {
			found = append(found, w.with(pairOf(word, other), word != first))
		}
	}
	return found
}

func (w SearchWord) with(words string, later bool) *SearchWord {
	w.Words, w.Later = words, later
	return &w
}

func pairOf(a, b string) string { return min(a, b) + "_" + max(a, b) }

// codeWords returns a search word for each code. It skips empty codes and
// duplicates. w contains the other values.
func codeWords(w SearchWord, codes ...string) []*SearchWord {
	var found []*SearchWord
	w.Version = 1
	for n, code := range codes {
		if w.Name = code; code != "" && !slices.Contains(codes[:n], code) {
			found = append(found, w.with(code, false))
		}
	}
	return found
}

// record returns the pattern and the values for reading the record of a search word. It
// returns nil for an unknown type.
func (w *SearchWord) record() (p *Pattern, values key.Map) {
	switch w.Type {
	case typeCustomer:
		return getCustomer, key.Map{"customerID": w.ID}
	case typePerson:
		return getPerson, key.Map{"personULID": w.ID}
	case typeEmployee:
		return getEmployee, key.Map{"employeeID": w.ID}
	case typeProduct:
		return getProduct, key.Map{"productID": w.ID}
	case typeWarehouse:
		return getWarehouse, key.Map{"warehouseID": w.ID}
	case typeStore:
		return getStore, key.Map{"storeULID": w.ID}
	case typeKayak:
		return getStoreInventoryItem, key.Map{"storeULID": w.Place, "inventoryULID": w.ID}
	case typeSubscription:
		account, sku, _ := strings.Cut(w.Place, "#")
		return getSubscription, key.Map{"accountID": account, "subscriptionID": w.ID, "sku": sku}
	case typeOrder:
		return getOrderItself, key.Map{"orderID": w.ID, "customerID": w.Place}
	case typeInvoice:
		return getInvoiceItself, key.Map{"orderID": w.Place, "invoiceID": w.ID}
	case typeShipment:
		return getShipmentItself, key.Map{"orderID": w.Place, "shipmentID": w.ID}
	}
	return nil, nil
}

// spelledCode returns the code of an ID with unusual spelling: with lowercase letters
// or spaces, or without a digit. For other IDs it returns "", because searches try
// them in capital letters.
func spelledCode(id string) string {
	if id == strings.ToUpper(id) && mayBeNumber(id) {
		return ""
	}
	return key.Code(id)
}
