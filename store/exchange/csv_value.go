package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
)

// written is an attribute's value as a cell has it.
func (c *Column) written(value types.AttributeValue) csvfile.Cell {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		if c.Kind == store.Instant {
			return csvfile.Plain(v.Value)
		}
		return csvfile.Text(v.Value)
	case *types.AttributeValueMemberN:
		if seconds, err := strconv.ParseInt(v.Value, 10, 64); c.Kind == store.Seconds && err == nil {
			return csvfile.Plain(key.Time(time.Unix(seconds, 0)))
		}
		return csvfile.Plain(v.Value)
	case *types.AttributeValueMemberBOOL:
		return csvfile.Plain(strconv.FormatBool(v.Value))
	case *types.AttributeValueMemberL:
		texts := make([]string, len(v.Value))
		for i, element := range v.Value {
			if s, ok := element.(*types.AttributeValueMemberS); ok {
				texts[i] = s.Value
			}
		}
		return csvfile.Text(csvfile.JoinList(texts))
	}
	return csvfile.Cell{}
}

// read makes an attribute's value of a cell; nil where the cell is empty.
func (c *Column) read(cell string) (value types.AttributeValue, reason string) {
	if c.Kind == store.Text {
		if cell = csvfile.Unescape(cell); cell == "" {
			return nil, ""
		}
		return &types.AttributeValueMemberS{Value: cell}, ""
	}
	if cell = strings.TrimSpace(cell); cell == "" {
		return nil, ""
	}
	switch c.Kind {
	case store.Whole:
		plain := decimal(cell)
		whole, rest, _ := strings.Cut(plain, ".")
		if plain == "" || strings.Trim(rest, "0") != "" {
			return nil, c.not(cell, "a whole number")
		}
		return &types.AttributeValueMemberN{Value: whole}, ""
	case store.Money:
		plain := decimal(cell)
		if plain == "" {
			return nil, c.not(cell, "an amount of money, such as 1234.50")
		}
		return &types.AttributeValueMemberN{Value: plain}, ""
	case store.Instant, store.Seconds:
		return c.readTime(cell)
	case store.Flag:
		return c.readFlag(cell)
	}
	texts, ok := csvfile.SplitList(csvfile.Unescape(cell))
	if !ok {
		return nil, c.not(cell, "a list with ; between its texts")
	}
	list := &types.AttributeValueMemberL{}
	for _, text := range texts {
		list.Value = append(list.Value, &types.AttributeValueMemberS{Value: text})
	}
	return list, ""
}

func (c *Column) not(cell, is string) (reason string) {
	return fmt.Sprintf("Its %s is %q, not %s.", c.Name, cell, is)
}

func (c *Column) readTime(cell string) (value types.AttributeValue, reason string) {
	t, err := moment(cell)
	if err != nil {
		return nil, c.not(cell, "a time, such as 2026-11-21 14:30:00")
	}
	if c.Kind == store.Seconds {
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}, ""
	}
	return &types.AttributeValueMemberS{Value: key.Time(t)}, ""
}

func (c *Column) readFlag(cell string) (value types.AttributeValue, reason string) {
	switch strings.ToLower(cell) {
	case "true", "yes", "1":
		return &types.AttributeValueMemberBOOL{Value: true}, ""
	case "false", "no", "0":
		return nil, ""
	}
	return nil, c.not(cell, "true or false")
}

// moment reads a time as spreadsheets write it, if only one can be meant: day
// and month of 03/04/2026 could be either.
func moment(text string) (time.Time, error) {
	t, err := store.ParseTime(text)
	for _, layout := range []string{"2006-01-02 15:04", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05"} {
		if err == nil {
			break
		}
		t, err = time.Parse(layout, text)
	}
	return t, err
}

// decimal makes a plain number of one as people write it, 1 234,50 and
// 1,234.50 alike; "" where it is none or could be two: 1,234 is one and a
// quarter here, a thousand there.
func decimal(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\u00a0', '\u202f', '\'', '’':
			return -1
		}
		return r
	}, text)
	point := strings.LastIndexAny(text, ".,")
	if point < 0 {
		return number(text, "")
	}
	whole, rest := text[:point], text[point+1:]
	other, same := ",", text[point:point+1]
	if same == "," {
		other = "."
	}
	switch groups := strings.Split(whole, other); {
	case strings.Contains(whole, same): // 1.234.567: nothing but thousands
		return thousands(strings.Split(text, same))
	case len(groups) > 1:
		return number(thousands(groups), rest)
	case same == "," && len(rest) == 3:
		return ""
	}
	return number(whole, rest)
}

func thousands(groups []string) string {
	for i, group := range groups {
		if i > 0 && len(group) != 3 {
			return ""
		}
	}
	return number(strings.Join(groups, ""), "")
}

// number is a number of plain digits, "" where it is none.
func number(whole, rest string) string {
	digits := strings.TrimLeft(whole, "+-")
	if len(whole)-len(digits) > 1 || digits == "" || strings.Trim(digits+rest, "0123456789") != "" {
		return ""
	}
	whole = strings.TrimPrefix(whole, "+")
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		whole += "." + rest
	}
	return whole
}
