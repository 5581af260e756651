package views

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/views/ui"
)

// rawItems writes the items that the page read, as DynamoDB JSON. They show admins where
// the data on a page comes from.
func rawItems(m *ui.Markup, items []store.Item) {
	m.HTML(`<details class="raw"><summary>`)
	m.Icon(ui.IconRead)
	m.HTML(`<span>Raw items</span><span class="muted">`)
	m.Text(count(len(items), "item", "items"))
	m.HTML(`</span></summary>`)
	shown := items[:min(len(items), maxRawItems)]
	for _, item := range shown {
		m.HTML(`<h3>`)
		entityName(plainText(item["EntityType"]))(m)
		m.HTML(`</h3>`)
		keyLinks(item)(m)
		m.HTML(`<pre tabindex="0">`)
		m.Text(typedJSON(item))
		m.HTML(`</pre>`)
	}
	if len(shown) < len(items) {
		m.HTML(`<p class="none">The remaining items are not shown.</p>`)
	}
	m.HTML(`</details>`)
}

// maxRawItems limits the number of raw items on a page.
const maxRawItems = 100

func plainText(value types.AttributeValue) string {
	if s, ok := value.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// typedJSON returns an item as DynamoDB JSON, with one attribute per line and the keys
// first. Card numbers are masked.
func typedJSON(item store.Item) string {
	var b strings.Builder
	for i, name := range attributeNames(item) {
		b.WriteString("{,"[min(i, 1):][:1])
		b.WriteString("\n  " + compact(name) + ": " + compact(taggedValue(item[name], isKey(name))))
	}
	b.WriteString("\n}")
	return b.String()
}

// compact encodes a value as JSON. It cannot fail, because the value contains only
// strings, booleans, maps and slices.
func compact(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // the page escapes the text
	_ = encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n")
}

// attributeNames returns the names of an item's attributes, keys first.
func attributeNames(item store.Item) []string {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	return names
}

func rank(name string) int {
	switch {
	case name == "PK" || name == "SK":
		return 0
	case isKey(name):
		return 1
	}
	return 2
}

func isKey(name string) bool { return name == "PK" || name == "SK" || strings.HasPrefix(name, "GSI") }

// taggedValue returns a value with its DynamoDB type. It masks card numbers. It does not
// mask keys, because a long ID can look like a card number.
func taggedValue(value types.AttributeValue, isKey bool) any {
	shown := store.MaskCardNumbers
	if isKey {
		shown = func(text string) string { return text }
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": shown(v.Value)}
	case *types.AttributeValueMemberN:
		return map[string]any{"N": shown(v.Value)}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": v.Value}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": each(v.Value, shown)}
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": each(v.Value, shown)}
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": v.Value}
	case *types.AttributeValueMemberL:
		return map[string]any{"L": each(v.Value, func(member types.AttributeValue) any { return taggedValue(member, false) })}
	case *types.AttributeValueMemberM:
		members := make(map[string]any, len(v.Value))
		for name, member := range v.Value {
			members[name] = taggedValue(member, false)
		}
		return map[string]any{"M": members}
	}
	return nil
}

func each[A, B any](list []A, change func(A) B) []B {
	changed := make([]B, len(list))
	for i, member := range list {
		changed[i] = change(member)
	}
	return changed
}
