package store

import (
	"context"
	"strings"

	"stockroom/store/key"
)

// staffAt is the prefix of the ChoiceKind of a form field in which the user chooses a
// current employee of one store. The ID of the store follows the prefix.
const staffAt = "employee@"

// maxStaffChoices is the maximum number of employees that a form field suggests.
const maxStaffChoices = 20

// ChooseStaffAt returns the ChoiceKind of a form field in which the user chooses a current
// employee of the given store.
func ChooseStaffAt(storeID string) ChoiceKind { return ChoiceKind(staffAt + storeID) }

// staffStore returns the ID of the store whose employees the user can choose. ok is false if
// the user chooses another kind of record.
func (k ChoiceKind) staffStore() (storeID string, ok bool) {
	return strings.CutPrefix(string(k), staffAt)
}

// staffChoices searches the current employees of a store. It returns up to maxStaffChoices
// employees whose ID is text, or whose names have words that start with the words of text.
// It reads up to MaxLimit employees of the store. If none matches, it returns other people
// whom the text identifies, so that EndEmployment can say that they do not work at the
// store.
func (a Access) staffChoices(ctx context.Context, storeID, text string) ([]Choice, error) {
	staff, err := a.EmployeesOfStore(ctx, storeID, Page{Limit: MaxLimit})
	if err != nil {
		return nil, err
	}
	words := key.Words(text)
	var choices []Choice
	for i := range staff.Rows {
		e := &staff.Rows[i]
		if c := e.choice(); c.isCalled(text) || len(words) > 0 && key.HasWords(key.JoinWords(key.Words(e.Name)), words) {
			choices = append(choices, c)
		}
	}
	if len(choices) == 0 {
		return a.choicesCalled(ctx, ChooseRenter, text)
	}
	return choices[:min(maxStaffChoices, len(choices))], nil
}

// staffWithID returns the person with this ID as the only choice, if the person currently
// works at the store. Otherwise it returns no choice.
func (a Access) staffWithID(ctx context.Context, storeID, id string) ([]Choice, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	e, err := a.store.staffEntry(ctx, storeID, id)
	if err != nil || e == nil || !e.worksOn(today) {
		return nil, err
	}
	return []Choice{e.choice()}, nil
}

func (e *StoreEmployee) choice() Choice {
	until := ""
	if !e.To.IsZero() {
		until = "until " + longDay(e.To)
	}
	return Choice{ID: e.PersonID, Name: nameOrID(e.Name, e.PersonID), Note: joinFilled(e.PersonID, e.Position, until)}
}
