package exchange

import (
	"regexp"
	"strings"

	"stockroom/store/key"
)

// Words in headings, file names and statuses of other programs. Each map has folded words
// (see key.Fold), with Stockroom's words for them. To support another heading, add its word
// here, or add a phrase to columnPhrases.

// english maps further English words to Stockroom's words.
var english = map[string]string{
	"client": "customer", "buyer": "customer", "cust": "customer", "company": "customer",
	"article": "product", "item": "product", "goods": "product", "prod": "product", "pricelist": "product",
	"staff": "employee", "worker": "employee", "emp": "employee",
	"sale": "order", "purchase": "order",
	"detail": "line", "position": "line",
	"depot": "warehouse", "bill": "invoice", "parcel": "shipment", "delivery": "shipment",
	"nr": "id", "no": "id", "number": "id", "num": "id", "key": "id", "code": "id",
	"qty": "quantity", "units": "quantity", "onhand": "quantity", "count": "quantity", "instock": "quantity",
	"mail": "email", "tel": "phone", "telephone": "phone", "mobile": "phone", "fax": "phone", "cell": "phone",
	"zip": "zipcode", "postal": "zipcode", "postcode": "zipcode",
	"state": "county", "province": "county", "region": "county", "town": "city", "nation": "country",
	"desc": "description", "group": "category", "cost": "price", "sum": "total", "amount": "total",
	"ean": "sku", "isbn": "sku", "gtin": "sku", "barcode": "sku", "hired": "hire", "joined": "hire", "freight": "shipping",
	"dob": "birth", "bought": "quantity", "ordered": "date", "day": "date", "time": "date", "when": "date",
	"registered": "created", "signup": "created",
	"of": "", "the": "",
}

var barcodes = regexp.MustCompile(`(?i)(^|[^a-z])(ean|gtin|isbn|upc)(code)?([^a-z]|$)|barcode`)

// isBarcode reports whether a heading names a barcode, such as an EAN. Such a column shows
// that a file contains products, but a barcode is not an SKU.
func isBarcode(heading string) bool {
	return barcodes.MatchString(heading) && !strings.Contains(strings.ToLower(heading), "sku")
}

// german maps German words to Stockroom's words. The German words also match as parts of
// compounds, such as Bestelldatum.
var german = map[string]string{
	"kunde": "customer", "kunden": "customer", "firma": "customer", "artikel": "product", "produkt": "product", "produkte": "product", "ware": "product", "waren": "product",
	"preisliste": "product", "mitarbeiter": "employee", "personalnummer": "employee id", "personalnr": "employee id", "lieferant": "supplier",
	"bestellung": "order", "bestellungen": "order", "bestell": "order", "auftrag": "order", "auftrage": "order",
	"rechnung": "invoice", "rechnungen": "invoice", "sendung": "shipment", "sendungen": "shipment", "lieferung": "shipment", "lieferungen": "shipment",
	"liefer": "ship", "versand": "ship", "positionen": "line", "pos": "line", "posten": "line",
	"nummer": "id", "kennung": "id", "kurzel": "id",
	"menge": "quantity", "anzahl": "quantity", "stuck": "quantity", "stuckzahl": "quantity", "stk": "quantity", "bestand": "stock", "lagerbestand": "stock",
	"mindestbestand": "minimum stock", "meldebestand": "reorder point", "lager": "warehouse", "lagerort": "bin", "lagerplatz": "bin", "regal": "bin", "fach": "bin",
	"preis": "price", "preise": "price", "einzel": "unit", "stuckpreis": "unit price", "verkaufspreis": "price", "netto": "", "brutto": "", "listen": "list", "vk": "price",
	"betrag": "total", "summe": "total", "gesamt": "total", "gesamtbetrag": "total", "gesamtsumme": "total", "gesamtpreis": "total", "rabatt": "discount", "steuersatz": "tax rate",
	"datum": "date", "fallig": "due", "falligkeit": "due", "falligkeits": "due", "angelegt": "created", "erstellt": "created",
	"bezeichnung": "name", "titel": "name", "beschreibung": "description", "kategorie": "category", "gruppe": "category", "warengruppe": "category", "gewicht": "weight",
	"vorname": "first name", "nachname": "last name", "familienname": "last name", "zuname": "last name",
	"strasse": "street", "str": "street", "adresse": "address", "anschrift": "address", "hausnummer": "house number", "hausnr": "house number",
	"plz": "zipcode", "postleitzahl": "zipcode", "ort": "city", "stadt": "city", "wohnort": "city", "land": "country", "bundesland": "county",
	"telefon": "phone", "handy": "phone", "mobil": "phone", "mobiltelefon": "phone", "zustand": "status",
	"abteilung": "department", "abteilungs": "department", "standort": "location", "stelle": "job", "beruf": "job title", "funktion": "job title", "vorgesetzter": "manager", "chef": "manager",
	"einstellungsdatum": "hire date", "eintrittsdatum": "hire date", "eintritt": "hire date", "vertreter": "sales rep", "verkaufer": "sales rep", "betreuer": "sales rep", "kundenbetreuer": "sales rep",
	"spediteur": "carrier", "paketdienst": "carrier", "versanddienst": "carrier", "sendungsnummer": "tracking number", "sendungsverfolgung": "tracking number",
	"der": "", "die": "", "das": "", "und": "",
}

var french = map[string]string{
	"produit": "product", "tarif": "price", "commande": "order", "facture": "invoice", "livraison": "ship", "expedition": "ship", "ligne": "line",
	"numero": "id", "n": "id", "ref": "id", "identifiant": "id",
	"quantite": "quantity", "qte": "quantity", "prix": "price", "unitaire": "unit", "montant": "total", "remise": "discount",
	"designation": "name", "libelle": "name", "intitule": "name", "nom": "name", "prenom": "first name", "societe": "customer", "entreprise": "customer",
	"rue": "street", "adresse": "address", "cp": "zipcode", "ville": "city", "localite": "city", "pays": "country", "departement": "department",
	"portable": "phone", "courriel": "email", "mel": "email", "statut": "status", "etat": "status", "categorie": "category", "famille": "category", "poids": "weight",
	"entrepot": "warehouse", "employe": "employee", "salarie": "employee", "poste": "job title", "embauche": "hire", "echeance": "due", "transporteur": "carrier", "suivi": "tracking",
	"vendeur": "sales rep", "creation": "created", "mini": "minimum",
	"de": "", "du": "", "des": "", "d": "", "la": "", "le": "", "les": "", "l": "", "et": "",
}

var spanish = map[string]string{
	"cliente": "customer", "pedido": "order", "orden": "order", "factura": "invoice", "producto": "product", "articulo": "product", "linea": "line", "envio": "ship", "entrega": "ship",
	"codigo": "id", "nº": "id", "fecha": "date", "cantidad": "quantity", "cant": "quantity", "unidade": "quantity", "unidades": "quantity", "existencia": "stock", "existencias": "stock",
	"precio": "price", "unitario": "unit", "importe": "total", "monto": "total", "descuento": "discount", "descripcion": "description",
	"nombre": "name", "apellido": "last name", "empresa": "customer", "direccion": "address", "calle": "street",
	"ciudad": "city", "poblacion": "city", "localidad": "city", "pais": "country", "provincia": "county", "telefono": "phone", "movil": "phone", "correo": "email", "electronico": "",
	"estado": "status", "categoria": "category", "familia": "category", "peso": "weight", "almacen": "warehouse", "empleado": "employee", "puesto": "job title", "cargo": "job title",
	"contratacion": "hire", "vencimiento": "due", "transportista": "carrier", "seguimiento": "tracking", "vendedor": "sales rep", "minimo": "minimum", "alta": "created",
	"el": "", "los": "", "las": "", "del": "",
}

var statusWords = map[string]string{
	"complete": "DELIVERED", "completed": "DELIVERED", "done": "DELIVERED", "closed": "DELIVERED", "sent": "SHIPPED", "new": "OPEN", "pending": "OPEN",
	"processing": "OPEN", "canceled": "CANCELLED", "void": "VOID", "due": "UNPAID", "refund": "REFUNDED",
	"offen": "OPEN", "neu": "OPEN", "bearbeitung": "OPEN", "bezahlt": "PAID", "unbezahlt": "UNPAID", "teilbezahlt": "PARTIAL", "versendet": "SHIPPED", "versandt": "SHIPPED", "verschickt": "SHIPPED",
	"geliefert": "DELIVERED", "zugestellt": "DELIVERED", "abgeschlossen": "DELIVERED", "erledigt": "DELIVERED", "storniert": "CANCELLED", "retourniert": "RETURNED", "erstattet": "REFUNDED", "aktiv": "ACTIVE",
	"ouverte": "OPEN", "nouvelle": "OPEN", "payee": "PAID", "expediee": "SHIPPED", "livree": "DELIVERED", "annulee": "CANCELLED", "retournee": "RETURNED", "remboursee": "REFUNDED",
	"abierto": "OPEN", "pendiente": "OPEN", "nuevo": "OPEN", "pagado": "PAID", "enviado": "SHIPPED", "entregado": "DELIVERED", "cancelado": "CANCELLED", "anulado": "CANCELLED", "devuelto": "RETURNED",
}

// translated returns Stockroom's words for a word in lower case. The result found is
// false if the word is unknown.
func translated(word string) (words string, found bool) {
	if words, found = english[word]; found {
		return words, true
	}
	folded := key.Fold(word)
	for _, form := range []string{folded, umlauts.Replace(folded), strings.TrimSuffix(folded, "s")} {
		for _, language := range []map[string]string{english, german, french, spanish} {
			if words, found = language[form]; found {
				return inEnglish(words), true
			}
		}
	}
	if words, found = compound(umlauts.Replace(folded)); !found && barcodes.MatchString(folded) { // such as EAN13
		return "sku", true
	}
	return inEnglish(words), found
}

// inEnglish replaces the words that are in the map english with Stockroom's words, such
// as article with product. It keeps other words.
func inEnglish(words string) string {
	fields := strings.Fields(words)
	for i, word := range fields {
		if known, found := english[strings.TrimSuffix(word, "s")]; found {
			fields[i] = known
		} else if known, found := english[word]; found {
			fields[i] = known
		}
	}
	return strings.Join(fields, " ")
}

// umlauts replaces ae, oe and ue, which can stand for ä, ö and ü, with a, o and u.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// compound returns the words for the parts of a German compound, such as
// Rechnungsdatum. The result found is false if the word is not a compound of known
// words.
func compound(word string) (words string, found bool) {
	for i := 3; i < len(word)-1; i++ {
		first, isFirst := german[word[:i]]
		if !isFirst {
			first, isFirst = german[strings.TrimSuffix(word[:i], "s")]
		}
		second, isSecond := german[word[i:]]
		if !isSecond {
			second, isSecond = english[word[i:]]
		}
		if !isSecond && (word[i:] == "name" || word[i:] == "id" || word[i:] == "status") {
			second, isSecond = word[i:], true
		}
		if isFirst && isSecond {
			return first + " " + second, true
		}
	}
	return "", false
}
