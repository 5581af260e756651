package ui

import (
	"cmp"
	"slices"
)

// Field is a field of a form with its input.
type Field struct {
	Name         string // name of the form parameter
	Label        string
	Type         string // type of the input; "" for text
	Autocomplete string // value of the attribute autocomplete; "" for off
	Hint         string // sentence below the field
	SharedHint   string // element ID of a hint that several fields share
	Suggestions  string // element ID of a <datalist>; "" for none
	Required     bool
	Focus        bool        // the field has the focus when the page opens
	Numeric      bool        // numeric keyboard on phones
	Decimal      bool        // numeric keyboard with a decimal point
	Multiline    bool        // write a text area
	Options      []Option    // options of a SelectField
	Bare         bool        // hide the label, for example in a table, but keep it for screen readers
	Now          string      // the saved value, shown next to the input after a conflict
	Links        []FieldLink // links after the error
	Pick         *Pick       // choices of a PickField
	Input
}

// Option is an option of a SelectField or a choice of a PickField.
type Option struct {
	Value, Text string
	Note        string // details of a choice of a PickField
}

// FieldLink is a link below a field, to a page that helps with its error.
type FieldLink struct{ Path, Text string }

// TextField writes an input with its label, hint and error.
func TextField(f Field) Written { return func(m *Markup) { m.TextField(&f) } }

// TextField writes an input with its label, hint and error.
func (m *Markup) TextField(f *Field) {
	m.label(f)
	m.HTML(`<input class="ctl"`)
	m.control(f)
	m.HTML(` type="`)
	m.Text(cmp.Or(f.Type, "text"))
	m.HTML(`" value="`)
	m.Text(f.Value)
	m.HTML(`" autocomplete="`)
	m.Text(cmp.Or(f.Autocomplete, "off"))
	if f.Numeric {
		m.HTML(`" inputmode="numeric`)
	}
	if f.Decimal {
		m.HTML(`" inputmode="decimal`)
	}
	if f.Suggestions != "" {
		m.HTML(`" list="`)
		m.Text(f.Suggestions)
	}
	m.HTML(`">`)
	m.endField(f)
}

// SelectField writes a select with its label, hint and error.
func SelectField(f Field, options []Option) Written {
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<span class="select"><select class="ctl"`)
		m.control(&f)
		m.HTML(`>`)
		for _, o := range options {
			m.HTML(`<option value="`)
			m.Text(o.Value)
			if o.Value == f.Value {
				m.HTML(`" selected>`)
			} else {
				m.HTML(`">`)
			}
			m.Text(o.Text)
			m.HTML(`</option>`)
		}
		m.HTML(`</select></span>`)
		m.endField(&f)
	}
}

// TextArea writes a text area with its label, hint and error.
func TextArea(f Field) Written {
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<textarea class="ctl" rows="3"`)
		m.control(&f)
		m.HTML(`>`)
		m.Text(f.Value)
		m.HTML(`</textarea>`)
		m.endField(&f)
	}
}

// CheckField writes a checkbox with the value "yes".
func CheckField(f Field) Written {
	return func(m *Markup) {
		m.HTML(`<div class="field"><label class="check"><input type="checkbox" value="yes"`)
		m.control(&f)
		if f.Value != "" {
			m.HTML(` checked`)
		}
		m.HTML(`> `)
		m.Text(f.Label)
		m.HTML(`</label>`)
		m.endField(&f)
	}
}

// The element IDs of a field are derived from its name. For the field "from", they are
// field-from, field-from-error, field-from-now and field-from-hint.

func (m *Markup) label(f *Field) {
	m.HTML(`<div class="field`)
	if f.Value != "" {
		m.HTML(` set`)
	}
	if f.Bare {
		m.HTML(`"><label class="vh" for="field-`)
	} else {
		m.HTML(`"><label for="field-`)
	}
	m.Text(f.Name)
	m.HTML(`">`)
	m.Text(f.Label)
	m.HTML(`</label>`)
}

// control writes the attributes that all inputs have. aria-describedby starts with
// the error, so that screen readers read the error first.
func (m *Markup) control(f *Field) {
	m.HTML(` id="field-`)
	m.Text(f.Name)
	m.HTML(`" name="`)
	m.Text(f.Name)
	m.HTML(`"`)
	if f.Required {
		m.HTML(` required`)
	}
	if f.Focus {
		m.HTML(` autofocus`)
	}
	if f.Error != "" {
		m.HTML(` aria-invalid="true"`)
	}
	if f.Error == "" && f.Now == "" && f.Hint == "" && f.SharedHint == "" {
		return
	}
	m.HTML(` aria-describedby="`)
	if f.Error != "" {
		m.HTML(`field-`)
		m.Text(f.Name)
		m.HTML(`-error `)
	}
	if f.Now != "" {
		m.HTML(`field-`)
		m.Text(f.Name)
		m.HTML(`-now `)
	}
	if f.Hint != "" {
		m.HTML(`field-`)
		m.Text(f.Name)
		m.HTML(`-hint `)
	}
	m.Text(f.SharedHint)
	m.HTML(`"`)
}

func (m *Markup) endField(f *Field) {
	m.notes(f)
	m.HTML(`</div>`)
}

// notes writes the error, the stored value and the hint of a field.
func (m *Markup) notes(f *Field) {
	if f.Error != "" {
		m.HTML(`<p class="error" id="field-`)
		m.Text(f.Name)
		m.HTML(`-error">`)
		m.Text(f.Error)
		for i := range f.Links {
			if i == 0 {
				m.HTML(` See `)
			} else {
				m.HTML(`, `)
			}
			m.link(f.Links[i].Path, "", f.Links[i].Text)
		}
		m.HTML(`</p>`)
	}
	if f.Now != "" {
		m.HTML(`<p class="now" id="field-`)
		m.Text(f.Name)
		m.HTML(`-now">Currently: <b dir="auto">`)
		m.Text(f.Now)
		m.HTML(`</b></p>`)
	}
	if f.Hint != "" {
		m.HTML(`<p class="hint" id="field-`)
		m.Text(f.Name)
		m.HTML(`-hint">`)
		m.Text(f.Hint)
		m.HTML(`</p>`)
	}
}

// ErrorSummary lists the errors of a page, with links to their fields. It writes nothing
// if there are no errors. The browser moves the focus to the list, so that users of
// keyboards and screen readers find it.
func ErrorSummary(fields ...Field) Written {
	return func(m *Markup) {
		if !AnyWrong(fields...) {
			return
		}
		m.HTML(`<div class="alert bad" role="alert" tabindex="-1" autofocus><h2>Please fix the following</h2><ul>`)
		for i := range fields {
			if f := &fields[i]; f.Error != "" {
				m.HTML(`<li><a href="#field-`)
				m.Text(f.Name)
				m.HTML(`">`)
				m.Text(f.Label)
				m.HTML(`: `)
				m.Text(f.Error)
				m.HTML(`</a></li>`)
			}
		}
		m.HTML(`</ul></div>`)
	}
}

// AnyWrong reports whether one of the fields has an error.
func AnyWrong(fields ...Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Error != "" })
}
