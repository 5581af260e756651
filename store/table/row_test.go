package table

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/row"
)

// TestRows_DecodeLikeItems decodes items with random changes, as items and as rows. The
// entities and the errors must be equal. Enough of the items must be damaged.
func TestRows_DecodeLikeItems(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{AttrPK, "Name", "Length", "Berths", "Price", "Built", "Seen", AttrTTL, "Afloat", "Ports", "Home", "Crew", AttrVersion, "Unknown"}
	failed := 0
	for range 20_000 {
		item, err := boats.Encode(newBoat(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for range random.IntN(3) {
			name := names[random.IntN(len(names))]
			if item[name] = randomValue(random, 3); random.IntN(4) == 0 {
				delete(item, name)
			}
		}
		stored := storedRow(row.Of(item))
		want, wantErr := boats.Decode(item)
		got, err := boats.DecodeRow(&stored)
		if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v: got %+v, %v; want %+v, %v", item, got, err, want, wantErr)
		}
		if !reflect.DeepEqual(stored.Item(), item) {
			t.Fatalf("got item %v, want %v", stored.Item(), item)
		}
		if err != nil {
			failed++
		}
		for _, name := range names {
			if stored.Has(name) != RowOf(item).Has(name) || stored.Text(name) != RowOf(item).Text(name) {
				t.Fatalf("%v: %s differs", item, name)
			}
		}
	}
	if failed < 1000 {
		t.Errorf("got %d damaged items, want at least 1000", failed)
	}
}

func randomValue(random *rand.Rand, depth int) types.AttributeValue {
	texts := []string{"", "7", "-3", "2026-11-22", "2026-11-22T10:30:00Z", "Vega", "99999999"}
	text := func() string { return texts[random.IntN(len(texts))] }
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch random.IntN(kinds) {
	case 0, 1:
		return StringValue(text())
	case 2:
		return NumberValue(text())
	case 3:
		return &types.AttributeValueMemberBOOL{Value: random.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberSS{Value: []string{text(), text()}}
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{"1", "2"}}
	case 7:
		if random.IntN(2) == 0 {
			return &types.AttributeValueMemberB{Value: []byte(text())}
		}
		return &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}}
	case 8:
		list := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for range random.IntN(4) {
			list.Value = append(list.Value, randomValue(random, depth-1))
		}
		return list
	}
	group := &types.AttributeValueMemberM{Value: Item{}}
	for _, name := range []string{"City", "Name", "Other"} {
		if random.IntN(2) == 0 {
			group.Value[name] = randomValue(random, depth-1)
		}
	}
	return group
}
