package exchange

import "testing"

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"12.50": "12.5", "12,50": "12.5", "1 234,50": "1234.5", "1,234.50": "1234.5", "1.234,50": "1234.5", "1'234.50": "1234.5",
		"1,234,567": "1234567", "1.234.567": "1234567", "-5": "-5", "+5": "5", "0": "0", ".5": "", "5.": "5", "1234.567": "1234.567",
		"1.500": "", "1.000": "", "1.250": "", "1.234": "1.234", "0.500": "0.5", "1234.500": "1234.5",
		"1,234": "", "1,23,456.7": "", "much": "", "": "", "1e3": "", "--5": "", "1.2,3.4": "", "€ 5": "",
	} {
		if got := parseDecimal(text, 0); got != want {
			t.Errorf("parseDecimal(%q): got %q, want %q", text, got, want)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-21": "2026-11-21T00:00:00Z", "2026-11-21 14:30": "2026-11-21T14:30:00Z", "2026-11-21T14:30:00+01:00": "2026-11-21T13:30:00Z",
		"21.11.2026": "2026-11-21T00:00:00Z", "1.2.2026 08:05": "2026-02-01T08:05:00Z",
	} {
		if got, err := parseTime(text); err != nil || got.Format("2006-01-02T15:04:05Z07:00") != want {
			t.Errorf("parseTime(%q): got %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"03/04/2026", "soon", "2026-13-01"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("parseTime(%q): got %v, want an error", text, got)
		}
	}
}
