package demo

import (
	"fmt"

	"stockroom/store"
)

// category contains words for product names, and the lowest and highest price in whole
// units of the currency.
type category struct {
	name, code        string
	things, materials []string
	low, high         int
}

// adjectives contains words for product names of all categories.
var adjectives = []string{"Low", "Tall", "Round", "Slim", "Folding", "Stacking", "Everyday", "Classic", "Compact", "Large"}

var categories = []category{
	{"Lamps", "LMP", []string{"desk lamp", "floor lamp", "pendant", "wall light", "lantern"}, []string{"brass", "opal glass", "paper", "black steel"}, 29, 349},
	{"Chairs", "CHR", []string{"dining chair", "armchair", "bar stool", "rocking chair", "bench"}, []string{"oak", "ash", "beech", "woven cord"}, 69, 590},
	{"Tables", "TBL", []string{"side table", "dining table", "desk", "console", "trestle"}, []string{"oak", "walnut", "linoleum", "birch"}, 119, 1490},
	{"Textiles", "TXT", []string{"cushion cover", "throw", "curtain", "table runner", "bedspread"}, []string{"linen", "wool", "cotton", "mohair"}, 19, 189},
	{"Rugs", "RUG", []string{"runner", "hall rug", "living-room rug", "kilim", "door mat"}, []string{"wool", "jute", "cotton", "coir"}, 25, 890},
	{"Tableware", "TAB", []string{"dinner plate", "bowl", "mug", "serving dish", "teapot"}, []string{"stoneware", "porcelain", "enamel", "earthenware"}, 9, 95},
	{"Glass", "GLS", []string{"tumbler", "carafe", "wine glass", "vase", "jar"}, []string{"clear", "smoke", "green", "ribbed"}, 7, 120},
	{"Cutlery", "CUT", []string{"fork set", "knife set", "spoon set", "serving set", "butter knife"}, []string{"steel", "brass", "olive wood", "horn"}, 12, 160},
	{"Cookware", "CKW", []string{"saucepan", "casserole", "frying pan", "kettle", "roasting tin"}, []string{"cast iron", "copper", "steel", "enamel"}, 24, 279},
	{"Storage", "STO", []string{"shelf", "cabinet", "basket", "crate", "hook rail"}, []string{"pine", "rattan", "powder-coated steel", "birch"}, 15, 690},
	{"Bedding", "BED", []string{"duvet cover", "pillowcase", "fitted sheet", "quilt", "pillow"}, []string{"percale", "linen", "flannel", "down"}, 18, 240},
	{"Bath", "BTH", []string{"towel", "bath mat", "soap dish", "mirror", "laundry bag"}, []string{"terry", "waffle", "cedar", "marble"}, 9, 180},
	{"Candles", "CND", []string{"candle holder", "taper candles", "tea-light holder", "candle snuffer", "scented candle"}, []string{"brass", "beeswax", "ceramic", "iron"}, 6, 69},
	{"Garden", "GRD", []string{"watering can", "planter", "garden chair", "bird table", "parasol"}, []string{"zinc", "terracotta", "teak", "canvas"}, 14, 420},
	{"Stationery", "STN", []string{"notebook", "desk pad", "pen tray", "calendar", "letter box"}, []string{"cloth", "felt", "leather", "recycled paper"}, 6, 75},
}

const firstProduct = 3001

func (g *generator) addProducts() {
	perCategory := g.size.Products / len(categories)
	for _, c := range categories {
		used := map[string]bool{}
		for n := 0; n < perCategory; {
			name := fmt.Sprintf("%s %s, %s", pick(g, adjectives), pick(g, c.things), pick(g, c.materials))
			if used[name] {
				continue
			}
			used[name] = true
			n++
			g.products = append(g.products, store.Product{
				ID: fmt.Sprint(firstProduct + len(g.products)), Name: name,
				Description: fmt.Sprintf("Made in small series. Delivered in %d to %d days.", n%3+2, n%3+5),
				Price:       g.price(c), SKU: fmt.Sprintf("%s-%03d", c.code, n*7), Category: c.name, Version: 1,
			})
		}
	}
	// The first products in g.products sell best. Shuffle the products, so that sales do
	// not depend on category or ID.
	g.random.Shuffle(len(g.products), func(i, j int) {
		g.products[i], g.products[j] = g.products[j], g.products[i]
	})
	for i := range g.products {
		g.add(&g.products[i])
	}
}

// price returns a price such as 19.95. Low prices are more likely than high ones.
func (g *generator) price(c category) store.Amount {
	x := g.floatBetween(0, 1)
	units := int64(c.low) + int64(float64(c.high-c.low)*x*x)
	cents := []int64{0, 50, 90, 95}[g.intBetween(0, 3)]
	return store.MinorUnits(units*100 + cents)
}

var warehouses = []store.Warehouse{
	{ID: "101", Name: "Göteborg", Address: store.Address{Country: "Sweden", County: "Västra Götaland", City: "Göteborg", Street: "Oljevägen", Number: "14", ZipCode: "418 78"}},
	{ID: "102", Name: "Aarhus", Address: store.Address{Country: "Denmark", County: "Midtjylland", City: "Aarhus", Street: "Sumatravej", Number: "3", ZipCode: "8000"}},
	{ID: "103", Name: "Hamburg", Address: store.Address{Country: "Germany", County: "Hamburg", City: "Hamburg", Street: "Am Sandtorkai", Number: "27", ZipCode: "20457"}},
	{ID: "104", Name: "Lille", Address: store.Address{Country: "France", County: "Hauts-de-France", City: "Lille", Street: "Rue de la Gare", Number: "81", ZipCode: "59000"}},
	{ID: "105", Name: "Łódź", Address: store.Address{Country: "Poland", County: "Łódzkie", City: "Łódź", Street: "Tymienieckiego", Number: "5", ZipCode: "90-365"}},
	{ID: "106", Name: "Zaragoza", Address: store.Address{Country: "Spain", County: "Aragón", City: "Zaragoza", Street: "Calle de Bari", Number: "40", ZipCode: "50197"}},
}

func (g *generator) addWarehouses() {
	g.warehouses = append(g.warehouses, warehouses...)
	for i := range g.warehouses {
		g.warehouses[i].Version = 1
		g.add(&g.warehouses[i])
	}
}

// addStock adds stock of most products in most warehouses. Products that sell well have
// larger quantities. Some stock is low or zero.
func (g *generator) addStock() {
	for i, p := range g.products {
		usual := 12 + 160*(len(g.products)-i)/len(g.products)
		for n, w := range g.warehouses {
			if !g.chance(68) && n != i%len(g.warehouses) {
				continue
			}
			item := &store.WarehouseItem{
				ProductID: p.ID, WarehouseID: w.ID, Name: p.Name,
				Quantity: g.intBetween(usual/2, usual*2), ReorderPoint: usual / 4,
				Bin: fmt.Sprintf("%c-%02d-%d", 'A'+g.intBetween(0, 7), g.intBetween(1, 40), g.intBetween(1, 5)), Version: 1,
			}
			switch {
			case g.chance(2):
				item.Quantity = 0
			case g.chance(6):
				item.Quantity = g.intBetween(1, max(1, item.ReorderPoint))
			}
			g.stock[p.ID] = append(g.stock[p.ID], w.ID)
			g.add(item)
		}
	}
}
