package store

// Person is somebody who rents or works at a store and whom neither the shop
// nor the staff knows under the same ID: one person, one ID.
type Person struct {
	ID      string
	Name    string
	Email   string   `json:",omitempty"`
	Phones  []string `json:",omitempty"`
	Version int
}

// EntityType implements Entity.
func (*Person) EntityType() string { return "personMetadata" }

// KeyValue implements Entity.
func (p *Person) KeyValue(name string) string {
	if name == "personULID" {
		return p.ID
	}
	return ""
}

func (p *Person) write(a *attributes) {
	a.text("Name", p.Name)
	a.text("Email", p.Email)
	a.texts("Phones", p.Phones)
	a.number(attrVersion, p.Version)
}

func decodePerson(item Item) (Entity, error) {
	f := fields{item: item}
	p := &Person{
		ID:      f.after(attrPK, "v1#person#personULID#"),
		Name:    f.text("Name"),
		Email:   f.text("Email"),
		Phones:  f.texts("Phones"),
		Version: f.number(attrVersion),
	}
	return p, f.err
}
