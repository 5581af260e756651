package storetest_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func employeeID(e store.Employee) string { return e.ID }
func quotaID(q store.Quota) string       { return q.EmployeeID + "/" + q.Period.String() }

// staffByName returns the IDs of the matching employees, sorted by name. The list is
// a single partition, so it is not divided by first letters.
func staffByName(shop storetest.Shop, fits func(store.Employee) bool) []string {
	all := slices.DeleteFunc(slices.Clone(shop.Employees), func(e store.Employee) bool { return !fits(e) })
	slices.SortFunc(all, func(a, b store.Employee) int {
		return strings.Compare(a.KeyValue("name")+"#"+a.ID, b.KeyValue("name")+"#"+b.ID)
	})
	return pick(all, employeeID, func(store.Employee) bool { return true })
}

// staffListings returns the lists of employees and of their sales.
func staffListings(a store.Access, shop storetest.Shop) []listing {
	employees := func(name string, f store.EmployeeFilter, fits func(store.Employee) bool) listing {
		return of(name, employeeID, staffByName(shop, fits), func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			return a.Employees(ctx, f, p)
		})
	}
	from, to := day(2025, 6, 1), day(2026, 5, 31)
	hired := reversed(pick(shop.Employees, employeeID, func(e store.Employee) bool {
		return !e.HireDate.Before(from) && !e.HireDate.After(to)
	}))
	ofRep := func(o store.Order) bool { return o.AccountRepID == "e01" && !o.Date.Before(day(2026, 9, 1)) }
	autumn := store.Quarter{Year: 2026, Number: 4}
	ranked := slices.DeleteFunc(slices.Clone(shop.Quotas), func(q store.Quota) bool { return q.Period != autumn })
	slices.SortFunc(ranked, func(a, b store.Quota) int {
		return strings.Compare(b.KeyValue("total")+b.EmployeeID, a.KeyValue("total")+a.EmployeeID)
	})
	quotas := slices.DeleteFunc(slices.Clone(shop.Quotas), func(q store.Quota) bool { return q.EmployeeID != "e01" })
	slices.SortFunc(quotas, func(a, b store.Quota) int { return strings.Compare(b.Period.String(), a.Period.String()) })
	everybody := func(store.Employee) bool { return true }
	return []listing{
		employees("employees", store.EmployeeFilter{}, everybody),
		employees("employees by the beginning of their names", store.EmployeeFilter{Name: "MA"}, func(e store.Employee) bool { return strings.HasPrefix(e.Name, "Ma") }),
		employees("employees of a warehouse", store.EmployeeFilter{WarehouseID: "w1"}, func(e store.Employee) bool { return e.WarehouseID == "w1" }),
		employees("employees of a warehouse by the beginning of their names", store.EmployeeFilter{WarehouseID: "w1", Name: "m"}, func(e store.Employee) bool { return e.WarehouseID == "w1" && e.Name[0] == 'M' }),
		employees("employees of a job", store.EmployeeFilter{JobID: storetest.AccountRep}, func(e store.Employee) bool { return e.JobID == storetest.AccountRep }),
		employees("employees of a job by the beginning of their names", store.EmployeeFilter{JobID: "j2", Name: "åke"}, func(e store.Employee) bool { return e.JobID == "j2" && strings.HasPrefix(e.Name, "Åke") }),
		of("employees by hire date", employeeID, hired, func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			return a.EmployeesByHireDate(ctx, store.DateRange{From: from, To: to}, false, p)
		}),
		of("employees by hire date, the newest first", employeeID, pick(shop.Employees, employeeID, everybody), func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			return a.EmployeesByHireDate(ctx, store.DateRange{}, true, p)
		}),
		of("customers of a rep", customerID, customersOf(shop, "e01"), func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			return a.CustomersOfRep(ctx, "e01", p)
		}),
		of("orders of a rep", orderID, pick(orders(shop), orderID, ofRep), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.OrdersOfRep(ctx, "e01", store.DateRange{From: day(2026, 9, 1)}, p)
		}),
		of("quotas of a rep", quotaID, pick(quotas, quotaID, func(store.Quota) bool { return true }), func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return a.QuotasOfRep(ctx, "e01", p)
		}),
		of("reps of a quarter", quotaID, pick(ranked, quotaID, func(store.Quota) bool { return true }), func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return a.RankedReps(ctx, autumn, p)
		}),
		of("countries", func(r store.ListedReference) string { return r.ID }, []string{"co2", "co1"}, func(ctx context.Context, p store.Page) (store.List[store.ListedReference], error) {
			return a.References(ctx, store.Country, "", store.NotArchived, p)
		}),
	}
}

func customersOf(shop storetest.Shop, rep string) []string {
	all := slices.DeleteFunc(slices.Clone(shop.Customers), func(c store.Customer) bool { return c.AccountRepID != rep })
	slices.SortFunc(all, func(a, b store.Customer) int {
		return strings.Compare(a.KeyValue("name")+"#"+a.ID, b.KeyValue("name")+"#"+b.ID)
	})
	return pick(all, customerID, func(store.Customer) bool { return true })
}

func TestStaff_Details(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, shop storetest.Shop) {
		ctx := t.Context()
		same := func(what string, got, want any, err error) {
			t.Helper()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got (error %v)\n%+v\nwant\n%+v", what, err, got, want)
			}
		}
		references := map[string]*store.Reference{}
		for i := range shop.References {
			references[shop.References[i].ID] = &shop.References[i]
		}
		employee, err := a.Employee(ctx, "e05")
		same("employee", employee, &shop.Employees[5], err)
		phones, err := a.PhonesOfEmployee(ctx, "e05")
		same("phones of an employee", phones, shop.Employees[5].Phones, err)
		phones, err = a.PhonesOfCustomer(ctx, "c07")
		same("phones of a customer", phones, shop.Customers[7].Phones, err)

		trace := &store.Trace{}
		details, err := a.EmployeeDetails(store.WithTrace(ctx, trace), "e05")
		same("employee with what belongs to them", details, &store.EmployeeDetails{
			Employee: shop.Employees[5], Department: references["d2"], Location: references["l1"],
			Warehouse: &shop.Warehouses[1], Manager: &shop.Employees[0],
		}, err)
		requests, items := 0, 0
		for _, read := range trace.Reads() {
			requests, items = requests+read.Requests, items+read.Items
		}
		if requests != 2 || items != 5 {
			t.Errorf("employee details: got %d requests for %d items, want 2 for 5", requests, items)
		}

		countries, err := a.References(ctx, store.Country, "sw", store.NotArchived, store.Page{})
		same("countries", countries.Rows, []store.ListedReference{{Reference: *references["co1"], Parent: references["r1"]}}, err)
		countries, err = a.References(ctx, store.Country, "ål", store.NotArchived, store.Page{})
		same("a country of no region", countries.Rows, []store.ListedReference{{Reference: *references["co2"]}}, err)
		department, err := a.Reference(ctx, store.Department, "d1")
		same("department", department, &store.ReferenceDetails{
			Reference: *references["d1"], Within: []store.Reference{*references["l1"], *references["co1"], *references["r1"]},
		}, err)
		for what, err := range map[string]error{
			"employee":           second(a.Employee(ctx, "none")),
			"phones of nobody":   second(a.PhonesOfCustomer(ctx, "none")),
			"job":                second(a.Reference(ctx, store.Job, "d1")),
			"kind of references": second(a.Reference(ctx, "nothing", "d1")),
			"list of references": second(store.ReferenceKindOf("employees")),
		} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("%s: got %v, want NotFound", what, err)
			}
		}
	})
}

// TestStaff_Privacy checks that users who may not see private details of employees do not
// get them.
func TestStaff_Privacy(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, shop storetest.Shop) {
		ctx := t.Context()
		for _, role := range []store.Role{store.Viewer, store.Support} {
			b := s.As(&store.User{Name: "v", Role: role})
			details, err := b.EmployeeDetails(ctx, "e05")
			if err != nil || details.Department != nil || details.Manager != nil || private(details.Employee) || details.Warehouse == nil {
				t.Errorf("%s: got details %+v, %v, want the warehouse but no private details", role, details, err)
			}
			all, err := b.Employees(ctx, store.EmployeeFilter{}, store.Page{Limit: 200})
			if err != nil || len(all.Rows) != len(shop.Employees) || slices.ContainsFunc(all.Rows, private) {
				t.Errorf("%s: got list %+v, %v, want all employees without private details", role, all.Rows, err)
			}
			for what, err := range map[string]error{
				"phones":       second(b.PhonesOfEmployee(ctx, "e05")),
				"by hire date": second(b.EmployeesByHireDate(ctx, store.DateRange{}, false, store.Page{})),
			} {
				if store.KindOf(err) != store.Forbidden {
					t.Errorf("%s: staff, %s: got %v, want Forbidden", role, what, err)
				}
			}
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1"}})
		for _, e := range shop.Employees {
			details, err := manager.EmployeeDetails(ctx, e.ID)
			switch own := e.WarehouseID == "w1"; {
			case own && (err != nil || !private(details.Employee) || details.Manager != nil):
				t.Errorf("own staff: got %+v, %v, want the details without a manager", details, err)
			case !own && store.KindOf(err) != store.NotFound:
				t.Errorf("staff of others: got %+v, %v, want NotFound", details, err)
			}
		}
		for what, err := range map[string]error{
			"everybody":              second(manager.Employees(ctx, store.EmployeeFilter{}, store.Page{})),
			"of another's warehouse": second(manager.Employees(ctx, store.EmployeeFilter{WarehouseID: "w2"}, store.Page{})),
			"of a job":               second(manager.Employees(ctx, store.EmployeeFilter{JobID: "j2"}, store.Page{})),
			"by hire date":           second(manager.EmployeesByHireDate(ctx, store.DateRange{}, false, store.Page{})),
			"customers":              second(manager.CustomersOfRep(ctx, "e02", store.Page{})),
			"orders":                 second(manager.OrdersOfRep(ctx, "e02", store.DateRange{}, store.Page{})),
			"quotas":                 second(manager.QuotasOfRep(ctx, "e02", store.Page{})),
		} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("manager: staff, %s: got %v, want NotFound", what, err)
			}
		}
		if _, err := manager.RankedReps(ctx, store.Quarter{Year: 2026, Number: 4}, store.Page{}); store.KindOf(err) != store.Forbidden {
			t.Errorf("manager ranks all reps: got %v, want Forbidden", err)
		}
		if own, err := manager.CustomersOfRep(ctx, "e01", store.Page{}); err != nil || len(own.Rows) == 0 {
			t.Errorf("customers of an own rep: got %+v, %v, want at least one customer", own.Rows, err)
		}
	})
}

func private(e store.Employee) bool {
	return len(e.Phones) > 0 || !e.HireDate.IsZero() || e.DepartmentID != "" || e.ManagerID != ""
}

func TestProduct_StockAndOpenLines(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, shop storetest.Shop) {
		a := s.As(admin)
		ctx := t.Context()
		var open []store.Entity
		for n, id := range []string{"b", "a"} {
			open = append(open, &store.OrderItem{OrderID: id, ProductID: "p05", CustomerID: "c", Date: day(2026, 11, 1+n), Quantity: 3, Shipped: 2 - n, Version: 1})
		}
		gone := &store.OrderItem{OrderID: "c", ProductID: "p05", CustomerID: "c", Date: day(2026, 11, 1), Quantity: 3, Cancelled: true, Version: 1}
		if _, err := a.Load(ctx, append(open, gone), store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		waiting, err := a.ItemsOnOrder(ctx, "p05", store.Page{})
		if err != nil || !slices.Equal(pick(waiting.Rows, lineID, func(store.OrderItem) bool { return true }), []string{"b/p05", "a/p05"}) {
			t.Errorf("open lines: got %+v, %v, want b/p05 and a/p05", waiting.Rows, err)
		}
		line, err := a.OrderItem(ctx, "o0005", "p05")
		if err != nil || *line != shop.Orders[5].Items[0] {
			t.Errorf("line: got %+v, %v, want the line of order 5", line, err)
		}
		where, err := a.InventoryOfProduct(ctx, "p05")
		total := 0
		for _, item := range where {
			total += item.Quantity
			one, err := a.StockItem(ctx, "p05", item.WarehouseID)
			if err != nil || *one != item {
				t.Errorf("stock in %s: got %+v, %v, want that of the warehouse", item.WarehouseID, one, err)
			}
		}
		if err != nil || len(where) != 2 {
			t.Errorf("got stock %+v, %v, want two warehouses", where, err)
		}
		if sum, err := a.TotalStockOfProduct(ctx, "p05"); err != nil || sum != total || sum == 0 {
			t.Errorf("got %d in all, %v; want %d", sum, err, total)
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{where[0].WarehouseID}})
		if sum, err := manager.TotalStockOfProduct(ctx, "p05"); err != nil || sum != where[0].Quantity {
			t.Errorf("manager: got %d in stock, want %d; error %v", sum, where[0].Quantity, err)
		}
		if _, err := manager.StockItem(ctx, "p05", where[1].WarehouseID); store.KindOf(err) != store.NotFound {
			t.Errorf("manager, other warehouse: got %v, want NotFound", err)
		}
		if _, err := a.OrderItem(ctx, "o0005", "p29"); store.KindOf(err) != store.NotFound {
			t.Errorf("unknown line: got %v, want NotFound", err)
		}
	})
}
