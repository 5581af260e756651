package handlers

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func askWarehouse(r *request) error { return r.ask(r.warehouseForm) }

func saveWarehouse(r *request) error {
	form, err := r.form(append([]string{"name"}, addressFields...)...)
	if err != nil {
		return err
	}
	warehouse := store.Warehouse{ID: r.id(), Name: form.Get("name"), Address: typedAddress(form), Version: form.Version()}
	err = r.shop.SaveWarehouse(r.ctx(), warehouse, form.Once())
	return r.changed(err, "The warehouse was saved.", views.WarehousePath(r.id()), r.again(form, r.warehouseForm))
}

func (r *request) warehouseForm(form web.Form, refused *store.Error) (templ.Component, error) {
	warehouse, err := r.shop.WarehouseForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.WarehouseForm{Warehouse: *warehouse, Name: typed(form, refused, "name"), AddressForm: addressForm(form, refused)}
	if refused == nil {
		p = p.Filled(warehouse)
	}
	p.Page, p.Form = r.page("Edit"), r.formOf(form, refused, warehouse.Version)
	return views.WarehouseFormPage(p), nil
}

func askEmployee(r *request) error { return r.ask(r.employeeForm) }

func saveEmployee(r *request) error {
	form, err := r.form("name", "email", "phones", "hired", "job", "department", "location", "warehouse", "manager")
	if err != nil {
		return err
	}
	employee := store.Employee{
		ID: r.id(), Name: form.Get("name"), Email: strings.TrimSpace(form.Get("email")), Phones: filledLines(form.Get("phones")),
		JobID: form.Get("job"), DepartmentID: form.Get("department"), LocationID: form.Get("location"),
		WarehouseID: form.Get("warehouse"), ManagerID: form.Get("manager"), Version: form.Version(),
	}
	if employee.HireDate, err = typedDay(form, "hired"); err == nil {
		err = r.shop.SaveEmployee(r.ctx(), employee, form.Once())
	}
	return r.changed(err, "The employee was saved.", views.EmployeePath(r.id()), r.again(form, r.employeeForm))
}

// typedDay is a calendar day of a form, at midnight UTC; the zero time where
// none was typed.
func typedDay(form web.Form, name string) (time.Time, error) {
	text := strings.TrimSpace(form.Get(name))
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, store.InvalidField(name, "Write a day such as 2026-11-21.")
	}
	return day, nil
}

func (r *request) employeeForm(form web.Form, refused *store.Error) (templ.Component, error) {
	employee, err := r.shop.EmployeeForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.EmployeeForm{
		Employee: *employee,
		Name:     typed(form, refused, "name"), Email: typed(form, refused, "email"), Phones: typed(form, refused, "phones"),
		Hired: typed(form, refused, "hired"), Job: typed(form, refused, "job"), Department: typed(form, refused, "department"),
		Location: typed(form, refused, "location"), Warehouse: typed(form, refused, "warehouse"), Boss: typed(form, refused, "manager"),
	}
	if refused == nil {
		p = p.Filled(employee)
	}
	p.Page, p.Form = r.page("Edit"), r.formOf(form, refused, employee.Version)
	return views.EmployeeFormPage(p), nil
}
