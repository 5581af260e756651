package table

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

type boat struct {
	ID      string
	Name    string
	Length  int
	Berths  int
	Price   string
	Built   time.Time
	Seen    time.Time
	Expires time.Time
	Afloat  bool
	Ports   []string
	Home    struct{ City string }
	Crew    []sailor
	Version int
}

type sailor struct{ Name string }

func (*boat) EntityType() string { return "boat" }

func (b *boat) KeyValue(name string) string {
	if name == "id" {
		return b.ID
	}
	return ""
}

func (b *boat) attributes(a *Attributes) {
	a.FromKey(AttrPK, "b#", &b.ID)
	a.Text("Name", &b.Name)
	a.Number("Length", &b.Length)
	a.OptionalNumber("Berths", &b.Berths)
	if a.Decoding() {
		b.Price = a.Read("Price")
	} else {
		a.WriteDecimal("Price", b.Price)
	}
	a.Date("Built", &b.Built)
	a.Time("Seen", &b.Seen)
	a.Seconds(AttrTTL, &b.Expires)
	a.Flag("Afloat", &b.Afloat)
	a.Texts("Ports", &b.Ports)
	a.Nested("Home", func(a *Attributes) { a.Text("City", &b.Home.City) })
	Slice(a, "Crew", &b.Crew, func(s *sailor, a *Attributes) { a.Text("Name", &s.Name) })
	a.Version(&b.Version)
}

var boats = NewSchema([]Definition{{
	Type:  "boat",
	Table: Keys{PK: key.Parse("b#${id}"), SK: key.Parse("b#${id}")},
	New:   func() Entity { return &boat{} },
	Codec: func(e Entity, a *Attributes) { e.(*boat).attributes(a) },
}}, nil)

func newBoat() *boat {
	at := time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)
	return &boat{
		ID: "1", Name: "Vega", Length: 7, Berths: 4, Price: "12.5", Built: at.Truncate(24 * time.Hour), Seen: at, Expires: at,
		Afloat: true, Ports: []string{"Aarhus", "Visby"}, Home: struct{ City string }{"Visby"},
		Crew: []sailor{{"Ann"}, {"Bo"}}, Version: 3,
	}
}

func TestAttributes_RoundTrip(t *testing.T) {
	for name, want := range map[string]*boat{"full": newBoat(), "empty": {ID: "1"}} {
		item, err := boats.Encode(want, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := boats.Decode(item)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v (%v), want %+v", name, got, err, want)
		}
		if diff := boats.Mismatch(item, got); diff != "" {
			t.Errorf("%s: got a different %s after the round trip, want the same", name, diff)
		}
	}
}

func TestAttributes_LeavesOutEmptyValues(t *testing.T) {
	item, err := boats.Encode(&boat{ID: "1"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name := range item {
		switch name {
		case AttrPK, AttrSK, AttrType, AttrVersion, "Length":
		default:
			t.Errorf("%s is written, want it left out", name)
		}
	}
}

func TestAttributes_ReportsDamage(t *testing.T) {
	for name, value := range map[string]types.AttributeValue{
		"Length": StringValue("1.5"),
		"Berths": StringValue("four"),
		"Seen":   StringValue("yesterday"),
		"Built":  StringValue("22/11/2026"),
		AttrTTL:  NumberValue("-1"),
	} {
		item, err := boats.Encode(newBoat(), 1)
		if err != nil {
			t.Fatal(err)
		}
		item[name] = value
		if _, err := boats.Decode(item); KindOf(err) != Damaged || !strings.Contains(err.Error(), "b#1 / b#1") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want Damaged with the key and the attribute", name, err)
		}
	}
}

func TestDefinition_Attributes(t *testing.T) {
	var got []string
	for _, a := range boats.Definitions[0].Attributes() {
		got = append(got, a.Name)
		for _, part := range a.Parts {
			got = append(got, a.Name+"."+part.Name)
		}
	}
	want := "Name Length Berths Price Built Seen TTL Afloat Ports Home Home.City Crew Crew.Name Version"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

func TestSchema_DecodeInto_OtherType(t *testing.T) {
	item, err := boats.Encode(newBoat(), 1)
	if err != nil {
		t.Fatal(err)
	}
	item[AttrType] = StringValue("plane")
	if err := boats.DecodeInto(RowOf(item), &boat{}); KindOf(err) != Damaged {
		t.Errorf("got %v, want Damaged", err)
	}
}
