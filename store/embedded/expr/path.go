package expr

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// path is a document path: an attribute and the steps into its value. While it
// is parsed it holds placeholders, which resolve replaces.
type path struct {
	root  string
	steps []step
}

// step goes into a map by name, or into a list by index if name is empty.
type step struct {
	name  string
	index int
}

// Reference is an attribute that an expression names.
type Reference struct {
	Attribute string
	// Nested tells that the expression goes into the attribute's value.
	Nested bool
}

func (p *path) reference() Reference { return Reference{p.root, len(p.steps) > 0} }

// find returns what stands at the path, or nil.
func (p *path) find(item Item) types.AttributeValue {
	value := item[p.root]
	for i := range p.steps {
		value = p.steps[i].into(value)
	}
	return value
}

// into returns what the step leads to, or nil if value has no such part.
func (s *step) into(value types.AttributeValue) types.AttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		if s.name != "" {
			return v.Value[s.name]
		}
	case *types.AttributeValueMemberL:
		if s.name == "" && s.index < len(v.Value) {
			return v.Value[s.index]
		}
	}
	return nil
}

func (p *path) equal(other *path) bool {
	return len(p.steps) == len(other.steps) && p.relate(other) == pathsOverlap
}

// How two paths stand to each other.
type relation int

const (
	pathsApart    relation = iota
	pathsOverlap           // one is the beginning of the other, or both are the same
	pathsConflict          // one takes for a map what the other takes for a list
)

func (p *path) relate(other *path) relation {
	if p.root != other.root {
		return pathsApart
	}
	for i := range min(len(p.steps), len(other.steps)) {
		a, b := p.steps[i], other.steps[i]
		if (a.name == "") != (b.name == "") {
			return pathsConflict
		}
		if a != b {
			return pathsApart
		}
	}
	return pathsOverlap
}

// checkApart refuses paths that cannot stand in one expression together. An
// overlap anywhere is reported before any conflict.
func checkApart(paths []path) error {
	var conflict error
	for i := range paths {
		for j := range i {
			p, earlier := &paths[i], &paths[j]
			switch earlier.relate(p) {
			case pathsOverlap:
				return notApart("overlap", earlier, p)
			case pathsConflict:
				if conflict == nil {
					conflict = notApart("conflict", earlier, p)
				}
			}
		}
	}
	return conflict
}

func notApart(how string, one, two *path) error {
	return errorf("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", how, one, two)
}

// String writes the path as DynamoDB's messages do: [a, b, [3]].
func (p *path) String() string {
	var b strings.Builder
	b.WriteString("[" + p.root)
	for _, s := range p.steps {
		b.WriteString(", ")
		if s.name != "" {
			b.WriteString(s.name)
		} else {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	return b.String() + "]"
}

// resolve replaces the placeholders of the path by the names they stand for.
func (p *path) resolve(scope *Scope) error {
	if err := resolveName(&p.root, scope); err != nil {
		return err
	}
	for i := range p.steps {
		if err := resolveName(&p.steps[i].name, scope); err != nil {
			return err
		}
	}
	return nil
}

func resolveName(name *string, scope *Scope) error {
	if *name == "" || (*name)[0] != '#' {
		return nil
	}
	resolved, ok := scope.name(*name)
	if !ok {
		return errorf("An expression attribute name used in the document path is not defined; attribute name: %s", *name)
	}
	*name = resolved
	return nil
}
