package handlers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// checkInForm returns the form that checks kayaks in. The arguments are the inputs for the
// states of the kayaks, by kayak ID, and for the payment.
func checkInForm(states map[string]views.KayakState, payment views.CheckInPayment) *rentalForm[store.CheckInQuote] {
	return &rentalForm[store.CheckInQuote]{
		title: "Check in", quote: store.Access.QuoteCheckIn,
		page: func(form views.RentalForm, quote *store.CheckInQuote) templ.Component {
			p := views.CheckIn{RentalForm: form, Quote: quote, Payment: payment}
			if quote != nil {
				for i := range quote.Lines {
					p.States = append(p.States, states[quote.Lines[i].KayakID])
				}
			}
			return views.CheckInPage(p)
		},
	}
}

func showCheckIn(r *request) error { return checkInForm(nil, views.CheckInPayment{}).show(r) }

// checkIn checks kayaks in, and charges the amount that the form showed.
func checkIn(r *request) error {
	fields := []string{"kayaks", "charge", store.FieldShown + "*", store.FieldPayMethod, store.FieldKeep, store.FieldKeepWhy}
	for n := 1; n <= store.MaxKayaks; n++ {
		fields = append(fields, store.ConditionField(n), store.DamageField(n), store.RepairField(n))
	}
	form, err := r.readForm(fields...)
	if err != nil {
		return err
	}
	kayaks := parseKayakIDs(form.Get("kayaks"))
	rerender := func(rejected *store.Error) (templ.Component, error) {
		return checkInForm(kayakStates(form, rejected, kayaks), payInputs(form, rejected)).rerender(r, form, rejected)
	}
	if !store.WereShown(kayaks, form.All(store.FieldShown)) {
		return r.rejectChange(errRentalsNotShown(), rerender)
	}
	in := store.CheckIn{
		StoreID: r.id(), Kayaks: returnedKayaks(form, kayaks), Shown: form.All(store.FieldShown),
		Method: store.PayMethod(form.Get(store.FieldPayMethod)), KeepWhy: form.Get(store.FieldKeepWhy),
	}
	if in.Charge, err = store.ParseAmount(cmp.Or(form.Get("charge"), "0")); err != nil {
		return store.InvalidField("", "The charge in this form is not valid. Open the page of the store and start the check-in again.")
	}
	in.Keep = money(form, store.FieldKeep, &in.Wrong)
	rentals, err := r.shop.CheckIn(r.ctx(), in, form.Token())
	message := "Checked in" + toRenter(" from ", rentals) + ": " + kayakLabels(rentals, kayaks) + "."
	return r.finishChange(err, message+r.settled(rentals, in.Method)+r.sentForRepair(in.Kayaks, rentals), views.StorePath(r.id()), rerender)
}

// returnedKayaks returns the kayaks with their entered condition and damage.
func returnedKayaks(form web.Form, ids []string) []store.ReturnedKayak {
	kayaks := make([]store.ReturnedKayak, len(ids))
	for i, id := range ids {
		kayaks[i] = store.ReturnedKayak{
			ID: id, Condition: form.Get(store.ConditionField(i + 1)), Damage: form.Get(store.DamageField(i + 1)), Repair: form.Get(store.RepairField(i+1)) != "",
		}
	}
	return kayaks
}

// kayakStates returns what was entered about the state of each kayak, with the errors.
func kayakStates(form web.Form, rejected *store.Error, ids []string) map[string]views.KayakState {
	states := make(map[string]views.KayakState, len(ids))
	for i, id := range ids {
		states[id] = views.KayakState{
			Condition: formInput(form, rejected, store.ConditionField(i+1)),
			Damage:    formInput(form, rejected, store.DamageField(i+1)),
			Repair:    formInput(form, rejected, store.RepairField(i+1)),
		}
	}
	return states
}

func (r *request) moneyText(amount store.Amount) string {
	return string(views.AppendMoney(nil, amount, r.settings.Currency))
}

// settled returns the part of the success message about the charges and the deposits. It
// omits sums of zero. If rentals is empty, it returns "". The argument rentals is empty if the
// form was submitted before. The argument paidBy is the payment method of the charges.
func (r *request) settled(rentals []store.Rental, paidBy store.PayMethod) string {
	message := r.sumSentence("Charged", rentals, paidBy, func(l *store.Rental) store.Amount { return l.Charge })
	message += r.sumSentence("Deposit kept", rentals, "", func(l *store.Rental) store.Amount { return l.DepositKept })
	var methods []store.PayMethod // an imported deposit can have no method
	for i := range rentals {
		method := rentals[i].DepositBy
		if slices.Contains(methods, method) {
			continue
		}
		methods = append(methods, method)
		message += r.sumSentence("Deposit to return", rentals, method, func(l *store.Rental) store.Amount {
			if l.DepositBy != method {
				return store.Amount{}
			}
			return l.Deposit.Minus(l.DepositKept)
		})
	}
	return message
}

// sumSentence returns a sentence with the sum of an amount of the rentals, or "" if it is zero.
// If the rentals have several renters, the sentence contains the sum of each. It omits the
// method if it is "".
func (r *request) sumSentence(what string, rentals []store.Rental, method store.PayMethod, amount func(*store.Rental) store.Amount) string {
	sums := store.AmountsByRenter(rentals, amount)
	if len(sums) == 0 {
		return ""
	}
	texts := make([]string, len(sums))
	for i, sum := range sums {
		texts[i] = r.moneyText(sum.Amount)
		if hasSeveralRenters(rentals) {
			texts[i] += " for " + sum.Renter
		}
	}
	sentence := " " + what + ": " + strings.Join(texts, " and ")
	if method != "" {
		sentence += ", " + views.PayMethodName(method)
	}
	return sentence + "."
}

// sentForRepair returns the part of the success message that names the kayaks sent for
// repair, and their next bookings. If rentals is empty, it returns "". The argument rentals
// is empty if the form was submitted before.
func (r *request) sentForRepair(kayaks []store.ReturnedKayak, rentals []store.Rental) string {
	var labels, ids []string
	for i := range rentals {
		if slices.ContainsFunc(kayaks, func(k store.ReturnedKayak) bool { return k.Repair && k.ID == rentals[i].KayakID }) {
			labels, ids = append(labels, rentals[i].KayakLabel()), append(ids, rentals[i].KayakID)
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return " Sent for repair: " + strings.Join(labels, ", ") + "." + r.bookedInRepair(ids...)
}
