package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse compares the results of parse and of package encoding/json.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"a":{"S":"x"},"b":[1,-2.5e+3,true,false,null,{},[]]}`, " { \"a\" :\t1 ,\r\n\"b\": [ 1 , 2 ] } ", `{"a":1,"a":2}`,
		`"\"\\\/\b\f\n\r\tä😀\ud83d\ude00\ud800"`, "\"\xff\"", "\"a\\\\\"", `1`, `-0`, `null`,
		`{`, `[1,]`, `{"a"}`, `{"a":1,}`, `[1 2]`, `01`, `tru`, `"`, `"\x"`, "\"\n\"", `{} {}`, ``, strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var want any
		valid := decoder.Decode(&want) == nil
		if _, err := decoder.Token(); valid && !errors.Is(err, io.EOF) {
			valid, want = false, nil
		}
		got, ok := parse(text)
		if got = withMaps(got); ok != valid || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %v, valid %t; want %v, valid %t", text, got, ok, want, valid)
		}
	})
}

// withMaps replaces members with maps, to compare them with the result of encoding/json.
func withMaps(tree any) any {
	switch tree := tree.(type) {
	case members:
		all := make(map[string]any)
		for _, m := range tree {
			all[m.name] = withMaps(m.value)
		}
		return all
	case []any:
		for i := range tree {
			tree[i] = withMaps(tree[i])
		}
	}
	return tree
}
