package views

import (
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/views/ui"
)

// chips are the filters that are set.
func (l List) chips() []ui.Chip {
	var chips []ui.Chip
	for _, p := range l.Params {
		if name := filterName(p.Name); name != "" {
			chips = append(chips, ui.Chip{Name: name, Value: filterValue(p), WithoutURL: l.With(p.Name, "")})
		}
	}
	return chips
}

// filterName is what people call a filter; what is none, such as the order of
// the list, has no name.
func filterName(parameter string) string {
	switch parameter {
	case "status":
		return "Status"
	case "date":
		return "Day"
	case "from":
		return "From"
	case "to":
		return "To"
	case "bucket":
		return "Letter"
	case "name":
		return "Name"
	case "category":
		return "Category"
	case "email":
		return "E-mail"
	case "warehouse":
		return "Warehouse"
	case "job":
		return "Job"
	case "period":
		return "Quarter"
	case "by":
		return "By"
	case "about":
		return "About"
	}
	return ""
}

func filterValue(p ui.Param) string {
	switch p.Name {
	case "status":
		return sentence(p.Value)
	case "bucket":
		return bucketName(p.Value)
	}
	return p.Value
}

// kept are the parameters that a form carries along, because none of its
// fields sets them.
func (l List) kept(fields ...string) []ui.Param {
	var kept []ui.Param
	for _, p := range l.Params {
		if !slices.Contains(fields, p.Name) {
			kept = append(kept, p)
		}
	}
	return kept
}

// statusTabs are a list's states, each as a list of its own; all names the
// list of every state, where there is one.
func statusTabs[S ~string](l List, current S, all string, states []S, badge func(S) ui.Badge) []ui.Tab {
	tabs := make([]ui.Tab, 0, 1+len(states))
	if all != "" {
		tabs = append(tabs, ui.Tab{Name: all, URL: l.With("status", ""), Current: current == ""})
	}
	for _, s := range states {
		tabs = append(tabs, ui.Tab{Name: badge(s).Word, URL: l.With("status", string(s)), Current: s == current})
	}
	return tabs
}

// letterTabs are the first letters that names are spread over.
func letterTabs(l List, current string) []ui.Tab {
	tabs := []ui.Tab{{Name: "All", URL: l.With("bucket", ""), Current: current == ""}}
	for _, bucket := range key.Buckets {
		tabs = append(tabs, ui.Tab{Name: bucketName(bucket), URL: l.With("bucket", bucket), Current: bucket == current})
	}
	return tabs
}

// bucketName is a first letter for people: digits stand together, and so does
// every script that has no a to z.
func bucketName(bucket string) string {
	switch bucket {
	case "0":
		return "0–9"
	case "_":
		return "Other"
	}
	return strings.ToUpper(bucket)
}

// dayFields ask for a range of days; what names them, such as Placed.
func dayFields(what string, from, to ui.Input) []ui.Field {
	return []ui.Field{
		{Name: "from", Label: what + " from", Input: from, SharedHint: daysHint, Suggestions: daysList},
		{Name: "to", Label: what + " to", Input: to, SharedHint: daysHint, Suggestions: daysList},
	}
}

// The ids of the hint how to write a day, and of the words for days that are
// suggested.
const (
	daysHint = "days-hint"
	daysList = "days"
)

// ended says whether a list has no other part than the one that is shown.
func (l List) ended() bool { return l.NextURL == "" && l.PrevURL == "" }

// whyEmpty says why a list has no rows, and what to do.
func (l List) whyEmpty(many string, wrong bool) string {
	switch {
	case wrong:
		return "The list is shown when its filters can be read."
	case l.NextURL != "":
		return "There are no " + many + " in this part of the list. It goes on with Next."
	case l.PrevURL != "":
		return "There are no more " + many + ": the last of them are on the previous page."
	case len(l.chips()) == 0:
		return "There are no " + many + " yet."
	}
	return "No " + many + " match all of these filters. Drop one to see more:"
}
