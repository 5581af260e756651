package store

import "errors"

// FieldProblem is a value that the form of its entity does not accept.
type FieldProblem struct {
	Column  string // in CSV files
	Value   string // as the form shows it; "" if it is missing
	Message string // for the form's field
}

// CheckFields checks an entity by the rules of its form, and returns the first
// problem in a column that has reports. It returns nil if there is none, and for
// entities without a form. It changes nothing.
func CheckFields(entity Entity, has func(column string) bool) *FieldProblem {
	switch e := entity.(type) {
	case *Customer:
		return CustomerFields.problem(*e, has)
	case *Employee:
		return EmployeeFields.problem(*e, has)
	case *Product:
		return ProductFields.problem(*e, has)
	case *Warehouse:
		return WarehouseFields.problem(*e, has)
	}
	return nil
}

// problem returns the first problem of a copy, which the checks trim.
func (fs Fields[T]) problem(t T, has func(column string) bool) *FieldProblem {
	for i := range fs {
		f := &fs[i]
		if !has(f.Column) {
			continue
		}
		err := f.check(&t)
		value := f.format(&t)
		if err == nil && f.Required && value == "" {
			err = f.missing()
		}
		if err == nil {
			continue
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
