package store

import "errors"

// FieldProblem is a value that a form would reject.
type FieldProblem struct {
	Column  string // column name in CSV files
	Value   string // the value as the form shows it; "" if it is missing
	Message string // the form's error message
}

// CheckFields checks a customer, employee, person, product or warehouse by the rules of its
// form, without changing it. It checks only the columns for which has(column) is true. It
// returns the first problem, or nil if there is none. For other entities, it returns nil.
func CheckFields(entity Entity, has func(column string) bool) *FieldProblem {
	switch e := entity.(type) {
	case *Customer:
		return CustomerFields.problem(*e, has)
	case *Employee:
		return EmployeeFields.problem(*e, has)
	case *Person:
		return PersonFields.problem(*e, has)
	case *Product:
		return ProductFields.problem(*e, has)
	case *Warehouse:
		return WarehouseFields.problem(*e, has)
	}
	return nil
}

// RequiredColumns returns the CSV columns that must have a value, because the form of the
// entity requires them. It returns nil if the entity is not a customer, employee, person,
// product or warehouse.
func RequiredColumns(entity Entity) []string {
	switch entity.(type) {
	case *Customer:
		return CustomerFields.requiredColumns()
	case *Employee:
		return EmployeeFields.requiredColumns()
	case *Person:
		return PersonFields.requiredColumns()
	case *Product:
		return ProductFields.requiredColumns()
	case *Warehouse:
		return WarehouseFields.requiredColumns()
	}
	return nil
}

func (fs Fields[T]) requiredColumns() (columns []string) {
	for i := range fs {
		if fs[i].Required {
			columns = append(columns, fs[i].Column)
		}
	}
	return columns
}

// problem returns the first problem of t in a column for which the function has returns
// true, or nil. t is a copy, because the checks also trim values.
func (fs Fields[T]) problem(t T, has func(column string) bool) *FieldProblem {
	for i := range fs {
		f := &fs[i]
		if !has(f.Column) {
			continue
		}
		err := f.check(&t)
		if err == nil && f.phones != nil {
			err = Fields[T]{*f}.checkPhones(nil, &t)
		}
		if err == nil && !f.Required {
			continue
		}
		value := f.format(&t)
		if err == nil && value != "" {
			continue
		}
		if err == nil {
			err = f.missing()
		}
		p := &FieldProblem{Column: f.Column, Value: value, Message: err.Error()}
		var known *Error
		if errors.As(err, &known) {
			p.Message = known.Message
		}
		return p
	}
	return nil
}
