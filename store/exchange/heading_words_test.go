package exchange_test

import (
	"regexp"
	"strings"
	"testing"
)

// headings lists column headings of other programs, by file. Each heading is followed by
// the attribute that a suggested mapping must choose for it.
var headings = map[string][][2]string{
	"Customers.csv": {
		{"Customer No.", "CustomerID"},
		{"Company", "Name"},
		{"E-mail address", "Email"},
		{"Phone number", "Phones"},
		{"Street address", "Address.Street"},
		{"Zip", "Address.ZipCode"},
		{"Town", "Address.City"},
		{"State", "Address.County"},
		{"Country", "Address.Country"},
		{"Sales rep", "AccountRepID"},
		{"Customer since", "Created"},
	},
	"Kunden.csv": {
		{"Kundennr", "CustomerID"},
		{"Firma", "Name"},
		{"E-Mail", "Email"},
		{"Telefon", "Phones"},
		{"Straße", "Address.Street"},
		{"Hausnr.", "Address.Number"},
		{"PLZ", "Address.ZipCode"},
		{"Ort", "Address.City"},
		{"Bundesland", "Address.County"},
		{"Land", "Address.Country"},
		{"Vertreter", "AccountRepID"},
	},
	"clients.csv": {
		{"N° client", "CustomerID"},
		{"Société", "Name"},
		{"Courriel", "Email"},
		{"Téléphone", "Phones"},
		{"Adresse", "Address.Street"},
		{"Code postal", "Address.ZipCode"},
		{"Ville", "Address.City"},
		{"Pays", "Address.Country"},
	},
	"clientes.csv": {
		{"Código de cliente", "CustomerID"},
		{"Nombre", "Name"},
		{"Correo electrónico", "Email"},
		{"Teléfono", "Phones"},
		{"Dirección", "Address.Street"},
		{"Código postal", "Address.ZipCode"},
		{"Ciudad", "Address.City"},
		{"Provincia", "Address.County"},
		{"País", "Address.Country"},
	},
	"Products.csv": {{"Item no", "ProductID"}, {"Product name", "Detail.Name"}, {"Unit price", "Price"}, {"Barcode", ""}, {"Type", "Category"}},
	"Preisliste.csv": {
		{"Artikelnummer", "ProductID"},
		{"Bezeichnung", "Detail.Name"},
		{"Beschreibung", "Detail.Description"},
		{"Verkaufspreis", "Price"},
		{"EAN", ""},
		{"Warengruppe", "Category"},
		{"Gewicht", "Weight"},
	},
	"produits.csv":  {{"Référence produit", ""}, {"Réf. article", "ProductID"}, {"Désignation", "Detail.Name"}, {"Prix unitaire", "Price"}, {"Catégorie", "Category"}, {"Poids", "Weight"}},
	"productos.csv": {{"Código", "ProductID"}, {"Nombre del producto", "Detail.Name"}, {"Descripción", "Detail.Description"}, {"Precio unitario", "Price"}, {"Categoría", "Category"}},
	"Orders.csv": {
		{"Order number", "OrderID"},
		{"Client no", "CustomerID"},
		{"Order date", "Date"},
		{"Order status", "Status"},
		{"Order total", "Total"},
		{"Ship to", "ShipTo.Street"},
		{"Ship zip", "ShipTo.ZipCode"},
		{"Ship city", "ShipTo.City"},
	},
	"Bestellungen.csv": {
		{"Bestellnr.", "OrderID"},
		{"Kundennummer", "CustomerID"},
		{"Bestelldatum", "Date"},
		{"Bestellstatus", "Status"},
		{"Gesamtbetrag", "Total"},
		{"Lieferadresse", "ShipTo.Street"},
		{"Liefer-PLZ", "ShipTo.ZipCode"},
		{"Lieferort", "ShipTo.City"},
		{"Lieferland", "ShipTo.Country"},
	},
	"commandes.csv":         {{"N° de commande", "OrderID"}, {"N° client", "CustomerID"}, {"Date de commande", "Date"}, {"Statut", "Status"}, {"Montant total", "Total"}, {"Adresse de livraison", "ShipTo.Street"}},
	"pedidos.csv":           {{"Nº pedido", "OrderID"}, {"Cliente", "CustomerID"}, {"Fecha de pedido", "Date"}, {"Estado", "Status"}, {"Importe", "Total"}, {"Dirección de envío", "ShipTo.Street"}},
	"Order lines.csv":       {{"Order no", "OrderID"}, {"Item", "ProductID"}, {"Qty", "Quantity"}, {"Price each", "Price"}},
	"Bestellpositionen.csv": {{"Auftragsnr", "OrderID"}, {"Artikelnr", "ProductID"}, {"Menge", "Quantity"}, {"Einzelpreis", "Price"}},
	"lignes commande.csv":   {{"Numéro commande", "OrderID"}, {"Article", "ProductID"}, {"Qté", "Quantity"}, {"Prix unitaire", "Price"}},
	"Rechnungen.csv":        {{"Auftrag", "OrderID"}, {"Rechnungsnr", "InvoiceID"}, {"Kunde", "CustomerID"}, {"Rechnungsdatum", "Date"}, {"Fälligkeitsdatum", "DueDate"}, {"Betrag", "Amount"}},
	"Mitarbeiter.csv":       {{"Personalnummer", "EmployeeID"}, {"Name", "Name"}, {"Eintrittsdatum", "HireDate"}, {"Funktion", "JobTitle"}, {"Vorgesetzter", "ManagerID"}},
}

// TestSuggest_LeavesOutBarcodes suggests mappings for products with barcodes. A barcode
// must show that the file contains products, but must not become the SKU.
func TestSuggest_LeavesOutBarcodes(t *testing.T) {
	for _, heading := range []string{"EAN", "EAN-Code", "Barcode", "GTIN", "ISBN", "EAN13", "EAN 13", "ISBN-10", "GTIN14", "UPC"} {
		got := suggest(t, newFile("list.csv", heading+";Product ID;Name;Price\n4006381333931;1;Lamp;5,50\n"))
		wantLines(t, got, "entity: products # unsure: guessed from the columns and the file name", "- "+heading+" # such as 4006381333931")
	}
	got := suggest(t, newFile("list.csv", "EAN;SKU;Product ID;Name;Price\n4006381333931;L-1;1;Lamp;5,50\n"))
	wantLines(t, got, "SKU: SKU", "- EAN # such as 4006381333931")
}

// TestSuggest_KnowsOrdinaryHeadings checks the suggested mappings for files with ordinary
// headings in four languages.
func TestSuggest_KnowsOrdinaryHeadings(t *testing.T) {
	values := map[string]string{
		"Date": "21.11.2026", "DueDate": "21.12.2026", "HireDate": "01.02.2020", "Created": "01.02.2020", "Price": "5,50", "Total": "5,50", "Amount": "5,50", "Quantity": "2", "Weight": "300",
		"Email": "kim@example.com", "Status": "neu",
	}
	tested := 0
	for name, columns := range headings {
		var header, row []string
		for _, c := range columns {
			header, row = append(header, c[0]), append(row, "x"+values[c[1]])
			if values[c[1]] != "" {
				row[len(row)-1] = values[c[1]]
			}
		}
		got := suggest(t, newFile(name, strings.Join(header, ";")+"\n"+strings.Join(row, ";")+"\n"))
		for _, c := range columns {
			if c[1] == "" {
				continue
			}
			tested++
			if line := regexp.MustCompile(`(?m)^ *"?` + regexp.QuoteMeta(c[0]) + `"?: (\{to: )?` + regexp.QuoteMeta(c[1]) + `\b`); c[0] != c[1] && !line.MatchString(got) {
				t.Errorf("%s: got no %s for %q, want it in\n%s", name, c[1], c[0], got)
			}
		}
	}
	if tested < 100 {
		t.Errorf("got %d headings, want at least 100", tested)
	}
	got := suggest(t, newFile("Kunden.csv", "Kundennr;Vorname;Nachname\n1;Anna;Müller\n"), newFile("client.csv", "N° client;Nom;Prénom;Courriel\n1;Roux;Anne;a@example.fr\n"),
		newFile("Bestellungen.csv", "Bestellnr;Kundennr;Datum;Status;Betrag\n1;1;21.11.2026;offen;5,50\n2;1;21.11.2026;versandt;5,50\n3;1;21.11.2026;storniert;5,50\n"))
	wantLines(t, got, "Name: {columns: [Vorname, Nachname]}", "Name: {columns: [Prénom, Nom]}")
	for _, value := range []string{"offen: OPEN", "versandt: SHIPPED", "storniert: CANCELLED"} {
		if !strings.Contains(got, value) {
			t.Errorf("got no %q, want it in\n%s", value, got)
		}
	}
}
