package ui

// Pick is what a PickField offers besides its input.
type Pick struct {
	Source  string   // address of the suggestions
	Chosen  string   // value of the chosen choice; "" for none
	Choices []Option // shown as radio buttons
}

// The names of the parameters of a PickField, besides its own.

// PickedParam returns the parameter with the ID of the chosen record, or PickedNew.
func PickedParam(name string) string { return name + "-id" }

// PickedTextParam returns the parameter with the text that the choices belong to.
func PickedTextParam(name string) string { return name + "-was" }

// PickedNew is the value of PickedParam that adds a record.
const PickedNew = "new"

// PickField writes an input for the name of a record, with suggestions while typing
// and with choices as radio buttons.
func PickField(f Field, added ...Field) Written {
	return func(m *Markup) {
		m.label(&f)
		m.HTML(`<div class="pick" data-pick="`)
		m.Text(f.Pick.Source)
		m.HTML(`"><input class="ctl" type="text" autocomplete="off" spellcheck="false"`)
		m.control(&f)
		m.HTML(` value="`)
		m.Text(f.Value)
		m.HTML(`"><input type="hidden" name="`)
		m.Text(PickedTextParam(f.Name))
		m.HTML(`" value="`)
		m.Text(f.Value)
		m.HTML(`">`)
		m.choices(&f, added)
		m.HTML(`</div>`)
		m.notes(&f)
	}
}

// choices writes the radio buttons of a PickField.
func (m *Markup) choices(f *Field, added []Field) {
	if len(f.Pick.Choices)+len(added) == 0 {
		return
	}
	m.HTML(`<fieldset class="choices"><legend class="vh">`)
	m.Text(f.Label)
	m.HTML(`</legend>`)
	for _, o := range f.Pick.Choices {
		m.choice(f, o)
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
