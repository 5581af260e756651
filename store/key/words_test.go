package key_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store/key"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Lena Köhler":               "lena kohler",
		"  Köhler,  LENA ":          "kohler lena",
		"Aoife O'Brien":             "aoife obrien",
		"Aoife O’Brien":             "aoife obrien",
		"Anne-Marie d´Arc":          "anne marie darc",
		"Straße STRASSE Straẞe":     "strasse strasse strasse",
		"İpek Işık ipek ışık":       "ipek isik ipek isik",
		"Łukasz Żółć":               "lukasz zolc",
		"Đorđe Ðuro":                "dorde duro",
		"Νίκος ΝΙΚΟΣ":               "νικοσ νικοσ",
		"Йосиф Алёна":               "иосиф алена",
		"محمّد أحمد":                "محمد احمد",
		"\u200fשָׁלוֹם כהן":         "שלומ כהנ",
		"王小明":                       "王小明",
		"田中さくら":                     "田中 さくら",
		"山田 太郎":                     "山田 太郎",
		"김민준 Kim":                   "김민준 kim",
		"アレクサンダー・スミス":               "アレクサンダー スミス",
		"ｶﾔｯｸ Ａ１":                   "カヤック a1",
		"हिन्दी":                    "हिन्दी",
		"O_b#c\x00d":                "o b c d",
		"!!! ---":                   "",
		"":                          "",
		"\xff\xfeab":                "ab",
		strings.Repeat("å", 100):    strings.Repeat("a", 60),
		strings.Repeat("김", 100):    strings.Repeat("김", 20),
		"Dipper 33":                 "dipper 33",
		"Zoë\u0301 Zoe\u0308\u0301": "zoe zoe",
	} {
		if got := strings.Join(key.Words(text), " "); got != want {
			t.Errorf("%q: got words %q, want %q", text, got, want)
		}
	}
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"Lena Maria Köhler":       "lena maria kohler",
		"Anna Anna":               "anna",
		"王小明":                     "王小明 小明 明",
		"김민준":                     "김민준 민준 준",
		"山田 太郎":                   "山田 田 太郎 郎",
		"さくら":                     "さくら",
		"a b c d e f g h":         "a b c d g h",
		"北京中关村科技有限公司":             "北京中关村科技有限公司 京中关村科技有限公司 中关村科技有限公司 关村科技有限公司 公司 司",
		strings.Repeat("x y ", 9): "x y",
	} {
		if got := strings.Join(key.NameWords(key.Words(name)), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{strings.Repeat("word ", 5000) + "w1 w2 w3 w4 w5 w6 w7", strings.Repeat("王", 500), strings.Repeat("a1 b2 c3 ", 900)} {
		if got := key.NameWords(key.Words(name)); len(got) > key.MaxWords {
			t.Errorf("got %d words, want at most %d", len(got), key.MaxWords)
		}
	}
}

func TestHasWords(t *testing.T) {
	for _, tt := range []struct {
		name, words string
		want        bool
	}{
		{"lena_maria_kohler", "kohl le", true},
		{"lena_maria_kohler", "ohler", false},
		{"王小明", "小 明", true},
		{"lena", "", true},
		{"", "a", false},
	} {
		if got := key.HasWords(tt.name, strings.Fields(tt.words)); got != tt.want {
			t.Errorf("%q in %q: got %t, want %t", tt.words, tt.name, got, tt.want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{"chr-028": "chr028", "CHR 028": "chr028", "JD01 4600 0012": "jd0146000012", "#": "", "S 1/2": "s12"} {
		if got := key.Code(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestInitials(t *testing.T) {
	for _, n := range []int{1, 3, 9} {
		want := string([]rune("김민준아")[:min(n, 4)])
		if got := key.Initials("김민준아", n); got != want {
			t.Errorf("first %d characters: got %q, want %q", n, got, want)
		}
	}
	if !slices.Equal(key.Words("ſ"), []string{"s"}) {
		t.Error("got ſ unchanged, want s")
	}
}
