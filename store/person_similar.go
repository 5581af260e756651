package store

import (
	"context"
	"slices"
)

// SimilarPeople returns the customers, employees and other people who may be the same as a
// new person: those with the same words in the name in any order, the same email address, or
// one of the first maxSimilarPhones phone numbers. It leaves out closed customers, and
// employees whom the user may not see. It returns at most searchLimit people, and ignores the
// person that a form with this token has already added. It makes one search for the name, one
// for the email address, and one for each phone number.
func (a Access) SimilarPeople(ctx context.Context, p Person, token string) ([]Choice, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	texts := slices.Concat([]string{p.Name, p.Email}, firstPhones(p.Phones))
	return a.similar(ctx, ChooseRenter, texts, token, func(string, Choice) bool { return true })
}
