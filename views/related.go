package views

// customerName returns the name of a customer, or the ID if the name is unknown.
func (p *Page) customerName(id string) string {
	if c := p.Related.Customers[id]; c != nil {
		return nameOr(c.Name, id)
	}
	return id
}

// warehouseName returns the name of a warehouse, or the ID if the name is unknown.
func (p *Page) warehouseName(id string) string {
	if w := p.Related.Warehouses[id]; w != nil {
		return nameOr(w.Name, id)
	}
	return id
}

// warehouseLabel returns the name of a warehouse for use in a sentence, or its ID if the
// name is unknown.
func (p *Page) warehouseLabel(id string) string {
	if name := p.warehouseName(id); name != id {
		return name
	}
	return "warehouse " + id
}

// employeeName returns the name of an employee, or the ID if the name is unknown.
func (p *Page) employeeName(id string) string {
	if e := p.Related.Employees[id]; e != nil {
		return nameOr(e.Name, id)
	}
	return id
}
