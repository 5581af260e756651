package exchange

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// SuggestMapping returns a suggested mapping for the CSV files for which the function wanted
// returns true. It also reads the other files, because they show references, missing attributes
// and IDs that need a prefix. The argument entities contains the entities of some files, by
// file name. The entities of all other files are chosen by their names and columns.
func SuggestMapping(files []File, wanted func(index int) bool, entities map[string]string) (*Draft, error) {
	var samples, chosen []*sample
	for i, f := range files {
		if format, _ := formatOf(f.Name); format != "csv" {
			continue
		}
		s, err := readSample(f)
		if err != nil {
			return nil, err
		}
		if samples = append(samples, s); wanted(i) {
			chosen = append(chosen, s)
		}
		if entity := entities[f.Name]; entity != "" {
			s.setEntity(entity)
		} else {
			s.chooseEntity()
		}
	}
	addLines(slices.DeleteFunc(slices.Clone(samples), func(s *sample) bool { return entities[s.path] != "" }))
	for _, s := range tablesOfAll(samples) {
		s.chooseReferences(samples)
	}
	if len(chosen) == 0 {
		return ReadDraft("mapping.yaml", "")
	}
	w := mappingWriter{samples: samples, prefix: needsPrefix(samples)}
	w.WriteString("files:\n")
	for _, s := range chosen {
		w.file(s)
	}
	draft, err := ReadDraft("mapping.yaml", w.String())
	if err == nil {
		removeHeadComments(draft.root)
	}
	return draft, err
}

// removeHeadComments removes comments that are on lines of their own. These comments list
// missing attributes, which the form shows anyway.
func removeHeadComments(n *yaml.Node) {
	n.HeadComment, n.FootComment = "", ""
	for _, child := range n.Content {
		removeHeadComments(child)
	}
}

// setEntity sets the entity of the file and chooses its columns.
func (s *sample) setEntity(name string) {
	if name == OrdersWithLines {
		s.setOrdersWithLines()
		return
	}
	sh, l, found := sheetNamed(name)
	if !found {
		s.sheet, s.list = nil, nil
		return
	}
	columns := sh.columns
	if l != nil {
		columns = l.columns
	}
	s.sheet, s.list = sh, l
	s.fits, s.score = s.fit(columns, wordsOf(name))
}
