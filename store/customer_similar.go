package store

import (
	"context"
	"slices"

	"stockroom/store/key"
)

// SimilarCustomers returns the open customers who may be the same person as a new customer:
// those with the same name and zip code, and those with one of the first maxSimilarPhones
// phone numbers. It returns at most searchLimit customers, and ignores the customer that a
// form with this token has already added. It makes one search for the name, and one for each
// phone number. A search finds at most searchLimit customers, so of more customers with the
// same name, SimilarCustomers can miss the one with the zip code.
func (a Access) SimilarCustomers(ctx context.Context, c Customer, token string) ([]Choice, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	added, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	var similar []Choice
	if c.Address.ZipCode != "" {
		named, err := a.choicesCalled(ctx, ChooseCustomer, c.Name)
		if err != nil {
			return nil, err
		}
		for _, other := range named {
			if key.Code(other.zip) == key.Code(c.Address.ZipCode) {
				similar = append(similar, other)
			}
		}
	}
	for _, phone := range c.Phones[:min(maxSimilarPhones, len(c.Phones))] {
		found, err := a.choicesCalled(ctx, ChooseCustomer, phone)
		if err != nil {
			return nil, err
		}
		similar = append(similar, found...)
	}
	similar = slices.DeleteFunc(similar, func(other Choice) bool { return other.ID == added })
	similar = uniquely(similar, func(other Choice) string { return other.ID })
	return similar[:min(searchLimit, len(similar))], nil
}

// maxSimilarPhones is the maximum number of phone numbers for which SimilarCustomers
// searches.
const maxSimilarPhones = 3
