package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/table"
)

const (
	emailLease   = "emails"
	emailPage    = 100             // emails read in one query
	emailWorkers = 4               // connections to the mail server
	emailHold    = 2 * time.Minute // how long an attempt may take to send an email and record the outcome; after that, it counts as abandoned
	writeTimeout = time.Minute     // maximum time for reading the contents of an email and rendering it
	maxMessages  = 50              // messages over one connection; many mail servers allow 100
)

// Delivery counts the outcomes of delivering the outbox.
type Delivery struct {
	Sent        int
	Retried     int // emails that the mail server did not accept, and that are queued again
	Failed      int
	Unconfirmed int // emails that the mail server may have accepted
}

// DeliverEmails sends the due emails in the outbox, until none is left. It does nothing if
// there is no mail server, or if this or another server is already sending emails. If it
// cannot reach the mail server, it returns an error. This does not count as an attempt to
// send the emails.
//
// DeliverEmails records an attempt before it sends an email. If the program stops before it
// has stored the outcome, the email becomes unconfirmed. Only a user can send it again. The
// program therefore never sends an email twice by itself.
func (r *Runner) DeliverEmails(ctx context.Context) (total Delivery, err error) {
	if r.Mail == nil || !r.delivering.TryLock() {
		return total, nil
	}
	defer r.delivering.Unlock()
	switch err := r.Store.AcquireLease(ctx, emailLease, r.id, r.Store.Now().Add(leaseTime)); {
	case errors.Is(err, store.ErrLeased):
		return total, nil
	case err != nil:
		return total, err
	}
	defer func() {
		err = errors.Join(err, r.Store.ReleaseLease(context.WithoutCancel(ctx), emailLease, r.id))
	}()
	leased, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leased, emailLease, r.id, cancel)
	if err := r.recordAbandoned(leased, &total); err != nil {
		return total, err
	}
	for leased.Err() == nil {
		var due []store.Email
		err := retry(leased, func() (err error) {
			due, err = r.Store.EmailsDue(leased, emailPage)
			return err
		})
		if err != nil || len(due) == 0 {
			return total, err
		}
		before := total
		if err := r.deliver(leased, due, &total); err != nil {
			return total, err
		}
		if total == before { // other runners have sent these emails, but the index still contains them
			return total, nil
		}
	}
	return total, ctx.Err()
}

// TickEmails delivers the outbox.
func (r *Runner) TickEmails(ctx context.Context) error {
	d, err := r.DeliverEmails(ctx)
	if d != (Delivery{}) {
		r.Log.Info("emails delivered", "sent", d.Sent, "retried", d.Retried, "failed", d.Failed, "unconfirmed", d.Unconfirmed)
	}
	return err
}

// StartDelivery delivers the outbox in the background, so that an email that a user has
// just queued does not wait for the next tick.
func (r *Runner) StartDelivery() {
	if r.Mail == nil {
		return
	}
	r.background.Go(func() {
		if err := r.TickEmails(store.WithCostJob(r.ctx, store.CostEmails)); err != nil && r.ctx.Err() == nil {
			r.Log.Error("emails not delivered", "error", err)
		}
	})
}

// recordAbandoned records as unconfirmed the emails whose runner has stopped without
// storing an outcome.
func (r *Runner) recordAbandoned(ctx context.Context, total *Delivery) error {
	for {
		abandoned, err := r.Store.EmailsAbandoned(ctx, emailPage)
		if err != nil || len(abandoned) == 0 {
			return err
		}
		before := *total
		for i := range abandoned {
			if err := r.Store.RecordEmailUnconfirmed(ctx, &abandoned[i], "The program stopped while it sent this email."); err != nil {
				return err
			}
			total.Unconfirmed++
		}
		if *total == before || len(abandoned) < emailPage {
			return nil
		}
	}
}

func (r *Runner) deliver(ctx context.Context, due []store.Email, total *Delivery) error {
	queue := make(chan *store.Email, len(due))
	for i := range due {
		queue <- &due[i]
	}
	close(queue)
	var mu sync.Mutex
	var failed []error
	var workers sync.WaitGroup
	for range min(emailWorkers, len(due)) {
		workers.Go(func() {
			w := &emailWorker{Runner: r}
			for e := range queue {
				var d Delivery
				err := table.Recovering(func() (err error) {
					d, err = w.send(ctx, e)
					return err
				})()
				mu.Lock()
				total.Sent, total.Retried, total.Failed, total.Unconfirmed = total.Sent+d.Sent, total.Retried+d.Retried, total.Failed+d.Failed, total.Unconfirmed+d.Unconfirmed
				mu.Unlock()
				if err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
					break
				}
			}
			w.disconnect()
		})
	}
	workers.Wait()
	return errors.Join(failed...)
}

// emailWorker sends emails one after the other over one connection.
type emailWorker struct {
	*Runner
	connection MailConnection
	sent       int // number of messages sent over the connection
}

// send sends one email and stores the outcome, even if the runner is stopping. It returns
// an error if it cannot reach the mail server or the table.
func (w *emailWorker) send(ctx context.Context, e *store.Email) (d Delivery, err error) {
	outdated, message, rendered := w.write(ctx, e)
	if ctx.Err() != nil {
		return d, ctx.Err()
	}
	if outdated != "" {
		err := w.Runner.Store.RecordEmailOutdated(ctx, e, outdated)
		if store.KindOf(err) == store.Conflict {
			return d, nil
		}
		return Delivery{Failed: 1}, err
	}
	if rendered == nil {
		if err := w.connect(ctx); err != nil {
			return d, err
		}
	}
	begun, err := w.begin(ctx, e)
	if err != nil || begun == nil {
		return d, err
	}
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if rendered != nil {
		return w.recordFailure(recording, begun, w.renderFailure(e, rendered))
	}
	response, err := w.connection.Send(message)
	w.sent++
	if err != nil {
		w.disconnect()
		var failure *SendError
		if !errors.As(err, &failure) {
			failure = &SendError{Unknown: true, Reason: err.Error()}
		}
		return w.recordFailure(recording, begun, failure)
	}
	if w.sent == maxMessages {
		w.disconnect()
	}
	err = retry(recording, func() error { return w.Runner.Store.RecordEmailSent(recording, begun, response) })
	return Delivery{Sent: 1}, err
}

// write returns the message for an email. If the email must no longer be sent, outdated
// says why. write also returns an error if rendering the message causes a panic, or takes
// longer than writeTimeout.
func (w *emailWorker) write(ctx context.Context, e *store.Email) (outdated string, m Message, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err = table.Recovering(func() (err error) {
		if outdated, err = w.Runner.Store.EmailOutdated(ctx, e); err != nil || outdated != "" {
			return err
		}
		m, err = w.Render(ctx, e)
		return err
	})()
	return outdated, m, err
}

// renderFailure returns the failure of an email for which write returned an error. It is
// permanent after a panic, or if the user can no longer open the list of a saved view.
func (w *emailWorker) renderFailure(e *store.Email, err error) *SendError {
	failure := &SendError{Reason: "The email could not be written: " + failureReason(err)}
	if kind := store.KindOf(err); kind == store.Forbidden || kind == store.NotFound || kind == store.Invalid {
		failure.Permanent = e.View != ""
	}
	var panicked *table.PanicError
	if errors.As(err, &panicked) {
		w.Log.Error("email not written", "id", e.ID, "kind", string(e.Kind), "error", store.MaskCardNumbers(err.Error()))
		failure.Permanent, failure.Reason = true, fmt.Sprintf("The email could not be created because of a bug in Stockroom: %v", panicked.Value)
	}
	return failure
}

// begin stores that the worker is about to send the email. It returns nil if another
// runner is sending or has sent the email.
func (w *emailWorker) begin(ctx context.Context, e *store.Email) (begun *store.Email, err error) {
	owner := w.id + "/" + w.Runner.Store.NewToken()
	err = retry(ctx, func() (err error) {
		begun, err = w.Runner.Store.BeginEmail(ctx, e, owner, w.Runner.Store.Now().Add(emailHold))
		return err
	})
	if store.KindOf(err) == store.Conflict {
		return nil, nil
	}
	return begun, err
}

func (w *emailWorker) recordFailure(ctx context.Context, e *store.Email, failure *SendError) (Delivery, error) {
	w.Log.Warn("sending an email failed", "id", e.ID, "kind", string(e.Kind), "error", store.MaskCardNumbers(failure.Reason))
	if failure.Unknown {
		return Delivery{Unconfirmed: 1}, retry(ctx, func() error { return w.Runner.Store.RecordEmailUnconfirmed(ctx, e, failure.Reason) })
	}
	d := Delivery{Retried: 1}
	if failure.Permanent {
		d = Delivery{Failed: 1}
	}
	return d, retry(ctx, func() error {
		return w.Runner.Store.RecordEmailRejected(ctx, e, failure.Reason, failure.Permanent)
	})
}

func (w *emailWorker) connect(ctx context.Context) (err error) {
	if w.connection != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.RequestTimeout)
	defer cancel()
	w.connection, err = w.Mail.Connect(ctx)
	w.sent = 0
	return err
}

// disconnect ends the connection. It only logs an error, because the outcome of each
// message is already known.
func (w *emailWorker) disconnect() {
	if w.connection == nil {
		return
	}
	if err := w.connection.Close(); err != nil {
		w.Log.Debug("cannot close the connection to the mail server", "error", err)
	}
	w.connection = nil
}
