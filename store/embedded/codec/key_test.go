package codec_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

func TestAppendSortKey_SortsAsValues(t *testing.T) {
	for name, ascending := range map[string][]types.AttributeValue{
		"S": {s("\x00"), s("\x00\x00"), s("\x00\x01"), s("a"), s("a\x00"), s("a\x00b"), s("a\x01"), s("aa"), s("b"), s("ä"), s("日")},
		"N": {n("-1e125"), n("-100"), n("-99.5"), n("-1"), n("-0.5"), n("0"), n("1e-130"), n("0.5"), n("9"), n("10"), n("10.01"), n("1e125")},
		"B": {&types.AttributeValueMemberB{Value: []byte{0}}, &types.AttributeValueMemberB{Value: []byte{0, 0xFF}}, &types.AttributeValueMemberB{Value: []byte{0xFF}}},
	} {
		var keys [][]byte
		for i, value := range ascending {
			key, err := codec.AppendSortKey(nil, value)
			if err != nil {
				t.Fatal(err)
			}
			// A suffix must not change how keys sort.
			keys = append(keys, append(key, byte(0xFF-i)))
			part, rest, err := codec.SplitSortKey(keys[i])
			if err != nil || !bytes.Equal(part, key[:len(part)]) || len(rest) != 1 {
				t.Errorf("%s %d: SplitSortKey(%x): got %x, %x, error %v; want %x and one byte", name, i, keys[i], part, rest, err, key)
			}
		}
		if !slices.IsSortedFunc(keys, bytes.Compare) {
			t.Errorf("%s: got keys %x, want them in order", name, keys)
		}
	}
}

func TestSplitPartitionKey(t *testing.T) {
	key, err := codec.AppendPartitionKey(nil, s("ab"))
	if err != nil {
		t.Fatal(err)
	}
	partition, rest, err := codec.SplitPartitionKey(append(bytes.Clone(key), 'c'))
	if err != nil || !bytes.Equal(partition, key) || string(rest) != "c" {
		t.Errorf("got %x and %x, error %v; want %x and \"c\"", partition, rest, err, key)
	}
	for _, broken := range [][]byte{nil, {0}, {0, 3, 'a'}} {
		if _, _, err := codec.SplitPartitionKey(broken); err == nil {
			t.Errorf("SplitPartitionKey(%x): got no error, want one", broken)
		}
	}
	for _, broken := range []string{"", "a", "a\x00", "a\x00\x02"} {
		if _, _, err := codec.SplitSortKey([]byte(broken)); err == nil {
			t.Errorf("SplitSortKey(%x): got no error, want one", broken)
		}
	}
}

func TestAfter(t *testing.T) {
	for prefix, want := range map[string]string{"ab": "ac", "a\xff": "b", "\xff\xff": ""} {
		if got := codec.After([]byte(prefix)); string(got) != want {
			t.Errorf("After(%q) = %q, want %q", prefix, got, want)
		}
	}
}
