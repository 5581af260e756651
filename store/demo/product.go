package demo

import (
	"fmt"

	"stockroom/store"
)

// category is a kind of goods: what they are, what they are like, what they
// are made of, and what they cost, in whole units of the currency.
type category struct {
	name, code        string
	things, materials []string
	low, high         int
}

// manners are what things of any kind may be like.
var manners = []string{"Low", "Tall", "Round", "Slim", "Folding", "Stacking", "Everyday", "Classic", "Compact", "Large"}

// The goods of a house for furniture and household things.
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

func (g *generator) makeProducts() {
	each := Products / len(categories)
	for _, c := range categories {
		named := map[string]bool{}
		for n := 0; n < each; {
			name := fmt.Sprintf("%s %s, %s", pick(g, manners), pick(g, c.things), pick(g, c.materials))
			if named[name] {
				continue
			}
			named[name] = true
			n++
			g.products = append(g.products, store.Product{
				ID: fmt.Sprint(firstProduct + len(g.products)), Name: name,
				Description: fmt.Sprintf("Made in small series. Delivered in %d to %d days.", n%3+2, n%3+5),
				Price:       g.price(c), SKU: fmt.Sprintf("%s-%03d", c.code, n*7), Category: c.name, Version: 1,
			})
		}
	}
	// What sells best is not what stands first in the catalogue.
	g.ShuffleAnySlice(g.products)
	for i := range g.products {
		g.add(&g.products[i])
	}
}

// price is one as shops write them, cheap things being the more numerous.
func (g *generator) price(c category) store.Amount {
	x := g.Float64Range(0, 1)
	units := int64(c.low) + int64(float64(c.high-c.low)*x*x)
	cents := []int64{0, 50, 90, 95}[g.IntRange(0, 3)]
	return store.MinorUnits(units*100 + cents)
}

// sites are the warehouses.
var sites = []store.Warehouse{
	{ID: "101", Name: "Göteborg", Address: store.Address{Country: "Sweden", County: "Västra Götaland", City: "Göteborg", Street: "Oljevägen", Number: "14", ZipCode: "418 78"}},
	{ID: "102", Name: "Aarhus", Address: store.Address{Country: "Denmark", County: "Midtjylland", City: "Aarhus", Street: "Sumatravej", Number: "3", ZipCode: "8000"}},
	{ID: "103", Name: "Hamburg", Address: store.Address{Country: "Germany", County: "Hamburg", City: "Hamburg", Street: "Am Sandtorkai", Number: "27", ZipCode: "20457"}},
	{ID: "104", Name: "Lille", Address: store.Address{Country: "France", County: "Hauts-de-France", City: "Lille", Street: "Rue de la Gare", Number: "81", ZipCode: "59000"}},
	{ID: "105", Name: "Łódź", Address: store.Address{Country: "Poland", County: "Łódzkie", City: "Łódź", Street: "Tymienieckiego", Number: "5", ZipCode: "90-365"}},
	{ID: "106", Name: "Zaragoza", Address: store.Address{Country: "Spain", County: "Aragón", City: "Zaragoza", Street: "Calle de Bari", Number: "40", ZipCode: "50197"}},
}

func (g *generator) makeWarehouses() {
	g.warehouses = append(g.warehouses, sites...)
	for i := range g.warehouses {
		g.warehouses[i].Version = 1
		g.add(&g.warehouses[i])
	}
}

// makeStock puts most goods into most warehouses. What sells well is kept in
// larger numbers; some of it runs low, and some has run out.
func (g *generator) makeStock() {
	for i, p := range g.products {
		usual := 12 + 160*(Products-i)/Products
		for n, w := range g.warehouses {
			if !g.chance(68) && n != i%Warehouses {
				continue
			}
			item := &store.WarehouseItem{
				ProductID: p.ID, WarehouseID: w.ID, Name: p.Name,
				Quantity: g.IntRange(usual/2, usual*2), ReorderPoint: usual / 4,
				Bin: fmt.Sprintf("%c-%02d-%d", 'A'+g.IntRange(0, 7), g.IntRange(1, 40), g.IntRange(1, 5)), Version: 1,
			}
			switch {
			case g.chance(2):
				item.Quantity = 0
			case g.chance(6):
				item.Quantity = g.IntRange(1, max(1, item.ReorderPoint))
			}
			g.stock[p.ID] = append(g.stock[p.ID], w.ID)
			g.add(item)
		}
	}
}
