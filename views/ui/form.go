package ui

import (
	"cmp"
	"slices"
)

// Field is one field of a form: what it asks for and what was typed.
type Field struct {
	Name         string // of the parameter
	Label        string
	Type         string // of the input; "" is text
	Autocomplete string // "" is off: what is typed here is not about the user
	Hint         string // a hint of its own
	SharedHint   string // the id of a hint that several fields share
	Suggestions  string // the id of a <datalist>; "" for none
	Required     bool
	Numeric      bool   // a phone shows its keyboard of digits
	Decimal      bool   // the same, with a point
	Multiline    bool   // a text area
	Bare         bool   // the label is only read out: a table's heading says it to those who see
	Now          string // what the value is now, where somebody else changed it meanwhile; both are shown
	Input
}

// Option is one choice of a SelectField.
type Option struct{ Value, Text string }

// TextField is a labelled input, with what is wrong with it beneath.
func TextField(f Field) Written {
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<input class="ctl"`)
		m.control(&f)
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
		m.notes(&f)
	}
}

// SelectField is a labelled choice.
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
		m.notes(&f)
	}
}

// TextArea is a labelled input of several lines.
func TextArea(f Field) Written {
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<textarea class="ctl" rows="3"`)
		m.control(&f)
		m.HTML(`>`)
		m.Text(f.Value)
		m.HTML(`</textarea>`)
		m.notes(&f)
	}
}

// CheckField is a box to tick, whose value is "yes" where it is ticked.
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
		m.notes(&f)
	}
}

// The parts of a field have ids that are made of its name: field-from and,
// if there are such, field-from-error and field-from-hint.

func (m *Markup) label(f *Field) {
	if f.Bare {
		m.HTML(`<div class="field"><label class="vh" for="field-`)
	} else {
		m.HTML(`<div class="field"><label for="field-`)
	}
	m.Text(f.Name)
	m.HTML(`">`)
	m.Text(f.Label)
	m.HTML(`</label>`)
}

// control writes the attributes that every control has. What is wrong is read
// out before what would have been right.
func (m *Markup) control(f *Field) {
	m.HTML(` id="field-`)
	m.Text(f.Name)
	m.HTML(`" name="`)
	m.Text(f.Name)
	m.HTML(`"`)
	if f.Required {
		m.HTML(` required`)
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

func (m *Markup) notes(f *Field) {
	if f.Error != "" {
		m.HTML(`<p class="error" id="field-`)
		m.Text(f.Name)
		m.HTML(`-error">`)
		m.Text(f.Error)
		m.HTML(`</p>`)
	}
	if f.Now != "" {
		m.HTML(`<p class="now" id="field-`)
		m.Text(f.Name)
		m.HTML(`-now">Meanwhile it became <b dir="auto">`)
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
	m.HTML(`</div>`)
}

// ErrorSummary says on top of a page what is wrong in its forms and leads to
// the fields. It shows nothing where nothing is wrong.
func ErrorSummary(fields ...Field) Written {
	return func(m *Markup) {
		if !AnyWrong(fields...) {
			return
		}
		m.HTML(`<div class="alert bad" role="alert"><h2>This needs another look</h2><ul>`)
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

// AnyWrong says whether one of the fields has an error.
func AnyWrong(fields ...Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Error != "" })
}
