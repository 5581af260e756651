package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ChoiceKind is a kind of record that a form field can refer to.
type ChoiceKind string

// The kinds of records that form fields refer to.
const (
	ChooseCustomer  ChoiceKind = "customer"
	ChooseRenter    ChoiceKind = "person" // a customer, an employee or another person
	ChooseEmployee  ChoiceKind = "employee"
	ChooseProduct   ChoiceKind = "product"
	ChooseWarehouse ChoiceKind = "warehouse"
	ChooseStore     ChoiceKind = "store"
	ChoosePlace     ChoiceKind = "place" // a warehouse or a store; its ID has a prefix, as in w#12345 or store#7

	ChooseRegion     = ChoiceKind(Region)
	ChooseCountry    = ChoiceKind(Country)
	ChooseLocation   = ChoiceKind(Location)
	ChooseDepartment = ChoiceKind(Department)
	ChooseJob        = ChoiceKind(Job)
	ChooseCategory   = ChoiceKind(Category) // the value is the name
)

// String returns the kind as part of a sentence, such as customer.
func (k ChoiceKind) String() string {
	noun, _, _ := strings.Cut(string(k), "@")
	return noun
}

// choiceTypes contains the entity types that a search returns for each kind.
var choiceTypes = map[ChoiceKind][]string{
	ChooseCustomer:  {typeCustomer},
	ChooseRenter:    {typeCustomer, typePerson, typeEmployee},
	ChooseEmployee:  {typeEmployee},
	ChooseProduct:   {typeProduct},
	ChooseWarehouse: {typeWarehouse},
	ChooseStore:     {typeStore},
	ChoosePlace:     {typeWarehouse, typeStore},
}

// Choice is a record that a form offers for a field.
type Choice struct {
	ID   string
	Name string
	Note string // details that distinguish records with the same name, such as city and phone

	Closed bool // a closed customer, whom forms reject

	isCustomer bool
	zip        string // zip code of a customer

	codes  []string // other identifiers: email address, SKU, serial number of a kayak, or ID of a category
	phones []string
}

// Label returns the name and the ID of the record, as in Teal 3 (K10).
func (c Choice) Label() string {
	if c.Name == c.ID {
		return c.ID
	}
	return c.Name + " (" + c.ID + ")"
}

// idOfLabel returns the ID at the end of a label, or "" if the text is not a label.
func idOfLabel(text string) string {
	start := strings.LastIndex(text, " (")
	if start < 0 || !strings.HasSuffix(text, ")") {
		return ""
	}
	return text[start+2 : len(text)-1]
}

// Choices searches for records of a kind, except closed customers and archived products,
// warehouses and stores. Best matches come first; see Search. For reference data, kayaks
// and staff, see referenceChoices, kayakChoices and staffChoices instead. For other kinds,
// Choices makes one search. It returns NotFound for an unknown kind.
func (a Access) Choices(ctx context.Context, kind ChoiceKind, text string) ([]Choice, error) {
	choices, err := a.ChoicesWithClosed(ctx, kind, text)
	return slices.DeleteFunc(choices, func(c Choice) bool { return c.Closed }), err
}

// ChoicesWithClosed is like Choices, but also returns closed customers.
func (a Access) ChoicesWithClosed(ctx context.Context, kind ChoiceKind, text string) ([]Choice, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if reference, ok := kind.reference(); ok {
		return a.referenceChoices(ctx, reference, text)
	}
	if storeID, ok := kind.KayakStore(); ok {
		return a.kayakChoices(ctx, storeID, text)
	}
	if storeID, ok := kind.staffStore(); ok {
		return a.staffChoices(ctx, storeID, text)
	}
	types := choiceTypes[kind]
	if types == nil {
		return nil, fail(NotFound, "There are no choices of kind %s.", kind)
	}
	s := search{access: a, text: readSearch(text), only: types}
	found, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return kind.choices(found.withoutArchived()), nil
}

// ChoiceOf returns the record of a kind with this ID, or NotFound. It makes one
// request.
func (a Access) ChoiceOf(ctx context.Context, kind ChoiceKind, id string) (*Choice, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	choices, err := a.choicesWithID(ctx, kind, id)
	if err != nil {
		return nil, err
	}
	for _, c := range choices {
		if c.ID == id {
			return &c, nil
		}
	}
	return nil, fail(NotFound, "No %s has the ID %s.", kind, id)
}

func (a Access) choicesWithID(ctx context.Context, kind ChoiceKind, id string) ([]Choice, error) {
	if reference, ok := kind.reference(); ok {
		var found *Reference
		name := id
		if reference == Category {
			id = CategoryID(name)
		}
		if err := a.store.table.LookUp(ctx, []table.Lookup{lookUpReference(reference, id, &found)}, false); err != nil || found == nil {
			return nil, err
		}
		choice := found.choice()
		if reference == Category {
			choice.ID = name
		}
		return []Choice{choice}, nil
	}
	if storeID, ok := kind.KayakStore(); ok {
		return a.kayakWithID(ctx, storeID, id)
	}
	if storeID, ok := kind.staffStore(); ok {
		return a.staffWithID(ctx, storeID, id)
	}
	s := search{access: a, text: searchText{id: id}, only: choiceTypes[kind]}
	if kind == ChoosePlace {
		s.text = readSearch(id)
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	return kind.choices(&s.results), nil
}

// Identified returns the only choice that the entered text identifies: by ID, whole name,
// email address, phone number, SKU, or serial number of a kayak. It returns nil if no choice
// or several choices match.
func Identified(choices []Choice, text string) *Choice {
	var found *Choice
	for i := range choices {
		if !choices[i].isCalled(text) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &choices[i]
	}
	return found
}

func (c *Choice) isCalled(text string) bool {
	if _, after, prefixed := strings.Cut(text, "#"); prefixed {
		text = after
	}
	text = strings.TrimSpace(text)
	is := func(value string) bool {
		return value != "" && (strings.EqualFold(value, text) || key.Code(value) == key.Code(text))
	}
	return is(c.ID) || slices.ContainsFunc(c.codes, is) || hasPhone(c.phones, text) && key.IsPhone(text) ||
		key.JoinWords(key.Words(c.Name)) == key.JoinWords(key.Words(text))
}

func (kind ChoiceKind) choices(r *SearchResults) []Choice {
	if kind == ChoosePlace {
		return r.places()
	}
	return r.choices()
}

// choices converts search results to choices, one for each ID.
func (r *SearchResults) choices() []Choice {
	var all []Choice
	for _, c := range r.Customers {
		all = append(all, c.choice())
	}
	for _, p := range r.People {
		all = append(all, personChoice(p.ID, p.Name, "", p.Email, p.Phones))
	}
	for _, e := range r.Employees {
		c := personChoice(e.ID, e.Name, e.JobTitle, e.Email, nil)
		all = append(all, c)
	}
	for _, p := range r.Products {
		all = append(all, Choice{ID: p.ID, Name: nameOrID(p.Name, p.ID), Note: joinFilled(p.SKU, p.Category), codes: []string{p.SKU}})
	}
	for _, w := range r.Warehouses {
		all = append(all, Choice{ID: w.ID, Name: nameOrID(w.Name, w.ID), Note: joinFilled(w.ID, w.Address.City)})
	}
	for _, s := range r.Stores {
		all = append(all, Choice{ID: s.ID, Name: nameOrID(s.Name, s.ID), Note: joinFilled(s.ID, s.Address.City)})
	}
	return uniquely(all, func(c Choice) string { return c.ID })
}

func (c *Customer) choice() Choice {
	choice := personChoice(c.ID, c.Name, c.Address.City, c.Email, c.Phones)
	choice.Closed, choice.isCustomer, choice.zip = c.IsClosed(), true, c.Address.ZipCode
	return choice
}

func personChoice(id, name, place, email string, phones []string) Choice {
	phone := ""
	if len(phones) > 0 {
		phone = phones[0]
	}
	return Choice{ID: id, Name: nameOrID(name, id), Note: joinFilled(place, phone, email), codes: []string{email}, phones: phones}
}

func nameOrID(name, id string) string {
	if name == "" {
		return id
	}
	return name
}

// joinFilled joins the strings that are not empty, with commas.
func joinFilled(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}
