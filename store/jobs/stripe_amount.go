package jobs

import (
	"math/big"

	"stockroom/store"
)

// stripeUnit describes the amounts of a currency in requests to Stripe.
type stripeUnit struct {
	decimals int // maximum number of decimals of an amount
	sent     int // number of decimals that the integer in a request includes
}

// stripeUnits lists the currencies that differ from stripeUnit{2, 2}. Some also differ from
// ISO 4217; see https://docs.stripe.com/currencies#special-cases.
var stripeUnits = map[string]stripeUnit{
	"BIF": {0, 0}, "CLP": {0, 0}, "DJF": {0, 0}, "GNF": {0, 0}, "JPY": {0, 0}, "KMF": {0, 0}, "KRW": {0, 0}, "MGA": {0, 0},
	"PYG": {0, 0}, "RWF": {0, 0}, "VND": {0, 0}, "VUV": {0, 0}, "XAF": {0, 0}, "XOF": {0, 0}, "XPF": {0, 0},
	"ISK": {0, 2}, "UGX": {0, 2},
	"BHD": {2, 3}, "JOD": {2, 3}, "KWD": {2, 3}, "OMR": {2, 3}, "TND": {2, 3},
}

// stripeAmount returns the integer that represents an amount in a request. It
// returns Invalid if Stripe cannot charge the amount.
func stripeAmount(amount store.Amount, currency string) (int64, error) {
	unit, found := stripeUnits[currency]
	if !found {
		unit = stripeUnit{2, 2}
	}
	units, valid := new(big.Rat).SetString(amount.String())
	if !valid || !units.Mul(units, powerOfTen(unit.decimals)).IsInt() {
		return 0, store.InvalidField("amount", "Stripe can't charge %s %s, because amounts in %[2]s can have at most %d decimals.", amount, currency, unit.decimals)
	}
	units.Mul(units, powerOfTen(unit.sent-unit.decimals))
	if !units.Num().IsInt64() {
		return 0, store.InvalidField("amount", "Stripe can't charge %s %s. The amount is too large.", amount, currency)
	}
	return units.Num().Int64(), nil
}

func powerOfTen(n int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
}
