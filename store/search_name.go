package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

const (
	// readWords is the number of search words of a group that a search reads if all of
	// them are certain to match. It is enough to find and rank searchLimit records. From
	// each shard, a search reads three search words more than the shard's share.
	readWords = 2 * searchLimit
	// readWordsFiltered is the number of search words that a search reads from each shard of
	// a group if some of them may not match.
	readWordsFiltered = 1000
	// emailCandidates is the maximum number of customers whose email addresses a search for
	// the start of an address compares.
	emailCandidates = 80
)

// maxOwnStaff is the maximum number of staff entries that findOwnStaff looks up. One request
// can read this many items.
const maxOwnStaff = 100

// named returns a query for the records of a group whose names have the words of the
// text. It returns nil if the text has no words, or if the search is for other types of
// records.
func (s *search) named(g WordGroup) query {
	if len(s.text.words) == 0 || !s.wants(g.types()...) {
		return nil
	}
	limit := readWords/g.shards() + 3
	if len(s.text.words) > 1 || s.text.isEmail || s.access.user.Role == Manager && (g == wordsOfStaff || g == wordsOfKayaks) {
		limit = readWordsFiltered
	}
	return s.query(g, s.text.prefixes(g), limit, func(w *SearchWord) bool {
		isOther := s.text.isEmail && w.Type != typeCustomer // the query email finds it
		return !isOther && key.HasWords(w.Name, s.text.words) && s.maySee(w)
	})
}

// code returns a query that finds records by a code, such as an SKU or a tracking number;
// see wordsOfCodes. If the text has letters and no prefix such as o#, the query also
// finds codes that start with the text. code returns nil if the text has no letters or
// digits, or if the search is for other types of records.
func (s *search) code() query {
	t := s.text
	if t.code == "" || !s.wants(typeProduct, typeKayak, typeSubscription, typeOrder, typeInvoice, typeShipment) {
		return nil
	}
	isWhole := t.kind != "" || !t.hasLetters
	return s.query(wordsOfCodes, []wordsPrefix{{t.code, wordsOfCodes.initialsOf(t.code)}}, readWords, func(w *SearchWord) bool {
		return (w.Words == t.code || !isWhole) && s.maySee(w)
	})
}

// email returns a query that finds people and employees by the start of their email
// address. It returns nil if the search is for other types of records.
func (s *search) email() query {
	if !s.wants(typePerson, typeEmployee) {
		return nil
	}
	address := strings.ToLower(s.text.id)
	return s.query(wordsOfEmails, []wordsPrefix{{address, wordsOfEmails.initialsOf(address)}}, readWords, s.maySee)
}

// phoneWords returns a query that finds people by phone number. Keys contain only the
// last digits, so the query compares the whole numbers in the search words that it reads.
// phoneWords returns nil if the search is for other types of records.
func (s *search) phoneWords() query {
	if !s.wants(typePerson) {
		return nil
	}
	phone := key.Phone(s.text.id)
	return s.query(wordsOfPhones, []wordsPrefix{{key.PhonePrefix(phone), wordsOfPhones.initialsOf(phone)}}, readWords, func(w *SearchWord) bool {
		return key.IsSamePhone(w.Words, phone)
	})
}

// query returns a query for search words of a group. It reads up to limit search words with
// the first prefix from each shard. If there are more, it does the same with the other
// prefixes. It ignores search words for which keep returns false.
func (s *search) query(g WordGroup, prefixes []wordsPrefix, limit int, keep func(*SearchWord) bool) query {
	n := len(s.words)
	s.words, s.more, s.groups = append(s.words, nil), append(s.more, false), append(s.groups, g)
	return func(ctx context.Context) error {
		values := make([]key.Map, g.shards())
		for _, prefix := range prefixes {
			for shard := range values {
				values[shard] = key.Map{"group": string(g), "initials": prefix.initials, "shard": key.ShardName(shard), "words": prefix.words}
			}
			items, more, err := s.access.store.table.QueryFirst(ctx, getByWords, values, limit)
			found, err := decodeAll(items, err, decodeWord)
			if err != nil {
				return err
			}
			for i := range found {
				if keep(&found[i]) {
					s.words[n] = append(s.words[n], &found[i])
				}
			}
			s.more[n] = s.more[n] || more
			if !s.more[n] {
				break
			}
		}
		if g == wordsOfCodes {
			s.words[n] = preferWhole(s.words[n], s.text.code)
		}
		return nil
	}
}

// preferWhole returns the search words that equal the code. If there are none, it
// returns all words.
func preferWhole(words []*SearchWord, code string) []*SearchWord {
	isOther := func(w *SearchWord) bool { return w.Words != code }
	if whole := slices.DeleteFunc(slices.Clone(words), isOther); len(whole) > 0 {
		return whole
	}
	return words
}

func (s *search) maySee(w *SearchWord) bool {
	switch w.Type {
	case typeEmployee:
		return s.access.user.InCharge(w.Place) || s.mayBeOwnStaff()
	case typeKayak:
		return s.access.user.InChargeOfStore(w.Place)
	case typeWarehouse:
		return s.access.user.InCharge(w.ID)
	case typeStore:
		return s.access.user.InChargeOfStore(w.ID)
	}
	return true
}

// mayBeOwnStaff reports whether employees of other warehouses may be the user's own staff.
// findOwnStaff then removes the search words of those who are not.
func (s *search) mayBeOwnStaff() bool {
	own, _ := s.access.ownStores()
	return len(own) > 0
}

// findOwnStaff finds out which of the employees of other warehouses work at one of the
// user's own stores. It removes the search words of the others. It makes one request. If
// there are too many employees, it looks up only the best matches.
func (s *search) findOwnStaff(ctx context.Context) error {
	own, _ := s.access.ownStores()
	if len(own) == 0 {
		return nil
	}
	isOther := func(w *SearchWord) bool { return w.Type == typeEmployee && !s.access.user.InCharge(w.Place) }
	var others []*SearchWord
	for _, words := range s.words {
		for _, w := range words {
			if isOther(w) {
				others = append(others, w)
			}
		}
	}
	slices.SortStableFunc(others, func(a, b *SearchWord) int { return cmp.Compare(s.rank(a), s.rank(b)) })
	most := max(1, maxOwnStaff/len(own))
	var lookups []table.Lookup
	s.ownStaff = map[string]*bool{}
	for _, w := range others {
		if s.ownStaff[w.ID] == nil && len(s.ownStaff) < most {
			s.ownStaff[w.ID] = new(bool)
			lookups = append(lookups, s.access.lookUpOwnStaff(ctx, w.ID, s.ownStaff[w.ID])...)
		}
	}
	if err := s.access.store.table.LookUp(ctx, lookups, false); err != nil {
		return err
	}
	for n := range s.words {
		s.words[n] = slices.DeleteFunc(s.words[n], func(w *SearchWord) bool {
			if !isOther(w) {
				return false
			}
			s.more[n] = s.more[n] || s.ownStaff[w.ID] == nil
			return !s.isOwnStaff(w.ID)
		})
	}
	return nil
}

func (s *search) isOwnStaff(id string) bool { return s.ownStaff[id] != nil && *s.ownStaff[id] }

// phoneNumbers returns queries for customers by phone number. Index keys contain only
// the last digits, so the queries compare the whole numbers of the customers that they
// find.
func (s *search) phoneNumbers() []query {
	if !s.wants(typeCustomer) {
		return nil
	}
	phone := key.Phone(s.text.id)
	values := key.Map{"phoneEnd": key.PhonePartition(phone), "phone": key.PhonePrefix(phone)}
	s.phones = make([][]Customer, len(getCustomersByPhone))
	var queries []query
	for n, pattern := range getCustomersByPhone {
		queries = append(queries, func(ctx context.Context) error {
			found, err := list(ctx, s.access.store, table.Query{Pattern: pattern, Values: values}, Page{Limit: searchLimit}, decodeAs[Customer])
			s.phones[n] = slices.DeleteFunc(found.Rows, func(c Customer) bool { return !c.HasPhone(s.text.id) })
			return err
		})
	}
	return queries
}

// best returns the best search words of one type: one for each record, best matches first,
// at most searchLimit. The result more says whether further records match. For an email
// address, the function returns up to emailCandidates customers instead, and the result more
// says whether there are further candidates. keepEmail then keeps the customers whose address
// starts with the text.
func (s *search) best(recordType string) (found []*SearchWord, more More) {
	ranks := map[string]int{}
	named := map[string]bool{} // the records that match by name
	for n, words := range s.words {
		some, byName := false, s.groups[n].isOfNames()
		for _, w := range words {
			if w.Type != recordType || !s.wants(recordType) || s.text.kind != "" && s.text.kind != recordType {
				continue
			}
			some = true
			rank, seen := ranks[w.identity()]
			if !seen {
				found = append(found, w)
			}
			if own := s.rank(w); !seen || own < rank {
				ranks[w.identity()] = own
			}
			if byName {
				named[w.identity()] = true
			}
		}
		if some && s.more[n] {
			more.Match, more.Named = true, more.Named || byName
		}
	}
	slices.SortStableFunc(found, func(a, b *SearchWord) int {
		return cmp.Or(cmp.Compare(ranks[a.identity()], ranks[b.identity()]), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	limit := searchLimit
	if s.text.isEmail && recordType == typeCustomer {
		limit = emailCandidates
	}
	more.Match = more.Match || len(found) > limit
	more.Named = more.Named || len(named) > limit
	return found[:min(limit, len(found))], more
}

// identity returns a string that identifies a record among the records of its type. The ID
// is not enough, because two subscriptions can have the same ID.
func (w *SearchWord) identity() string { return w.Place + "#" + w.ID }

// rank returns how well a search word matches. 0 is the best rank. From best to worst: the
// whole name, the first words of the name, the start of the name, the start of its first
// word, a whole later word, the start of a later word.
func (s *search) rank(w *SearchWord) int {
	text := key.JoinWords(s.text.typed)
	switch first, _, _ := strings.Cut(w.Words, "_"); {
	case w.Name == text:
		return 0
	case strings.HasPrefix(w.Name, text+"_"):
		return 1
	case strings.HasPrefix(w.Name, text):
		return 2
	case !w.Later:
		return 3
	case slices.Contains(s.text.words, first):
		return 4
	}
	return 5
}
