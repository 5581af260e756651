package ui

import "encoding/json"

// Pick contains what a PickField needs in addition to its input.
type Pick struct {
	Source  string   // address of the suggestions
	Chosen  string   // ID of the chosen record, or PickedNew; "" for none
	Choices []Option // choices shown as radio buttons
	Adds    []Added  // kinds of records that the user may add if no record matches the text
	Closed  []Option // closed customers that match, whom the form rejects; the values are the paths of their pages
}

// Added is a kind of record that the user may add from a PickField.
type Added struct {
	Kind string `json:"kind"`
	Noun string `json:"noun,omitempty"` // name of the kind, if the field offers several; otherwise ""
}

func (a Added) value() string { return PickedAdd + a.Kind }

// offer returns the text of the choice that adds a record with this name, as in Add “Anna”.
func (a Added) offer(name string) string {
	if a.Noun != "" {
		return "Add " + a.Noun + " “" + name + "”"
	}
	return "Add “" + name + "”"
}

// addedNote explains the choices that open the form for a new record. pick.js contains
// the same text.
const addedNote = "Opens another form. What you entered here is kept."

// A PickField sends two more parameters in addition to its own: the ID of the chosen
// record, and the text for which the page showed choices. The next functions return the
// names of these parameters.

// PickedParam returns the name of the parameter with the ID of the chosen record. Its
// value can also be PickedNew, or PickedAdd and a kind of record.
func PickedParam(name string) string { return name + "-id" }

// PickedTextParam returns the name of the parameter with the text for which the page
// showed choices. If the input contains another text, the user has changed it since.
func PickedTextParam(name string) string { return name + "-was" }

// PickedNew is the value of PickedParam if the user adds a new record with the fields of
// the same form.
const PickedNew = "new"

// PickedAdd is the start of the value of PickedParam if the user opens another form to add
// a record. The kind of record completes the value.
const PickedAdd = "add:"

// PickField writes an input in which the user names a record. A script suggests records
// while the user types. Without the script, the choices are radio buttons. The fields in
// added are for a new record. With such fields, the browser does not require the input,
// because it stays empty if the user adds a new record.
func PickField(f Field, added ...Field) Written {
	f.Required = f.Required && len(added) == 0
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<div class="pick" data-pick="`)
		m.Text(f.Pick.Source)
		if len(f.Pick.Adds) > 0 && len(added) == 0 {
			m.HTML(`" data-add="`)
			m.Text(asJSON(f.Pick.Adds))
		}
		m.HTML(`"><input class="ctl" type="text" autocomplete="off" spellcheck="false"`)
		m.control(&f)
		m.HTML(` value="`)
		m.Text(f.Value)
		m.HTML(`"><input type="hidden" name="`)
		m.Text(PickedTextParam(f.Name))
		m.HTML(`" value="`)
		m.Text(f.Value)
		m.HTML(`">`)
		m.notes(&f)
		for _, c := range f.Pick.Closed {
			m.closed(c)
		}
		m.choices(&f, added)
		m.HTML(`</div></div>`)
	}
}

// closed writes the link to a closed customer.
func (m *Markup) closed(c Option) {
	m.HTML(`<p class="alert warn">Closed customer: <a href="`)
	m.Address(c.Value)
	m.HTML(`"><bdi>`)
	m.Text(c.Text)
	m.HTML(`</bdi></a>`)
	if c.Note != "" {
		m.HTML(` <bdi>`)
		m.Text(c.Note)
		m.HTML(`</bdi>`)
	}
	m.HTML(`</p>`)
}

// choices writes the radio buttons of a PickField.
func (m *Markup) choices(f *Field, added []Field) {
	offersAdd := len(f.Pick.Adds) > 0 && len(added)+len(f.Pick.Choices) == 0 && f.Error != "" && f.Value != ""
	if len(f.Pick.Choices)+len(added) == 0 && !offersAdd {
		return
	}
	m.HTML(`<fieldset class="choices"><legend class="vh">`)
	m.Text(f.Label)
	m.HTML(`</legend>`)
	for _, o := range f.Pick.Choices {
		m.choice(f, o)
	}
	for _, add := range f.Pick.Adds {
		if offersAdd {
			m.choice(f, Option{Value: add.value(), Text: add.offer(f.Value), Note: addedNote})
		}
	}
	if len(added) > 0 {
		m.choice(f, Option{Value: PickedNew, Text: "Someone new"})
		m.HTML(`<div class="fields reveal">`)
		for _, field := range added {
			TextField(field)(m)
		}
		m.HTML(`</div>`)
	}
	m.HTML(`</fieldset>`)
}

func (m *Markup) choice(f *Field, o Option) {
	m.HTML(`<label class="choice"><input type="radio" name="`)
	m.Text(PickedParam(f.Name))
	m.HTML(`" value="`)
	m.Text(o.Value)
	m.HTML(`"`)
	if o.Value == f.Pick.Chosen {
		m.HTML(` checked`)
	}
	m.HTML(`><span><b dir="auto">`)
	m.Text(o.Text)
	m.HTML(`</b>`)
	if o.Note != "" {
		m.HTML(` <span class="sub" dir="auto">`)
		m.Text(o.Note)
		m.HTML(`</span>`)
	}
	m.HTML(`</span></label>`)
}

// asJSON encodes the kinds of records that the user may add, for pick.js.
func asJSON(adds []Added) string {
	text, err := json.Marshal(adds)
	if err != nil {
		panic(err) // cannot happen: the values are strings
	}
	return string(text)
}
