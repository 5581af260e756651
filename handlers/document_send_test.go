package handlers

import (
	"encoding/base64"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"stockroom/store"
	"stockroom/store/jobs"
)

// mailServer is an SMTP server that stores the messages.
type mailServer struct {
	mu       sync.Mutex
	messages []string
}

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (*mailServer) Reset()                                        {}
func (*mailServer) Logout() error                                 { return nil }
func (*mailServer) Mail(string, *smtp.MailOptions) error          { return nil }
func (*mailServer) Rcpt(string, *smtp.RcptOptions) error          { return nil }

func (m *mailServer) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, string(body))
	return err
}

// deliverEmails sends the emails in the outbox over SMTP, and returns the messages. The
// counts of the delivery must be those in want.
func deliverEmails(t *testing.T, b *backOffice, want jobs.Delivery) []string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &mailServer{}
	serving := smtp.NewServer(server)
	go func() { _ = serving.Serve(listener) }() // returns when the listener is closed
	defer serving.Close()
	mailer, err := jobs.NewSMTP(listener.Addr().String(), "Shop <shop@example.com>", "", "", b.store.Now)
	if err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(jobs.Config{Store: b.store, Processor: jobs.Record{}, Mail: mailer, Render: RenderEmail(b.store, NewViewReader(b.store), ""), Log: slog.New(slog.DiscardHandler)})
	defer runner.Close()
	if got, err := runner.DeliverEmails(t.Context()); err != nil || got != want {
		t.Fatalf("got delivery %+v, %v; want %+v", got, err, want)
	}
	return server.messages
}

// emailParts checks the order of the parts of a message, and returns the decoded parts
// by media type.
func emailParts(t *testing.T, message string) (m *mail.Message, parts map[string]string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	parts = map[string]string{}
	var order []string
	var read func(kind string, body io.Reader)
	read = func(kind string, body io.Reader) {
		media, values, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, media)
		if !strings.HasPrefix(media, "multipart/") {
			content, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			parts[media] = string(content)
			return
		}
		for reader := multipart.NewReader(body, values["boundary"]); ; {
			part, err := reader.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var content io.Reader = part
			switch part.Header.Get("Content-Transfer-Encoding") {
			case "base64":
				content = base64.NewDecoder(base64.StdEncoding, part)
			case "quoted-printable":
				content = quotedprintable.NewReader(part)
			}
			if name := part.FileName(); name != "" {
				parts["file"] = name
			}
			read(part.Header.Get("Content-Type"), content)
		}
	}
	read(m.Header.Get("Content-Type"), m.Body)
	if got, want := strings.Join(order, " "), "multipart/mixed multipart/alternative text/plain text/html application/pdf"; got != want {
		t.Fatalf("got the parts %s, want %s", got, want)
	}
	return m, parts
}

// TestSendDocument emails an invoice, a credit note and an order confirmation.
// Submitting a form again must not send the document again. A new form must send it
// again.
func TestSendDocument(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	for path, want := range map[string]struct {
		subject, file, timeline string
		texts                   []string
	}{
		"/invoices/iopen":           {"Invoice iopen", "invoice-iopen.pdf", "invoice iopen", []string{"Invoice amount: €5.46", "Please pay: €5.36"}},
		"/credit-notes/cnopen":      {"Credit note cnopen for invoice iopen", "credit-note-cnopen.pdf", "credit note cnopen", []string{"corrects invoice iopen"}},
		"/orders/open/confirmation": {"Confirmation of your order open", "order-open.pdf", "order confirmation open", []string{"Thank you for your order open", "Total: €5.46"}},
	} {
		if got := support.get(path + "/send"); got.status != http.StatusOK || !strings.Contains(got.body, `value="Customer1@example.com"`) {
			t.Fatalf("%s: got status %d, want a form with the address of the customer: %s", path, got.status, content(got.body))
		}
		if got := support.post(path+"/send", url.Values{"to": {"nobody"}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got status %d for an invalid address, want 422", path, got.status)
		}
		form := url.Values{"to": {" books@example.com "}, "once": {support.token(path + "/send")}}
		for range 2 {
			if got := support.post(path+"/send", form); got.status != http.StatusSeeOther {
				t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
			}
		}
		messages := deliverEmails(t, b, jobs.Delivery{Sent: 1})
		m, parts := emailParts(t, messages[0])
		if m.Header.Get("Subject") != want.subject || !strings.Contains(m.Header.Get("To"), "books@example.com") || parts["file"] != want.file {
			t.Errorf("%s: got the subject %q, the recipient %q and the file %s, want those of the document", path, m.Header.Get("Subject"), m.Header.Get("To"), parts["file"])
		}
		for _, text := range want.texts {
			if !strings.Contains(parts["text/plain"], text) || !strings.Contains(parts["text/html"], text) {
				t.Errorf("%s: got no %q in both parts: %s", path, text, messages[0])
			}
		}
		print := path + "/print"
		if strings.HasSuffix(path, "confirmation") {
			print = path
		}
		checkPDFTexts(t, parts["application/pdf"], support.get(print).body, 10)
		timeline := support.get("/orders/open").body
		for _, entry := range []string{"Email queued: " + want.timeline, "Email sent: " + want.timeline, "to books@example.com"} {
			if !strings.Contains(timeline, entry) {
				t.Errorf("%s: got no %q in the timeline of the order", path, entry)
			}
		}
		for _, entry := range []string{"Email queued: ", "Email sent: "} {
			link := regexp.MustCompile(`href="(/emails/[^"]+)"><b dir="auto">` + entry + want.timeline).FindStringSubmatch(timeline)
			if link == nil {
				t.Errorf("%s: got no link to the email in the entry %q", path, entry)
			} else if page := support.get(link[1]); page.status != http.StatusOK || !strings.Contains(page.body, want.subject) {
				t.Errorf("%s: the entry %q leads to status %d without the subject", path, entry, page.status)
			}
		}
		form.Set("once", support.token(path+"/send"))
		if got := support.post(path+"/send", form); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d for a new form, want 303", path, got.status)
		}
		deliverEmails(t, b, jobs.Delivery{Sent: 1})
	}
	found, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).EmailsOfCustomer(t.Context(), "c01", store.Page{Limit: store.MaxLimit})
	if err != nil || len(found.Rows) != 7 { // 7, including the rejected email of openOrder
		t.Errorf("got %d emails, %v; want 7", len(found.Rows), err)
	}
}

// TestSendDocument_AfterCancellation emails the confirmation of an order. The open items
// of the order are cancelled before or after the form is submitted. The text and the PDF
// must contain the same total.
func TestSendDocument_AfterCancellation(t *testing.T) {
	for what, sentFirst := range map[string]bool{"cancelled before": false, "cancelled before the delivery": true} {
		t.Run(what, func(t *testing.T) {
			b := open(t, openOrder()...)
			support := b.as(t, "support")
			send := func() {
				form := url.Values{"to": {"books@example.com"}, "once": {support.token("/orders/open/confirmation/send")}}
				if got := support.post("/orders/open/confirmation/send", form); got.status != http.StatusSeeOther {
					t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
				}
			}
			if sentFirst {
				send()
			}
			shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
			o, err := shop.Order(t.Context(), "open")
			if err != nil {
				t.Fatal(err)
			}
			if err := shop.CancelOrder(t.Context(), store.Cancellation{OrderID: "open", Version: o.Version, Why: "x"}, ""); err != nil {
				t.Fatal(err)
			}
			if !sentFirst {
				send()
			}
			_, parts := emailParts(t, deliverEmails(t, b, jobs.Delivery{Sent: 1})[0])
			if !strings.Contains(parts["text/plain"], "Total: €1.10") {
				t.Errorf("got the text %s, want the total of the shipped item", parts["text/plain"])
			}
			print := support.get("/orders/open/confirmation").body
			if !strings.Contains(print, "€1.10") || strings.Contains(print, "€5.46") {
				t.Error("got another total on the printed page")
			}
			checkPDFTexts(t, parts["application/pdf"], print, 8)
		})
	}
}
