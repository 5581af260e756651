package expr

import (
	"iter"
	"strings"
)

// Projection is a parsed ProjectionExpression. It is safe for concurrent use.
type Projection struct {
	paths []path
	tree  *branch // nil if all paths are top-level attributes
}

// Projection parses the projection expression src.
func (s *Scope) Projection(src string) (*Projection, error) {
	p, err := s.projection(src)
	if err != nil {
		return nil, invalid("ProjectionExpression", err)
	}
	return p, nil
}

func (s *Scope) projection(src string) (*Projection, error) {
	var p parser
	if err := p.begin(src); err != nil {
		return nil, err
	}
	paths := make([]path, 0, strings.Count(src, ",")+1)
	for {
		next, err := p.documentPath()
		if err != nil {
			return nil, err
		}
		paths = append(paths, next)
		if !p.accept(',') {
			break
		}
	}
	if p.kind != tokenEnd {
		return nil, p.syntaxError()
	}
	if err := p.firstProblem(reservedWord); err != nil {
		return nil, err
	}
	for i := range paths {
		if err := paths[i].resolve(s); err != nil {
			return nil, err
		}
	}
	if err := checkDisjoint(paths); err != nil {
		return nil, err
	}
	return &Projection{paths, newTree(paths)}, nil
}

// References returns the attributes in the projection.
func (p *Projection) References() iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		for i := range p.paths {
			if !yield(p.paths[i].reference()) {
				return
			}
		}
	}
}

// Apply returns an item with only the projected attributes. It shares values with
// the original item.
func (p *Projection) Apply(item Item) Item { return project(item, p.paths, p.tree) }

func project(item Item, paths []path, tree *branch) Item {
	if tree != nil {
		return tree.projectMap(item)
	}
	result := make(Item, len(paths))
	for i := range paths {
		if value, ok := item[paths[i].root]; ok {
			result[paths[i].root] = value
		}
	}
	return result
}
