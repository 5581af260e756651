package store

import (
	"context"
	"slices"
)

// Service names the service that charges payments or sends emails.
type Service string

// The services.
const (
	ServiceStripe Service = "stripe" // charges payments with Stripe
	ServiceRecord Service = "record" // records payments as paid and charges nobody
	ServiceSMTP   Service = "smtp"   // sends emails through a mail server
	ServiceOutbox Service = "outbox" // keeps emails in the outbox
	ServiceOff    Service = "off"    // no service: an admin has switched payments off
)

// CodePaymentsNotSetUp is the code of the error on a server that must not charge payments,
// because the settings name no payment service, or another one than this server uses.
const CodePaymentsNotSetUp = "payments-not-set-up"

// PaymentServices lists the services that charge payments.
var PaymentServices = []Service{ServiceStripe, ServiceRecord}

// StatePayments sets Settings.Payments if it is still "". It returns Invalid for a
// service that is not in PaymentServices.
func (s *Store) StatePayments(ctx context.Context, service Service) error {
	if !slices.Contains(PaymentServices, service) {
		return InvalidField("payments", "Choose \"stripe\" or \"record\".")
	}
	return changeBackoff.Retry(ctx, func(err error) bool { return KindOf(err) == Conflict }, func() error {
		settings, err := readConsistently[*Settings](ctx, s, getSettings, nil)
		if KindOf(err) == NotFound {
			defaults := DefaultSettings()
			settings, err = &defaults, nil
		}
		if err != nil || settings.Payments != "" {
			return err
		}
		settings.Payments = service
		return s.SaveSettings(ctx, *settings, Program)
	})
}
