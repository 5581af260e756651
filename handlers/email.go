package handlers

import (
	"cmp"
	"context"
	"errors"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/views"
	"stockroom/web"
)

// RenderEmail returns the function that renders an email when it is sent. The argument
// origin is the scheme and host of links to the site, or "" without -public-url.
func RenderEmail(s *store.Store, lists *ViewReader, origin string) func(context.Context, *store.Email) (jobs.Message, error) {
	return func(ctx context.Context, e *store.Email) (jobs.Message, error) {
		settings, err := s.Settings(ctx)
		if err != nil {
			return jobs.Message{}, err
		}
		link := ""
		if e.CardLink != "" {
			if link, err = s.CardLinkURL(ctx, e.CardLink); err != nil {
				return jobs.Message{}, err
			}
		}
		if e.PasswordLink != "" {
			if link, err = passwordLink(ctx, s, origin, e.PasswordLink); err != nil {
				return jobs.Message{}, err
			}
		}
		var attached []jobs.Attachment
		if e.Document != "" { // before the text, because reading the document sets amounts in e that the text contains
			if attached, err = attachedDocument(ctx, s, settings, e); err != nil {
				return jobs.Message{}, err
			}
		}
		var list *views.EmailedView
		if e.View != "" {
			if list, err = lists.rows(ctx, e); err != nil {
				return jobs.Message{}, err
			}
			if origin != "" {
				link = origin + list.Path
			}
		}
		content, err := views.RenderEmail(ctx, settings, e, link, list)
		return jobs.Message{ID: e.MessageID(), To: e.To, Subject: content.Subject, Text: content.Text, HTML: content.HTML, Attachments: attached}, err
	}
}

// passwordLink returns the address at which a user can choose a new password. Each call
// creates a new code, and addresses with earlier codes stop working. It returns an error
// if origin is "".
func passwordLink(ctx context.Context, s *store.Store, origin, id string) (string, error) {
	if origin == "" {
		return "", errors.New("start Stockroom with -public-url")
	}
	code, err := s.NewPasswordCode(ctx, id)
	return origin + views.PasswordLinkPath(id, code), err
}

// attachedDocument returns the PDF of the email's document.
func attachedDocument(ctx context.Context, s *store.Store, settings store.Settings, e *store.Email) ([]jobs.Attachment, error) {
	d, err := s.DocumentOf(ctx, e)
	if err != nil {
		return nil, err
	}
	logo, err := s.PDFLogo(ctx, settings.Company)
	if err != nil {
		return nil, err
	}
	name, file, err := views.DocumentPDF(settings, logo, e.Created, d)
	return []jobs.Attachment{{Name: name, Type: "application/pdf", Data: file}}, err
}

func listEmails(r *request) error {
	q, err := r.query("status")
	if err != nil {
		return err
	}
	status := cmp.Or(web.OneNamed(q, "status", store.EmailStatuses, views.EmailStatusText), store.EmailQueued)
	return respondList(r, q, listPage[store.Email]{
		file: "emails", columns: emailColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Email], error) {
			return r.shop.Emails(ctx, status, p)
		},
		page: func(l views.List, rows []store.Email) templ.Component {
			return views.EmailsPage(views.Emails{Page: r.page("Emails"), List: l, Status: status, Rows: rows, MailServer: r.site.jobs.SendsEmails()})
		},
	})
}

func showEmail(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	e, err := r.shop.Email(r.ctx(), r.id())
	if err != nil {
		return err
	}
	if r.wantsFile() {
		return web.SendJSON(r.Context, e)
	}
	page, err := r.emailPage(e, "")
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) emailPage(e *store.Email, problem string) (templ.Component, error) {
	settings, err := r.shop.Settings(r.ctx())
	if err != nil {
		return nil, err
	}
	content, err := views.RenderEmail(r.ctx(), settings, e, "", nil)
	if err != nil {
		return nil, err
	}
	return views.EmailPage(views.Email{
		Page: r.page(content.Subject), Email: *e, Subject: content.Subject, Text: content.Text, Body: views.NewEmailBody(settings, e), Problem: problem,
		CanAgain: r.user.May(store.Subscribe) && (e.Status == store.EmailFailed || e.Status == store.EmailUnconfirmed), Token: r.newFormToken(),
	}), nil
}

func sendEmailAgain(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.SendEmailAgain(r.ctx(), store.EmailForm{ID: r.id(), Version: form.Version(), Token: form.Token()})
	if err == nil {
		r.site.jobs.StartDelivery()
	}
	return r.finishChange(err, "Email queued again.", views.EmailPath(r.id()), func(rejected *store.Error) (templ.Component, error) {
		e, err := r.shop.Email(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		return r.emailPage(e, rejected.Message)
	})
}

var emailColumns = []web.Column[store.Email]{
	{Name: "EmailID", Cell: func(e store.Email) web.Cell { return web.Text(e.ID) }},
	{Name: "Kind", Cell: func(e store.Email) web.Cell { return web.Text(string(e.Kind)) }},
	{Name: "To", Cell: func(e store.Email) web.Cell { return web.Text(e.To) }},
	referColumn("CustomerID", func(e store.Email) string { return e.CustomerID }),
	{Name: "Status", Cell: func(e store.Email) web.Cell { return web.Text(string(e.Status)) }},
	{Name: "Created", Cell: func(e store.Email) web.Cell { return instant(e.Created) }},
	{Name: "At", Cell: func(e store.Email) web.Cell { return instant(e.At) }},
	{Name: "Attempts", Cell: func(e store.Email) web.Cell { return integer(e.Attempts) }},
	{Name: "Response", Cell: func(e store.Email) web.Cell { return web.Text(e.Response) }},
}
