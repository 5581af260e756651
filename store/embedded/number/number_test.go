package number

import (
	"strings"
	"testing"
)

var (
	nines38   = strings.Repeat("9", maxDigits)
	largest   = nines38 + strings.Repeat("0", maxExponent+1-maxDigits)
	smallest  = "0." + strings.Repeat("0", -minExponent-1) + "1"
	ones39    = strings.Repeat("1", maxDigits+1)
	overflow  = errOverflow.Message
	underflow = errUnderflow.Message
	precision = errPrecision.Message
)

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"0":                            "0",
		"-0":                           "0",
		"0.000":                        "0",
		"0e125":                        "0",
		"42":                           "42",
		"-42":                          "-42",
		"+42":                          "42",
		"0042":                         "42",
		"001.50":                       "1.5",
		"1E+3":                         "1000",
		"1e3":                          "1000",
		"12e-1":                        "1.2",
		".5":                           "0.5",
		"5.":                           "5",
		"-.05":                         "-0.05",
		"100":                          "100",
		"100.00":                       "100",
		"0.0100":                       "0.01",
		nines38:                        nines38,
		nines38 + "000":                nines38 + "000",
		"9." + nines38[1:] + "E125":    largest,
		"1E-130":                       smallest,
		"-1E-130":                      "-" + smallest,
		"3.14159265358979323846e10":    "31415926535.8979323846",
		strings.Repeat("0", 500) + "7": "7",
	} {
		got, err := Normalize(in)
		if err != nil || got != want {
			t.Errorf("Normalize(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestNormalize_Errors(t *testing.T) {
	const numeric = "The parameter cannot be converted to a numeric value"
	for in, want := range map[string]string{
		"":                                  numeric,
		"abc":                               numeric + ": abc",
		" 1":                                numeric + ":  1",
		"1 ":                                numeric + ": 1 ",
		"1.2.3":                             numeric + ": 1.2.3",
		"1e":                                numeric + ": 1e",
		"e1":                                numeric + ": e1",
		"-":                                 numeric + ": -",
		".":                                 numeric + ": .",
		"+-1":                               numeric + ": +-1",
		"0x10":                              numeric + ": 0x10",
		"NaN":                               numeric + ": NaN",
		"Infinity":                          numeric + ": Infinity",
		"1_000":                             numeric + ": 1_000",
		"1e9223372036854775808":             numeric + ": 1e9223372036854775808",
		"1e126":                             overflow,
		"-1e126":                            overflow,
		"11e125":                            overflow,
		"0e126":                             overflow,
		"1e9223372036854775807":             overflow,
		"1" + strings.Repeat("0", 126):      overflow,
		"1e-131":                            underflow,
		"0.9e-130":                          underflow,
		"0e-131":                            underflow,
		"1e-9223372036854775808":            underflow,
		ones39:                              precision,
		"1." + ones39[1:]:                   precision,
		"1" + strings.Repeat("0", 38) + "1": precision,
	} {
		got, err := Normalize(in)
		if err == nil || err.Error() != want {
			t.Errorf("Normalize(%q) = %q, %v; want error %q", in, got, err, want)
		}
	}
}

func TestAddAndSub(t *testing.T) {
	for _, c := range []struct{ a, b, sum, difference string }{
		{"0", "0", "0", "0"},
		{"1", "0", "1", "1"},
		{"0", "1", "1", "-1"},
		{"1", "1", "2", "0"},
		{"-1", "1", "0", "-2"},
		{"0.1", "0.2", "0.3", "-0.1"},
		{"999", "1", "1000", "998"},
		{"1000", "-1", "999", "1001"},
		{"1e22", "1", "10000000000000000000001", "9999999999999999999999"},
		{"5e-130", "4e-130", "0." + strings.Repeat("0", 129) + "9", smallest},
		{largest, "0", largest, largest},
		{"1e37", "-1", nines38[1:], "1" + strings.Repeat("0", 36) + "1"},
	} {
		a, b := mustParse(t, c.a), mustParse(t, c.b)
		if sum, err := a.Add(b); err != nil || sum.String() != c.sum {
			t.Errorf("%s + %s = %s, %v; want %s", c.a, c.b, sum, err, c.sum)
		}
		if difference, err := a.Sub(b); err != nil || difference.String() != c.difference {
			t.Errorf("%s - %s = %s, %v; want %s", c.a, c.b, difference, err, c.difference)
		}
	}
}

func TestAdd_Errors(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"9e125", "9e125", overflow},
		{"-9e125", "-9e125", overflow},
		{"1e50", "1", overflow}, // the sum would need 51 digits
		{"1e125", "1e-130", overflow},
		{"1.5e-130", "-1e-130", underflow},
	} {
		got, err := mustParse(t, c.a).Add(mustParse(t, c.b))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s + %s = %s, %v; want error %q", c.a, c.b, got, err, c.want)
		}
	}
}

func mustParse(t *testing.T, s string) Number {
	t.Helper()
	n, err := Parse(s)
	if err != nil {
		t.Fatalf("Parse(%q): %v", s, err)
	}
	return n
}
