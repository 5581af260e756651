package views_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/views"
)

// pages contains a function for each page. The function renders the page after fill has
// set the fields of the page's struct.
var pages = map[string]func(fill func(page any)) templ.Component{
	"AccessTokensPage":      from(views.AccessTokensPage),
	"APIPage":               from(views.APIPage),
	"AccountPage":           from(views.AccountPage),
	"NewAccessTokenPage":    from(views.NewAccessTokenPage),
	"ConfirmPage":           from(views.ConfirmPage),
	"RecoveryCodesPage":     from(views.RecoveryCodesPage),
	"SecondFactorPage":      from(views.SecondFactorPage),
	"SignInCodePage":        from(views.SignInCodePage),
	"BillingPage":           from(views.BillingPage),
	"BulkChangePage":        from(views.BulkChangePage),
	"BulkChangesPage":       from(views.BulkChangesPage),
	"BulkFormPage":          from(views.BulkFormPage),
	"CheckOutPage":          from(views.CheckOutPage),
	"CheckPage":             from(views.CheckPage),
	"CostsPage":             from(views.CostsPage),
	"DuePage":               from(views.DuePage),
	"ImportsPage":           from(views.ImportsPage),
	"ImportTemplatesPage":   from(views.ImportTemplatesPage),
	"ImportColumnsPage":     from(views.ImportColumnsPage),
	"ImportRunPage":         from(views.ImportRunPage),
	"JobRunPage":            from(views.JobRunPage),
	"JobsPage":              from(views.JobsPage),
	"NoticesPage":           from(views.NoticesPage),
	"DryRunPage":            from(views.DryRunPage),
	"SubscribePage":         from(views.SubscribePage),
	"SubscriptionPage":      from(views.SubscriptionPage),
	"WhyChargedPage":        from(views.WhyChargedPage),
	"SubscriptionsPage":     from(views.SubscriptionsPage),
	"OrderCancelPage":       from(views.OrderCancelPage),
	"CreditNotePage":        from(views.CreditNotePage),
	"CreditNotePrintPage":   from(views.CreditNotePrintPage),
	"StatementPage":         from(views.StatementPage),
	"StatementPrintPage":    from(views.StatementPrintPage),
	"DocumentSendPage":      from(views.DocumentSendPage),
	"OrderConfirmationPage": from(views.OrderConfirmationPage),
	"InvoicePrintsPage":     from(views.InvoicePrintsPage),
	"OverduePrintPage":      from(views.OverduePrintPage),
	"CustomerPage":          from(views.CustomerPage),
	"CustomersPage":         from(views.CustomersPage),
	"DeliveriesPage":        from(views.DeliveriesPage),
	"DeliveryChangePage":    from(views.DeliveryChangePage),
	"EmployeePage":          from(views.EmployeePage),
	"EditPage":              editPage,
	"CardLinkPage":          from(views.CardLinkPage),
	"EmailPage":             from(views.EmailPage),
	"EmailsPage":            from(views.EmailsPage),
	"EmployeesPage":         from(views.EmployeesPage),
	"ShipmentEditPage":      from(views.ShipmentEditPage),
	"HistoryPage":           from(views.HistoryPage),
	"InvoicePage":           from(views.InvoicePage),
	"InvoicePaymentsPage":   from(views.InvoicePaymentsPage),
	"InvoicePrintPage":      from(views.InvoicePrintPage),
	"InvoicesPage":          from(views.InvoicesPage),
	"KayakFormPage":         from(views.KayakFormPage),
	"KayakPage":             from(views.KayakPage),
	"KeptFormPage":          from(views.KeptFormPage),
	"LabelsPage":            from(views.LabelsPage),
	"SignInPage":            from(views.SignInPage),
	"ModelPage":             from(views.ModelPage),
	"NewOrderPage":          from(views.NewOrderPage),
	"NewPasswordPage":       from(views.NewPasswordPage),
	"NotePage":              notePage,
	"OneTimePasswordPage":   from(views.OneTimePasswordPage),
	"ForgotPasswordPage":    from(views.ForgotPasswordPage),
	"PasswordLinkPage":      from(views.PasswordLinkPage),
	"OrderInvoicesPage":     from(views.OrderInvoicesPage),
	"OrderItemPage":         from(views.OrderItemPage),
	"OrderItemsPage":        from(views.OrderItemsPage),
	"ArchivePage":           archivePage,
	"PersonalDataPage":      from(views.PersonalDataPage),
	"CloseCustomerPage":     from(views.CloseCustomerPage),
	"ClosedCustomersPage":   from(views.ClosedCustomersPage),
	"SamePersonPage":        from(views.SamePersonPage),
	"OrderPage":             from(views.OrderPage),
	"OrderShipmentsPage":    from(views.OrderShipmentsPage),
	"OrdersPage":            from(views.OrdersPage),
	"BehindPage":            from(views.BehindPage),
	"OverduePage":           from(views.OverduePage),
	"PackingSlipPage":       from(views.PackingSlipPage),
	"ShipmentSlipPage":      from(views.ShipmentSlipPage),
	"PartitionPage":         from(views.PartitionPage),
	"DeliverySheetPage":     from(views.DeliverySheetPage),
	"CountsPage":            from(views.CountsPage),
	"CountStartPage":        from(views.CountStartPage),
	"CountSheetPage":        from(views.CountSheetPage),
	"CountReviewPage":       from(views.CountReviewPage),
	"CountClosePage":        from(views.CountClosePage),
	"TransfersPage":         from(views.TransfersPage),
	"TransferChangePage":    from(views.TransferChangePage),
	"TransferSheetPage":     from(views.TransferSheetPage),
	"CompareMomentsPage":    from(views.CompareMomentsPage),
	"ComparePage":           from(views.ComparePage),
	"PastPage":              from(views.PastPage),
	"PatternPage":           from(views.PatternPage),
	"PatternsPage":          from(views.PatternsPage),
	"PickListPage":          from(views.PickListPage),
	"PaymentRecordPage":     from(views.PaymentRecordPage),
	"PersonPage":            from(views.PersonPage),
	"PhonesPage":            from(views.PhonesPage),
	"ProblemPage":           from(views.ProblemPage),
	"ProductPage":           from(views.ProductPage),
	"ProductStockPage":      from(views.ProductStockPage),
	"ProductsPage":          from(views.ProductsPage),
	"ReferencePage":         from(views.ReferencePage),
	"ReferencesPage":        from(views.ReferencesPage),
	"PaymentRefundPage":     from(views.PaymentRefundPage),
	"PaymentReversalPage":   from(views.PaymentReversalPage),
	"RepsPage":              from(views.RepsPage),
	"CheckInPage":           from(views.CheckInPage),
	"RentalSettlePage":      from(views.RentalSettlePage),
	"RentalSlipPage":        from(views.RentalSlipPage),
	"TakingsPage":           from(views.TakingsPage),
	"UnpaidRentalsPage":     from(views.UnpaidRentalsPage),
	"SavedPage":             from(views.SavedPage),
	"SavedViewPage":         from(views.SavedViewPage),
	"SaveViewPage":          from(views.SaveViewPage),
	"SearchPage":            from(views.SearchPage),
	"SettingsPage":          from(views.SettingsPage),
	"OrderShipPage":         from(views.OrderShipPage),
	"ShipmentPage":          from(views.ShipmentPage),
	"ShipmentUnpackPage":    from(views.ShipmentUnpackPage),
	"ShipmentsPage":         from(views.ShipmentsPage),
	"PackingSlipsPage":      from(views.PackingSlipsPage),
	"StockChangePage":       from(views.StockChangePage),
	"StockLowPage":          from(views.StockLowPage),
	"StockPage":             from(views.StockPage),
	"BookingClosedPage":     from(views.BookingClosedPage),
	"BookingEndPage":        from(views.BookingEndPage),
	"BookingFormPage":       from(views.BookingFormPage),
	"BookingPage":           from(views.BookingPage),
	"BookingsPage":          from(views.BookingsPage),
	"StoreWeekPage":         from(views.StoreWeekPage),
	"ExtendPage":            from(views.ExtendPage),
	"StoreFormPage":         from(views.StoreFormPage),
	"StorePage":             from(views.StorePage),
	"StoresPage":            from(views.StoresPage),
	"OrderEditPage":         from(views.OrderEditPage),
	"OrderReturnPage":       from(views.OrderReturnPage),
	"TimelinePage":          from(views.TimelinePage),
	"TodayPage":             from(views.TodayPage),
	"UndoPage":              from(views.UndoPage),
	"UserPage":              from(views.UserPage),
	"UsersPage":             from(views.UsersPage),
	"PastMomentPage":        from(views.PastMomentPage),
	"WarehousePage":         from(views.WarehousePage),
	"WarehousesPage":        from(views.WarehousesPage),
}

// from returns a function that fills and renders a page. The argument component is the
// function that makes the page's component, such as views.OrderPage. It is called by
// reflection, because the compiler would compile a generic function once for each page.
func from(component any) func(fill func(any)) templ.Component {
	render := reflect.ValueOf(component)
	return func(fill func(any)) templ.Component {
		page := reflect.New(render.Type().In(0))
		fill(page.Interface())
		return render.Call([]reflect.Value{page.Elem()})[0].Interface().(templ.Component)
	}
}

// editPage fills the form, and sets its paths to paths of this site.
func editPage(fill func(any)) templ.Component {
	var p views.Edit
	fill(&p)
	p.List = "/products"
	if p.Path = ""; len(p.Fields) > 0 {
		p.Path = views.ProductPath(p.Name)
	}
	if p.Other.Path != "" {
		p.Other.Path = views.ProductPath(p.Name)
	}
	return views.EditPage(p)
}

// archivePage fills the form, and sets its path to a path of this site.
func archivePage(fill func(any)) templ.Component {
	var p views.Archive
	fill(&p)
	p.Path = views.ProductPath(p.Name)
	return views.ArchivePage(p)
}

// notePage fills the form, and sets the paths of its record to paths of this site.
func notePage(fill func(any)) templ.Component {
	var p views.Note
	fill(&p)
	p.On = views.NotedStock(p.On.ID, p.On.ListName)
	return views.NotePage(p)
}

func TestPages_AreAllTested(t *testing.T) {
	templates, err := filepath.Glob("*.templ")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, name := range templates {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`(?m)^templ (\w+Page)\(`).FindAllStringSubmatch(string(source), -1) {
			declared++
			if pages[match[1]] == nil {
				t.Errorf("got no %s of %s in pages, want it", match[1], name)
			}
		}
	}
	if declared != len(pages) {
		t.Errorf("got %d tested pages, want %d", len(pages), declared)
	}
}

// filler fills the struct of a page. It sets all string fields, at any depth, to the
// same string.
type filler struct {
	text  string
	flags bool
	rows  int // number of rows in each list
}

var someDay = time.Date(2026, 11, 20, 13, 6, 0, 0, time.UTC)

func (f filler) fill(page any) { f.value(reflect.ValueOf(page).Elem()) }

func (f filler) value(v reflect.Value) {
	switch v.Interface().(type) {
	case store.Amount:
		v.Set(reflect.ValueOf(store.MinorUnits(-123456)))
		return
	case store.Sum:
		v.Set(reflect.ValueOf(store.MinorUnits(-123456).Sum()))
		return
	case time.Time:
		v.Set(reflect.ValueOf(someDay))
		return
	case *time.Location:
		return
	case *store.Pattern:
		v.Set(reflect.ValueOf(&store.Patterns[0]))
		return
	case store.Item:
		text := &types.AttributeValueMemberS{Value: f.text}
		v.Set(reflect.ValueOf(store.Item{"PK": text, f.text: &types.AttributeValueMemberM{Value: store.Item{f.text: text}}}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Bool:
		v.SetBool(f.flags)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.value(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.rows, f.rows))
		for i := range f.rows {
			f.value(v.Index(i))
			if field, ok := v.Index(i).Addr().Interface().(*views.EditField); ok { // names of fields must be unique on a page
				field.Spec.Name += strconv.Itoa(i)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // pages cannot show unexported fields
				f.value(v.Field(i))
			}
		}
	}
}

// everyPage runs a test on every page: with and without rows, and with all flags on
// and off.
func everyPage(t *testing.T, text string, test func(t *testing.T, page node)) {
	for name, page := range pages {
		for variant, f := range map[string]filler{
			"full":  {text: text, flags: true, rows: 2},
			"other": {text: text, rows: 1},
			"empty": {text: text},
		} {
			t.Run(name+"/"+variant, func(t *testing.T) { test(t, rendered(t, page(f.fill))) })
		}
	}
}
