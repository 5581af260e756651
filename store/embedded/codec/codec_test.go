package codec_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }

func everyType() codec.Item {
	return codec.Item{
		"PK":     s("o#1"),
		"empty":  s(""),
		"N":      n("-12.5"),
		"B":      &types.AttributeValueMemberB{Value: []byte{0, 1, 0xFF}},
		"yes":    &types.AttributeValueMemberBOOL{Value: true},
		"no":     &types.AttributeValueMemberBOOL{Value: false},
		"null":   &types.AttributeValueMemberNULL{Value: true},
		"SS":     &types.AttributeValueMemberSS{Value: []string{"b", "a"}},
		"NS":     &types.AttributeValueMemberNS{Value: []string{"1", "-2"}},
		"BS":     &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2, 3}}},
		"no one": &types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		"M": &types.AttributeValueMemberM{Value: codec.Item{
			"L":      &types.AttributeValueMemberL{Value: []types.AttributeValue{s("x"), n("1"), &types.AttributeValueMemberM{Value: codec.Item{}}}},
			"Länder": s("日本"),
		}},
		"long": s(strings.Repeat("ä", 5000)),
	}
}

func TestItem_RoundTrip(t *testing.T) {
	item := everyType()
	for _, names := range []*codec.Names{
		codec.NewNames(nil),
		codec.NewNames([]string{"M", "PK", "long"}),
		codec.NewNames(nil).With(codec.NewNames(nil).Missing(item)),
	} {
		t.Run(fmt.Sprint(names.Len(), " names"), func(t *testing.T) {
			body, err := names.Encode(nil, item)
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.NewDecoder(names).Item(body)
			if err != nil || !reflect.DeepEqual(got, item) {
				t.Errorf("got %v, error %v; want %v", got, err, item)
			}
			if size := codec.SizeOfStored(body); size != codec.SizeOf(item) {
				t.Errorf("SizeOfStored = %d, want %d", size, codec.SizeOf(item))
			}
			again, err := names.Encode(nil, everyType())
			if err != nil || string(again) != string(body) {
				t.Errorf("encoding an equal item: got different bytes, error %v, want the same bytes", err)
			}
		})
	}
}

func TestSelection_DecodesOnlySelected(t *testing.T) {
	item := everyType()
	names := codec.NewNames([]string{"PK", "N", "M", "SS"})
	body, err := names.Encode(nil, item)
	if err != nil {
		t.Fatal(err)
	}
	for _, attributes := range [][]string{{"PK"}, {"M", "long"}, {"N", "N", "unknown"}, {"null", "yes", "BS", "SS"}, {}} {
		want := codec.Item{}
		for _, name := range attributes {
			if v, ok := item[name]; ok {
				want[name] = v
			}
		}
		got, err := names.Select(attributes).Decoder().Item(body)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, error %v; want %v", attributes, got, err, want)
		}
	}
}

func TestEncode_InvalidValues(t *testing.T) {
	for _, value := range []types.AttributeValue{
		nil,
		&types.UnknownUnionMember{},
		&types.AttributeValueMemberL{Value: []types.AttributeValue{nil}},
		&types.AttributeValueMemberM{Value: codec.Item{"x": nil}},
	} {
		if _, err := codec.NewNames(nil).Encode(nil, codec.Item{"x": value}); err == nil {
			t.Errorf("Encode(%#v): got no error, want one", value)
		}
	}
}

func TestSizeOf(t *testing.T) {
	for _, c := range []struct {
		value types.AttributeValue
		size  int
	}{
		{s("日本"), 6},
		{n("0"), 1},
		{n("7"), 2},
		{n("-7"), 3},
		{n("100"), 2},
		{n("1010"), 3},
		{n("0.0012"), 2},
		{n("12345678901234567890123456789012345678"), 20},
		{&types.AttributeValueMemberBOOL{}, 1},
		{&types.AttributeValueMemberNULL{Value: true}, 1},
		{&types.AttributeValueMemberSS{Value: []string{"ab", "c"}}, 3},
		{&types.AttributeValueMemberL{Value: []types.AttributeValue{s("ab"), n("1")}}, 3 + 1 + 2 + 1 + 2},
		{&types.AttributeValueMemberM{Value: codec.Item{"k": s("ab")}}, 3 + 1 + 1 + 2},
	} {
		if got := codec.SizeOf(codec.Item{"name": c.value}); got != 4+c.size {
			t.Errorf("%#v: got %d bytes, want %d", c.value, got, 4+c.size)
		}
	}
}

// TestExpectRows_LimitsMemory decodes invalid sets and lists, whose counts of parts are too
// large for their bytes. ExpectRows must not allocate memory for these counts.
func TestExpectRows_LimitsMemory(t *testing.T) {
	names := codec.NewNames([]string{"PK"})
	sets := binary.AppendUvarint(make([]byte, 4), 1000)
	for range 1000 {
		sets = append(sets, 1, 7, 2, 0, 0, 0)  // a set of strings with 2 bytes, for the count
		sets = binary.AppendUvarint(sets, 500) // claims 500 parts
	}
	lists := []byte{0, 0, 0, 0, 1, 1}
	for range 20 {
		lists = append(lists, 10, 1, 0, 0, 0, 2) // a list with 1 byte, for the count, and 2 parts
	}
	lists = append(lists, 6, 6) // the parts of the last list
	for kind, body := range map[string][]byte{"sets": sets, "lists": lists} {
		before := allocatedBytes()
		if _, err := codec.NewDecoder(names).ExpectRows([][]byte{body}).Row(body); err != codec.ErrMalformed {
			t.Errorf("%s: got %v, want ErrMalformed", kind, err)
		}
		if got := allocatedBytes() - before; got > 1_000_000 {
			t.Errorf("%s: got %d bytes of memory for %d bytes, want at most 1000000", kind, got, len(body))
		}
	}
}

func allocatedBytes() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func FuzzDecode(f *testing.F) {
	names := codec.NewNames([]string{"PK", "M"})
	item := everyType()
	delete(item, "long") // long values make fuzzing slow
	body, err := names.Encode(nil, item)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		item, err := codec.NewDecoder(names).Item(body)
		if row, rowErr := codec.NewDecoder(names).ExpectRows([][]byte{body}).Row(body); rowErr != err || err == nil && !reflect.DeepEqual(row.Item(), item) {
			t.Fatalf("got row %v, error %v; want %v, %v", row, rowErr, item, err)
		}
		if err != nil {
			if !errors.Is(err, codec.ErrMalformed) {
				t.Fatalf("got %v, want ErrMalformed", err)
			}
			return
		}
		again, err := names.Encode(nil, item)
		if err != nil {
			t.Fatal(err)
		}
		first, err := codec.NewDecoder(names).Item(again)
		if err != nil {
			t.Fatalf("decoding an encoded item: %v", err)
		}
		twice, err := names.Encode(nil, first)
		if err != nil || string(twice) != string(again) {
			t.Fatalf("second round trip: got different bytes, error %v, want the same bytes", err)
		}
	})
}

func BenchmarkDecodeSelected12Of24(b *testing.B) {
	item, selected := codec.Item{}, []string{}
	for i := range 24 {
		name := fmt.Sprintf("Attribute%d", i)
		item[name] = s(fmt.Sprintf("a value of number %d", i))
		if i%2 == 0 {
			selected = append(selected, name)
		}
	}
	names := codec.NewNames(nil).With(codec.NewNames(nil).Missing(item))
	body, err := names.Encode(nil, item)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		decoder := names.Select(selected).Decoder().Expect(26)
		for range 26 {
			if _, err := decoder.Item(body); err != nil {
				b.Fatal(err)
			}
		}
	}
}
