package store

import (
	"context"

	"stockroom/store/key"
)

// SimilarCustomers returns the open customers who may be the same person as a new customer:
// those with the same words in the name in any order and the same zip code, and those with one
// of the first maxSimilarPhones phone numbers. It returns at most searchLimit customers, and
// ignores the customer that a form with this token has already added. It makes one search for
// the name, and one for each phone number. A search finds at most searchLimit customers, so
// of more customers with the same name, SimilarCustomers can miss the one with the zip code.
func (a Access) SimilarCustomers(ctx context.Context, c Customer, token string) ([]Choice, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	var texts []string
	if c.Address.ZipCode != "" {
		texts = append(texts, c.Name)
	}
	return a.similar(ctx, ChooseCustomer, append(texts, firstPhones(c.Phones)...), token, func(text string, other Choice) bool {
		return text != c.Name || key.Code(other.zip) == key.Code(c.Address.ZipCode)
	})
}

// similar returns the records of a kind that one of the texts identifies, if the function
// same accepts them. It makes one search for each text. It returns at most searchLimit
// records, and ignores the record that a form with this token has already added.
func (a Access) similar(ctx context.Context, kind ChoiceKind, texts []string, token string, same func(text string, other Choice) bool) ([]Choice, error) {
	added, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	var similar []Choice
	for _, text := range texts {
		found, err := a.choicesCalled(ctx, kind, text)
		if err != nil {
			return nil, err
		}
		for _, other := range found {
			if other.ID != added && same(text, other) {
				similar = append(similar, other)
			}
		}
	}
	similar = uniquely(similar, func(other Choice) string { return other.ID })
	return similar[:min(searchLimit, len(similar))], nil
}

// firstPhones returns the phone numbers for which a search for similar records looks.
func firstPhones(phones []string) []string { return phones[:min(maxSimilarPhones, len(phones))] }

// maxSimilarPhones is the maximum number of phone numbers for which SimilarCustomers and
// SimilarPeople search.
const maxSimilarPhones = 3
