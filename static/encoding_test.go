package static_test

import (
	"testing"

	"stockroom/static"
)

func TestEncoding(t *testing.T) {
	for accepted, want := range map[string]string{
		"":                                  "",
		"gzip":                              "gzip",
		"br":                                "br",
		"gzip, deflate, br, zstd":           "br",
		"gzip;q=1.0, br;q=0.5":              "gzip",
		"br;q=0, gzip":                      "gzip",
		"br;q=0, gzip;q=0":                  "",
		"*":                                 "br",
		"*;q=0":                             "",
		"br;q=0, *":                         "gzip",
		"identity":                          "",
		"identity;q=0.5, gzip;q=0.4":        "",
		"identity;q=0.5, gzip;q=0.5":        "gzip",
		"identity;q=0, gzip;q=0.1":          "gzip",
		"GZIP":                              "gzip",
		"gzip ; q=0.2 , br ; q=0.1":         "gzip",
		"gzip;q=NaN":                        "",
		"gzip;q=2":                          "",
		"gzip;q=-1":                         "",
		"gzip;level=9":                      "gzip",
		"x-gzip":                            "",
		"deflate, compress;q=0.9, zstd;q=1": "",
	} {
		if got := static.Encoding(accepted); got != want {
			t.Errorf("%q: got %q, want %q", accepted, got, want)
		}
	}
}
