package demo

import "strings"

// country contains names and places of a country. Names are spelled as in the country. If
// email addresses spell a name differently, their spelling follows the name after a slash.
type country struct {
	name        string
	code        string // country code of phone numbers
	familyFirst bool
	separator   string // separator between family and given name; "" in some scripts
	given       []string
	family      []string
	places      []string // places, each with city, county and postal code
	streets     []string
	share       int // percentage of the customers
}

func names(line string) []string { return strings.Fields(line) }

var countries = []country{
	{
		name: "Sweden", code: "+46 70 ", separator: " ", share: 16,
		given:  names("Åsa/asa Elin Björn/bjorn Maja Lars Märta/marta Nils Ebba Örjan/orjan Signe Håkan/hakan Alva"),
		family: names("Lindqvist Öberg/oberg Åkesson/akesson Nyström/nystrom Dahl Sjöberg/sjoberg Ekman Wallin Forsgren Hägg/hagg"),
		places: []string{"Stockholm, Stockholm, 114 55", "Göteborg, Västra Götaland, 411 11", "Malmö, Skåne, 211 20", "Umeå, Västerbotten, 903 26"}, streets: []string{"Storgatan", "Ängsvägen", "Kyrkogatan", "Slånbärsvägen"},
	},
	{
		name: "Denmark", code: "+45 20 ", separator: " ", share: 8,
		given:  names("Søren/soren Mette Jens Freja Bjørn/bjorn Karen Anders Sofie Åge/age Ida"),
		family: names("Jensen Sørensen/soerensen Nielsen Østergaard/oestergaard Møller/moeller Kjær/kjaer Holm Bæk/baek"),
		places: []string{"København, Hovedstaden, 1050", "Aarhus, Midtjylland, 8000", "Odense, Syddanmark, 5000"}, streets: []string{"Østergade", "Nørregade", "Skovvej"},
	},
	{
		name: "Germany", code: "+49 151 ", separator: " ", share: 14,
		given:  names("Jürgen/juergen Anna Lukas Käthe/kaethe Jonas Greta Björn/bjoern Mia Sören/soeren Lena Felix Ruth"),
		family: names("Weber Groß/gross Müller/mueller Schäfer/schaefer Vogel Köhler/koehler Lehmann Strauß/strauss Brandt Jäger/jaeger"),
		places: []string{"Berlin, Berlin, 10115", "München, Bayern, 80331", "Köln, Nordrhein-Westfalen, 50667", "Leipzig, Sachsen, 04109"}, streets: []string{"Hauptstraße", "Lindenallee", "Am Mühlbach", "Gartenweg"},
	},
	{
		name: "France", code: "+33 6 ", separator: " ", share: 10,
		given:  names("Zoé/zoe Lucas Hélène/helene François/francois Inès/ines Louis Chloé/chloe Théo/theo Margaux Rémi/remi"),
		family: names("Moreau Lefèvre/lefevre Garnier Bérard/berard Dupont Rousseau Chevalier Noël/noel D’Aubigné/daubigne"),
		places: []string{"Paris, Île-de-France, 75011", "Lyon, Auvergne-Rhône-Alpes, 69002", "Nantes, Pays de la Loire, 44000"}, streets: []string{"Rue de l’Église", "Avenue des Tilleuls", "Quai de Loire"},
	},
	{
		name: "Spain", code: "+34 6 ", separator: " ", share: 7,
		given:  names("Lucía/lucia Íñigo/inigo María/maria José/jose Begoña/begona Javier Martín/martin Inés/ines Ramón/ramon"),
		family: names("García/garcia Núñez/nunez Ibáñez/ibanez Muñoz/munoz Castro Peña/pena Ortega Vázquez/vazquez"),
		places: []string{"Madrid, Madrid, 28013", "Sevilla, Andalucía, 41001", "A Coruña, Galicia, 15001"}, streets: []string{"Calle Mayor", "Paseo del Río", "Plaza de España"},
	},
	{
		name: "Poland", code: "+48 60 ", separator: " ", share: 7,
		given:  names("Łukasz/lukasz Zofia Michał/michal Małgorzata/malgorzata Paweł/pawel Żaneta/zaneta Jan Kasia Stanisław/stanislaw"),
		family: names("Nowak Wiśniewska/wisniewska Zieliński/zielinski Dąbrowski/dabrowski Król/krol Śliwa/sliwa Gołąb/golab"),
		places: []string{"Warszawa, Mazowieckie, 00-001", "Kraków, Małopolskie, 30-001", "Gdańsk, Pomorskie, 80-001"}, streets: []string{"ulica Długa", "ulica Polna", "aleja Róż"},
	},
	{
		name: "United Kingdom", code: "+44 7700 ", separator: " ", share: 8,
		given:  names("Maria James Olivia Siân/sian Callum Aoife Harry Priya Grace Oluwaseun"),
		family: names("Smith O’Brien/obrien MacLeod Patel Okafor Jones Taylor Stokes Sinclair Khan"),
		places: []string{"London, Greater London, N1 7AA", "Edinburgh, City of Edinburgh, EH1 1YZ", "Bristol, Bristol, BS1 4DJ"}, streets: []string{"High Street", "Mill Lane", "Station Road"},
	},
	{
		name: "United States", code: "+1 206 555 ", separator: " ", share: 6,
		given:  names("Noah Emma Liam Ava Mateo Harper Jayden Sofia Wyatt"),
		family: names("Johnson Nguyen Martinez Anderson Washington Cohen Lee Kowalski"),
		places: []string{"Seattle, Washington, 98101", "Portland, Maine, 04101", "Austin, Texas, 78701"}, streets: []string{"Maple Street", "2nd Avenue", "Lakeview Drive"},
	},
	{
		name: "Greece", code: "+30 69 ", separator: " ", share: 3,
		given:  names("Ελένη/eleni Γιώργος/giorgos Μαρία/maria Νίκος/nikos Δήμητρα/dimitra Ιωάννης/ioannis"),
		family: names("Παπαδοπούλου/papadopoulou Νικολάου/nikolaou Οικονόμου/oikonomou Αγγελής/angelis"),
		places: []string{"Αθήνα, Αττική, 105 57", "Θεσσαλονίκη, Κεντρική Μακεδονία, 546 24"}, streets: []string{"Ερμού", "Αθηνάς"},
	},
	{
		name: "Ukraine", code: "+380 67 ", separator: " ", share: 3,
		given:  names("Олена/olena Йосип/yosyp Юлія/yuliia Тарас/taras Їванна/ivanna Андрій/andrii"),
		family: names("Шевченко/shevchenko Коваль/koval Мельник/melnyk Ґудзь/gudz"),
		places: []string{"Київ, Київ, 01001", "Львів, Львівська область, 79000"}, streets: []string{"вулиця Садова", "проспект Свободи"},
	},
	{
		name: "Türkiye", code: "+90 532 ", separator: " ", share: 3,
		given:  names("İpek/ipek Çağla/cagla Işık/isik Oğuz/oguz Şule/sule Emre"),
		family: names("Yılmaz/yilmaz Öztürk/ozturk Çelik/celik Şahin/sahin"),
		places: []string{"İstanbul, İstanbul, 34000", "İzmir, İzmir, 35000"}, streets: []string{"Atatürk Caddesi", "Gül Sokak"},
	},
	{
		name: "Egypt", code: "+20 10 ", separator: " ", share: 2,
		given:  names("محمد/mohamed فاطمة/fatima أحمد/ahmed نور/nour يوسف/youssef"),
		family: names("حسن/hassan السيد/elsayed إبراهيم/ibrahim منصور/mansour"),
		places: []string{"القاهرة, القاهرة, 11511", "الإسكندرية, الإسكندرية, 21500"}, streets: []string{"شارع النيل", "شارع الحرية"},
	},
	{
		name: "Israel", code: "+972 52 ", separator: " ", share: 2,
		given:  names("נועה/noa דוד/david תמר/tamar יעקב/yaakov"),
		family: names("כהן/cohen לוי/levi מזרחי/mizrahi פרידמן/friedman"),
		places: []string{"תל אביב, תל אביב, 6100000"}, streets: []string{"רחוב הרצל", "שדרות רוטשילד"},
	},
	{
		name: "India", code: "+91 98 ", separator: " ", share: 3,
		given:  names("प्रिया/priya अर्जुन/arjun सीता/sita विक्रम/vikram अनन्या/ananya"),
		family: names("शर्मा/sharma सिंह/singh वर्मा/verma गुप्ता/gupta"),
		places: []string{"मुंबई, महाराष्ट्र, 400001", "दिल्ली, दिल्ली, 110001"}, streets: []string{"गांधी मार्ग", "नेहरू पथ"},
	},
	{
		name: "China", code: "+86 138 ", familyFirst: true, share: 3,
		given:  names("伟/wei 芳/fang 秀英/xiuying 小明/xiaoming 丽娜/lina"),
		family: names("王/wang 李/li 张/zhang 欧阳/ouyang 陈/chen"),
		places: []string{"上海市, 上海, 200001", "成都市, 四川, 610000"}, streets: []string{"南京路", "人民路"},
	},
	{
		name: "Japan", code: "+81 90 ", familyFirst: true, separator: " ", share: 3,
		given:  names("葵/aoi さくら/sakura 健太/kenta ユキ/yuki 大輔/daisuke"),
		family: names("佐藤/sato 鈴木/suzuki 高橋/takahashi 渡辺/watanabe"),
		places: []string{"大阪市, 大阪府, 530-0001", "札幌市, 北海道, 060-0001"}, streets: []string{"中央通り", "桜通り"},
	},
	{
		name: "South Korea", code: "+82 10 ", familyFirst: true, share: 2,
		given:  names("민준/minjun 서연/seoyeon 지우/jiwoo 하은/haeun"),
		family: names("김/kim 이/lee 박/park 최/choi"),
		places: []string{"서울특별시, 서울, 04524", "부산광역시, 부산, 48058"}, streets: []string{"세종대로", "해운대로"},
	},
}
