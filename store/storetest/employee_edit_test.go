package storetest_test

import (
	"errors"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestEdit_EmployeeAndWarehouse edits an employee and a warehouse. It checks
// permissions, versions, references and form tokens.
func TestEdit_EmployeeAndWarehouse(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		boss := s.As(admin)
		employee, err := boss.EmployeeForChange(ctx, "e01")
		if err != nil {
			t.Fatal(err)
		}
		for field, change := range map[string]func(*store.Employee){
			"name":      func(e *store.Employee) { e.Name = " " },
			"email":     func(e *store.Employee) { e.Email = "nobody" },
			"job":       func(e *store.Employee) { e.JobID = "none" },
			"warehouse": func(e *store.Employee) { e.WarehouseID = "none" },
			"manager":   func(e *store.Employee) { e.ManagerID = e.ID },
			"phones":    func(e *store.Employee) { e.Phones = make([]string, 11) },
		} {
			wrong := *employee
			change(&wrong)
			var refused *store.Error
			if err := boss.SaveEmployee(ctx, wrong, "wrong"); !errors.As(err, &refused) || refused.Kind != store.Invalid || refused.Field != field {
				t.Errorf("%s: got %v, want an error at the field", field, err)
			}
		}
		saved := *employee
		saved.Name, saved.JobID, saved.WarehouseID = "Another Name", "j2", "w2"
		for range 2 {
			if err := boss.SaveEmployee(ctx, saved, "form"); err != nil {
				t.Fatal(err)
			}
		}
		if err := boss.SaveEmployee(ctx, saved, "late"); store.KindOf(err) != store.Conflict {
			t.Errorf("old version: got %v, want Conflict", err)
		}
		now, err := boss.Employee(ctx, "e01")
		if err != nil || now.Name != "Another Name" || now.WarehouseID != "w2" || now.JobTitle == "" || now.Version != employee.Version+1 {
			t.Errorf("got employee %+v, %v, want the new name, warehouse w2, a job title and the next version", now, err)
		}
		found, err := boss.Employees(ctx, store.EmployeeFilter{Name: "another", WarehouseID: "w2"}, store.Page{})
		if err != nil || len(found.Rows) != 1 {
			t.Errorf("got employees of the new warehouse %v, %v, want one employee", found.Rows, err)
		}

		warehouse, err := boss.WarehouseForChange(ctx, "w1")
		if err != nil {
			t.Fatal(err)
		}
		warehouse.Name, warehouse.Address.City = "Öst", "Umeå"
		if err := boss.SaveWarehouse(ctx, *warehouse, "form"); err != nil {
			t.Fatal(err)
		}
		if err := boss.SaveWarehouse(ctx, *warehouse, "late"); store.KindOf(err) != store.Conflict {
			t.Errorf("old version: got %v, want Conflict", err)
		}
		if got, err := boss.Warehouse(ctx, "w1"); err != nil || got.Name != "Öst" || got.Address.City != "Umeå" {
			t.Errorf("got warehouse %+v, %v, want Öst in Umeå", got, err)
		}
		viewer := s.As(&store.User{Name: "v", Role: store.Viewer})
		if err := errors.Join(viewer.SaveWarehouse(ctx, *warehouse, ""), viewer.SaveEmployee(ctx, saved, "")); store.KindOf(err) != store.Forbidden {
			t.Errorf("viewer: got %v, want Forbidden", err)
		}
	})
}
