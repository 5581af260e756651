package store

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseWhole parses a whole number that was entered in a field. The minus can be
// a hyphen or U+2212, as on pages. A number that is out of range becomes the
// largest or smallest int32, which no field allows. It returns Invalid for any
// other text.
func ParseWhole(field, text string) (int, error) {
	n, err := strconv.Atoi(strings.Replace(strings.TrimSpace(text), "−", "-", 1))
	if errors.Is(err, strconv.ErrRange) {
		return max(min(n, math.MaxInt32), math.MinInt32), nil
	}
	if err != nil {
		return 0, InvalidField(field, "Enter a whole number, such as 12.")
	}
	return n, nil
}

// ParseMoney parses an amount that was entered in a field. An empty text is zero.
// It returns Invalid for any other text.
func ParseMoney(field, text string) (Amount, error) {
	if strings.TrimSpace(text) == "" {
		return Amount{}, nil
	}
	amount, err := ParseAmount(text)
	if err != nil {
		return Amount{}, InvalidField(field, "Enter an amount, such as 12.50.")
	}
	return amount, nil
}

// ParseDay parses a calendar day that was entered in a field, as midnight UTC.
// An empty text is the zero time. It returns Invalid for any other text.
func ParseDay(field, text string) (time.Time, error) {
	if strings.TrimSpace(text) == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}, InvalidField(field, "Enter a date, such as 2026-11-21.")
	}
	return day, nil
}
