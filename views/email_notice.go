package views

import (
	"strconv"
	"strings"

	"stockroom/store"
)

// noticeHeadings contains the headings of the sections of notices to managers and renters.
var noticeHeadings = map[store.NoticeKind]string{
	store.NoticeLowStock:       "Low stock",
	store.NoticeLateDeliveries: "Overdue deliveries",
	store.NoticeLateTransfers:  "Overdue transfers",
	store.NoticeLateKayaks:     "Overdue kayaks",
	store.NoticeDeliveries:     "Deliveries expected today",
	store.NoticeKayaks:         "Kayaks due back today",
	store.NoticeDueTomorrow:    "Kayaks due back tomorrow",
	store.NoticeOverdue:        "Overdue kayaks",
}

func noticeHeading(s *store.NoticeSection) string {
	return noticeHeadings[s.Kind] + ": " + noticeCount(s)
}

// noticeCount returns the number of rows of a section, such as 3 or more than 20.
func noticeCount(s *store.NoticeSection) string {
	if s.More {
		return "more than " + strconv.Itoa(len(s.Rows))
	}
	return strconv.Itoa(len(s.Rows))
}

// NoticeSummary returns the headings of a notice with their counts, such as "Low stock: 3,
// Overdue kayaks: 1".
func NoticeSummary(n *store.EmailNotice) string {
	parts := make([]string, len(n.Sections))
	for i := range n.Sections {
		parts[i] = noticeHeading(&n.Sections[i])
	}
	return strings.Join(parts, ", ")
}

// noticeRows returns the rows of a section as text.
func noticeRows(s *store.NoticeSection) [][]string {
	rows := make([][]string, len(s.Rows))
	for i := range s.Rows {
		r := &s.Rows[i]
		rows[i] = []string{r.Name, noticePlace(s.Kind, r), noticeDetail(s.Kind, r)}
	}
	return rows
}

func (b EmailBody) noticeSubject() string {
	n := &b.Notice
	if b.Kind == store.EmailManagerNotice {
		return "Daily notice for " + calendar(n.Day)
	}
	if late := len(n.Section(store.NoticeOverdue).Rows); late > 0 {
		return "Please return your " + plural(late, "kayak", "kayaks")
	}
	return "Your " + plural(len(n.Section(store.NoticeDueTomorrow).Rows), "kayak is", "kayaks are") + " due back tomorrow"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// noticePlace returns the name of the store of a row, or "warehouse" and the ID of its
// warehouse.
func noticePlace(kind store.NoticeKind, r *store.NoticeRow) string {
	switch kind {
	case store.NoticeLowStock, store.NoticeLateDeliveries, store.NoticeDeliveries, store.NoticeLateTransfers:
		return "warehouse " + r.Place
	}
	return r.Place
}

// noticeDetail describes a row in words: its quantity, its day, or both.
func noticeDetail(kind store.NoticeKind, r *store.NoticeRow) string {
	switch kind {
	case store.NoticeLowStock:
		return strconv.Itoa(r.Quantity) + " on hand"
	case store.NoticeDeliveries:
		return strconv.Itoa(r.Quantity) + " expected"
	case store.NoticeLateDeliveries:
		return strconv.Itoa(r.Quantity) + " expected on " + calendar(r.Day)
	case store.NoticeLateTransfers:
		return strconv.Itoa(r.Quantity) + " sent on " + calendar(r.Day)
	}
	return "due back " + calendar(r.Day)
}
