package key_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store/key"
)

func TestTemplate_Render(t *testing.T) {
	for _, tt := range []struct {
		template          string
		values            key.Map
		rendered, missing string
	}{
		{"o#${orderID}", key.Map{"orderID": "12345"}, "o#12345", ""},
		{"${from}", key.Map{"from": "0"}, "0", ""},
		{"orders#${month}#${shard}", key.Map{"month": "2026-11", "shard": "3"}, "orders#2026-11#3", ""},
		{"c#${name}#${id}", key.Map{"name": "maria"}, "", "id"},
		{"settings", nil, "settings", ""},
		{"${status}#${from}", key.Map{"status": "${from}", "from": "x"}, "${from}#x", ""}, // placeholders in a value are not replaced
		{"", nil, "", ""},
	} {
		rendered, missing := key.Parse(tt.template).Render(tt.values)
		if rendered != tt.rendered || missing != tt.missing {
			t.Errorf("%q with %v: got %q, missing %q; want %q, missing %q", tt.template, tt.values, rendered, missing, tt.rendered, tt.missing)
		}
	}
}

func TestTemplate_Names(t *testing.T) {
	got := strings.Join(key.Parse("${status}#${from} ${status}").Names(), " ")
	if got != "status from" {
		t.Errorf("got names %q, want %q", got, "status from")
	}
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"MARIA":                   "maria",
		"Åsa Öberg":               "asa_oberg",
		"Łukasz  Żółć":            "lukasz_zolc",
		"Straße":                  "strasse",
		"Bjørn Ærø":               "bjorn_aero",
		"İstanbul ılık":           "istanbul_ilik",
		"a#b \t c":                "a_b_c",
		"Ελένη":                   "ελενη",
		"Йосиф":                   "иосиф",
		"محمّد":                   "محمّد", // Arabic marks are kept
		"हिन्दी":                  "हिन्दी",
		"ガード":                     "ガード",
		"김민준":                     "김민준",
		"ﬁne":                     "fine",
		"":                        "",
		"  ":                      "",
		strings.Repeat("é", 300):  strings.Repeat("e", 200),
		strings.Repeat("김", 100):  strings.Repeat("김", 66), // 198 bytes, cut between two characters
		"tab\x00and\x1fcontrol\n": "tab_and_control",
	} {
		if got := key.Fold(name); got != want {
			t.Errorf("Fold(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestBucket(t *testing.T) {
	for folded, want := range map[string]string{"maria": "m", "3m": "0", "김": "_", "_": "_", "": ""} {
		if got := key.Bucket(folded); got != want {
			t.Errorf("Bucket(%q) = %q, want %q", folded, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Åsa")
	f.Add("e\u0301\u0323")
	f.Fuzz(func(t *testing.T, name string) {
		folded := key.Fold(name)
		if len(folded) > key.MaxName || strings.ContainsAny(folded, "# \x00\n") {
			t.Errorf("Fold(%q) = %q, want a valid part of a key", name, folded)
		}
		if len(folded) < key.MaxName && key.Fold(folded) != folded {
			t.Errorf("Fold(%q) = %q, want %q", folded, key.Fold(folded), folded)
		}
	})
}

func TestShard(t *testing.T) {
	counts := map[string]int{}
	for i := range 15000 {
		counts[key.Shard(time.Unix(int64(i), 0).String(), 15)]++
	}
	for shard, n := range counts {
		if n < 800 || n > 1200 {
			t.Errorf("shard %s: got %d of 15,000 IDs, want about 1,000", shard, n)
		}
	}
	if len(counts) != 15 {
		t.Errorf("got %d shards, want 15", len(counts))
	}
	// Existing tables contain keys with these shards, so Shard must not change.
	if a, b := key.Shard("12345", 15), key.Shard("100001", 15); a != "9" || b != "12" {
		t.Errorf("shards of 12345 and 100001: got %s and %s, want 9 and 12", a, b)
	}
}

func TestCheckID(t *testing.T) {
	for id, want := range map[string]error{
		"12345": nil, "01HZX": nil, "a/b c?": nil, "Åsa": nil,
		"": key.ErrNoID, "a#b": key.ErrInvalid, "a\nb": key.ErrInvalid, "..": key.ErrDots, "...": nil, "\xff": key.ErrEncoding,
		strings.Repeat("x", 257): key.ErrLongID,
	} {
		if got := key.CheckID(id); got != want {
			t.Errorf("CheckID(%q) = %v, want %v", id, got, want)
		}
	}
}

func TestDays(t *testing.T) {
	day := func(text string) time.Time {
		d, err := time.Parse(key.Day, text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	zone := func(name string) *time.Location {
		found, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	stockholm, santiago, havana := zone("Europe/Stockholm"), zone("America/Santiago"), zone("America/Havana")
	for _, tt := range []struct {
		name     string
		days     key.Days
		from, to string
		months   string
	}{
		{"one UTC day", key.Days{From: day("2026-11-21"), To: day("2026-11-21")}, "2026-11-21T00:00:00Z", "2026-11-21T23:59:59Z", "2026-11"},
		{"day starts in another UTC month", key.Days{From: day("2026-11-01"), To: day("2026-11-30"), Zone: stockholm}, "2026-10-31T23:00:00Z", "2026-11-30T22:59:59Z", "2026-11 2026-10"},
		{"day of 25 hours at the end of daylight saving time", key.Days{From: day("2026-10-25"), To: day("2026-10-25"), Zone: stockholm}, "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10"},
		{"day without midnight", key.Days{From: day("2026-09-06"), To: day("2026-09-06"), Zone: santiago}, "2026-09-06T04:00:00Z", "2026-09-07T02:59:59Z", "2026-09"},
		{"day before a day without midnight", key.Days{From: day("2026-09-05"), To: day("2026-09-05"), Zone: santiago}, "2026-09-05T04:00:00Z", "2026-09-06T03:59:59Z", "2026-09"},
		{"day with two midnights", key.Days{From: day("2026-11-01"), To: day("2026-11-01"), Zone: havana}, "2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z", "2026-11"},
		{"across a year", key.Days{From: day("2025-12-31"), To: day("2026-01-01")}, "2025-12-31T00:00:00Z", "2026-01-01T23:59:59Z", "2026-01 2025-12"},
		{"open ends", key.Days{}, "0", "~", ""},
		{"29 February", key.Days{From: day("2028-02-29"), To: day("2028-02-29")}, "2028-02-29T00:00:00Z", "2028-02-29T23:59:59Z", "2028-02"},
	} {
		from, to := tt.days.Bounds()
		if from != tt.from || to != tt.to {
			t.Errorf("%s: got %s to %s, want %s to %s", tt.name, from, to, tt.from, tt.to)
		}
		if got := strings.Join(tt.days.Months(), " "); got != tt.months {
			t.Errorf("%s: got months %s, want %s", tt.name, got, tt.months)
		}
	}
}

func TestPhone(t *testing.T) {
	const own = "+46 70-612 34 56"
	for typed, same := range map[string]bool{
		"0706123456": true, "070/612 34 56": true, "0046 70 6123456": true, "+46 (0)70 612 34 56": true, "612.34.56": true,
		"070 612 34 57": false, "+45 70 612 34 56": false, "12345": false, "": false,
	} {
		if got := key.IsSamePhone(key.Phone(own), key.Phone(typed)); got != same {
			t.Errorf("IsSamePhone(%q, %q) = %v, want %v", own, typed, got, same)
		}
	}
	if got := key.Phone("031-12 34 56, ext. 7"); got != "65432113" {
		t.Errorf("number with extension: got %q, want 65432113", got)
	}
	for text, want := range map[string]bool{own: true, "123456": true, "12345": false, "o#123456": false, "SKU-123456": false, "3M 123456": false} {
		if got := key.IsPhone(text); got != want {
			t.Errorf("IsPhone(%q) = %v, want %v", text, got, want)
		}
	}
}
