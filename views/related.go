package views

// customerName returns the name of a customer, or the ID if the name is unknown.
func customerName(p *Page, id string) string {
	return nameOr(p.Related.CustomerName(id), id)
}

// warehouseName returns the name of a warehouse, or the ID if the name is unknown.
func (p *Page) warehouseName(id string) string {
	return nameOr(p.Related.WarehouseName(id), id)
}

// warehouseLabel returns the name of a warehouse for use in a sentence. If the name is
// unknown, it returns "warehouse" and the ID.
func warehouseLabel(p *Page, id string) string {
	if name := p.warehouseName(id); name != id {
		return name
	}
	return "warehouse " + id
}

// employeeName returns the name of an employee, or the ID if the name is unknown.
func employeeName(p *Page, id string) string {
	return nameOr(p.Related.EmployeeName(id), id)
}
