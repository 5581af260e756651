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

func (c *column) format(value types.AttributeValue) csvfile.Cell {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		if c.kind == store.Instant || c.kind == store.Day {
			return csvfile.Plain(v.Value)
		}
		return csvfile.Text(v.Value)
	case *types.AttributeValueMemberN:
		if seconds, err := strconv.ParseInt(v.Value, 10, 64); c.kind == store.Seconds && err == nil {
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

// parse converts a cell to an attribute value. The argument decimal is the decimal
// separator of the file, or 0 if unknown. parse returns nil for an empty cell or a false
// flag, and a reason for an invalid cell.
func (c *column) parse(cell string, decimal byte) (value types.AttributeValue, reason string) {
	if c.kind == store.Text {
		if cell = csvfile.Unescape(cell); cell == "" {
			return nil, ""
		}
		if reason := controlCharacter(c.name, cell); reason != "" {
			return nil, reason
		}
		return &types.AttributeValueMemberS{Value: cell}, ""
	}
	if cell = strings.TrimSpace(cell); cell == "" {
		return nil, ""
	}
	switch c.kind {
	case store.Whole:
		number := parseDecimal(cell, decimal)
		whole, fraction, _ := strings.Cut(number, ".")
		if number == "" && decimal == 0 && isAmbiguous(cell) {
			return nil, c.invalid(cell, "Enter a whole number without a point or comma, such as "+strings.NewReplacer(".", "", ",", "").Replace(cell)+".")
		}
		if number == "" || strings.Trim(fraction, "0") != "" {
			return nil, c.invalid(cell, "Enter a whole number.")
		}
		return &types.AttributeValueMemberN{Value: whole}, ""
	case store.Money:
		number := parseDecimal(cell, decimal)
		if number == "" && decimal == 0 && isAmbiguous(cell) {
			return nil, c.ambiguous(cell)
		}
		if number == "" {
			return nil, c.invalid(cell, "Enter an amount such as 1234.50.")
		}
		return &types.AttributeValueMemberN{Value: number}, ""
	case store.Instant, store.Seconds:
		return c.parseTime(cell)
	case store.Day:
		return c.parseDay(cell)
	case store.Flag:
		return c.parseFlag(cell)
	}
	texts, ok := csvfile.SplitList(csvfile.Unescape(cell))
	if !ok {
		return nil, c.invalid(cell, "A quotation mark is missing or misplaced.")
	}
	list := &types.AttributeValueMemberL{}
	for _, text := range texts {
		list.Value = append(list.Value, &types.AttributeValueMemberS{Value: text})
	}
	return list, ""
}

func (c *column) invalid(cell, hint string) (reason string) {
	return fmt.Sprintf("%s %s is not valid. %s", c.name, store.Quoted(cell), hint)
}

// ambiguous returns the reason to reject an ambiguous amount; see isAmbiguous.
func (c *column) ambiguous(cell string) (reason string) {
	whole, fraction, _ := strings.Cut(strings.ReplaceAll(withoutSpaces(cell), ",", "."), ".")
	return c.invalid(cell, "The number is ambiguous. Enter "+whole+fraction+" or "+whole+"."+strings.TrimSuffix(fraction, "0")+".")
}

func (c *column) parseTime(cell string) (value types.AttributeValue, reason string) {
	t, err := parseTime(cell)
	if err != nil {
		return nil, c.invalid(cell, "Enter a time such as 2026-11-21 14:30:00.")
	}
	if c.kind == store.Seconds {
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}, ""
	}
	return &types.AttributeValueMemberS{Value: key.Time(t)}, ""
}

const dayHint = "Enter a date such as 2026-11-21."

func (c *column) parseDay(cell string) (value types.AttributeValue, reason string) {
	day, err := parseDay(cell)
	if err != nil {
		return nil, c.invalid(cell, dayHint)
	}
	return &types.AttributeValueMemberS{Value: day.Format(key.Day)}, ""
}

func (c *column) parseFlag(cell string) (value types.AttributeValue, reason string) {
	switch strings.ToLower(cell) {
	case "true", "yes", "1":
		return &types.AttributeValueMemberBOOL{Value: true}, ""
	case "false", "no", "0":
		return nil, ""
	}
	return nil, c.invalid(cell, "Enter true or false.")
}

// parseTime parses the date and time formats of spreadsheets. It rejects ambiguous dates
// such as 03/04/2026, which could be in March or April.
func parseTime(text string) (time.Time, error) {
	t, err := store.ParseTime(text)
	for _, layout := range []string{"2006-01-02 15:04", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05"} {
		if err == nil {
			break
		}
		t, err = time.Parse(layout, text)
	}
	return t, err
}

// parseDay parses a calendar day in the formats of parseTime. It keeps the day as written;
// see store.ParseDate.
func parseDay(text string) (time.Time, error) {
	if day, err := store.ParseDate(text); err == nil {
		return day, nil
	}
	return parseTime(text)
}
