package number

import (
	"bytes"
	"cmp"
)

// Compare returns -1 if n < m, 0 if n == m, and 1 if n > m.
func (n Number) Compare(m Number) int {
	switch {
	case n.sign() != m.sign():
		return cmp.Compare(n.sign(), m.sign())
	case n.negative:
		return m.compareMagnitude(n)
	}
	return n.compareMagnitude(m)
}

func (n Number) sign() int {
	switch {
	case n.length == 0:
		return 0
	case n.negative:
		return -1
	}
	return 1
}

func (n Number) compareMagnitude(m Number) int {
	if n.exponent != m.exponent && n.length > 0 && m.length > 0 {
		return cmp.Compare(n.exponent, m.exponent)
	}
	return bytes.Compare(n.digits[:n.length], m.digits[:m.length])
}

// Sub returns n − m exactly. It returns the same errors as Add.
func (n Number) Sub(m Number) (Number, error) {
	m.negative = !m.negative
	return n.Add(m)
}

// lowestPlace is the lowest exponent of a digit: that of the last digit of the smallest
// number, if it has 38 digits. places is the number of digits in a sum, including one for a
// carry out of the largest number.
const (
	lowestPlace = minExponent - maxDigits + 1
	places      = maxExponent + 1 - lowestPlace + 1
)

// Add returns n + m exactly. As in DynamoDB, a sum with more than 38 digits is an
// overflow. Errors are *Error.
func (n Number) Add(m Number) (Number, error) {
	if n.length == 0 {
		return m.positiveZero(), nil
	}
	if m.length == 0 {
		return n, nil
	}
	if n.compareMagnitude(m) < 0 {
		n, m = m, n
	}
	var sum [places]int8 // sum[i] is the digit of 10^(i+lowestPlace)
	n.addTo(&sum, 1)
	if n.negative == m.negative {
		m.addTo(&sum, 1)
	} else {
		m.addTo(&sum, -1)
	}
	return collect(&sum, n.negative)
}

// positiveZero returns n, without the minus sign that Sub gives to a zero.
func (n Number) positiveZero() Number {
	n.negative = n.negative && n.length > 0
	return n
}

func (n Number) addTo(sum *[places]int8, factor int8) {
	top := int(n.exponent) - lowestPlace
	for i := range int(n.length) {
		sum[top-i] += factor * int8(n.digits[i]-'0')
	}
}

// collect propagates carries and borrows, and converts the digits to a Number. The sum of
// the digits must not be negative: Add subtracts the smaller magnitude from the larger one.
func collect(sum *[places]int8, negative bool) (Number, error) {
	low, high := -1, -1
	var carry int8
	for i := range sum {
		sum[i] += carry
		carry = 0
		switch {
		case sum[i] > 9:
			sum[i] -= 10
			carry = 1
		case sum[i] < 0:
			sum[i] += 10
			carry = -1
		}
		if sum[i] != 0 {
			high = i
			if low < 0 {
				low = i
			}
		}
	}
	if high < 0 {
		return Number{}, nil
	}
	exponent := high + lowestPlace
	if err := checkExponent(0, exponent); err != nil {
		return Number{}, err
	}
	if high-low >= maxDigits {
		return Number{}, errOverflow
	}
	n := Number{negative: negative, length: uint8(high - low + 1), exponent: int16(exponent)}
	for i := range int(n.length) {
		n.digits[i] = '0' + byte(sum[high-i])
	}
	return n, nil
}
