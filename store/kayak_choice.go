package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// kayakAt is the prefix of the ChoiceKind of a form field in which the user chooses a kayak
// of one store. The ID of the store follows the prefix.
const kayakAt = "kayak@"

// maxKayakChoices is the maximum number of kayaks that a form field suggests.
const maxKayakChoices = 20

// ChooseKayakAt returns the ChoiceKind of a form field in which the user chooses a kayak of
// the given store.
func ChooseKayakAt(storeID string) ChoiceKind { return ChoiceKind(kayakAt + storeID) }

// KayakStore returns the ID of the store whose kayaks the user can choose. ok is false if
// the user chooses another kind of record.
func (k ChoiceKind) KayakStore() (storeID string, ok bool) {
	return strings.CutPrefix(string(k), kayakAt)
}

// kayakChoices returns up to maxKayakChoices kayaks of a store that match the entered text,
// without retired kayaks. It reads all kayaks of the store.
func (a Access) kayakChoices(ctx context.Context, storeID, text string) ([]Choice, error) {
	fleet, err := a.Fleet(ctx, storeID)
	if err != nil {
		return nil, err
	}
	var choices []Choice
	for _, k := range kayaksCalled(fleet, text) {
		choices = append(choices, k.choice())
	}
	return choices[:min(maxKayakChoices, len(choices))], nil
}

// kayakWithID returns the kayak of the store with this ID as the only choice. It returns no
// choice if there is no such kayak.
func (a Access) kayakWithID(ctx context.Context, storeID, id string) ([]Choice, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	found, err := a.lookUpKayaks(ctx, storeID, []string{id})
	if err != nil || found[0] == nil {
		return nil, err
	}
	return []Choice{found[0].choice()}, nil
}

func (k *Kayak) choice() Choice {
	return Choice{ID: k.ID, Name: nameOrID(k.Name, k.ID), Note: joinFilled(k.ID, k.Kind, k.Status.words()), codes: []string{k.Serial}}
}

// kayaksCalled returns the kayak whose ID or serial number is text. If there is none, it
// returns the kayaks whose names have words that start with the words of text, the
// available kayaks first.
func kayaksCalled(fleet []Kayak, text string) []Kayak {
	words := key.Words(text)
	if len(words) == 0 {
		return nil
	}
	var available, others []Kayak
	for i := range fleet {
		k := &fleet[i]
		if codes := (Choice{ID: k.ID, codes: []string{k.Serial}}); codes.isCalled(text) {
			return []Kayak{*k}
		}
		switch {
		case !key.HasWords(key.JoinWords(key.Words(k.Name)), words):
		case k.Status == KayakIn:
			available = append(available, *k)
		default:
			others = append(others, *k)
		}
	}
	return append(available, others...)
}

// onlyKayak returns the kayak that matches the entered text, or nil if no kayak or several
// kayaks match. If exactly one of several kayaks has this whole name, it returns that
// kayak.
func onlyKayak(fleet []Kayak, text string) *Kayak {
	found := kayaksCalled(fleet, text)
	if whole := slices.DeleteFunc(slices.Clone(found), func(k Kayak) bool { return !sameWords(k.Name, text) }); len(whole) == 1 {
		found = whole
	}
	if len(found) != 1 {
		return nil
	}
	return &found[0]
}

func sameWords(a, b string) bool { return slices.Equal(key.Words(a), key.Words(b)) }
