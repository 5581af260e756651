package store

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseWhole reads a whole number that was entered in a field; the minus may
// be a hyphen or the sign that pages show. A number that is too large becomes
// one that every bound refuses. It returns Invalid for other text, and for
// none.
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

// ParseMoney reads an amount that was entered in a field; an empty text is
// zero. It returns Invalid for other text.
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

// ParseDay reads a calendar day that was entered in a field, as midnight UTC;
// an empty text is the zero time. It returns Invalid for other text.
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
