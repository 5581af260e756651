package expr

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// path is a document path: an attribute, and steps into its value. It contains
// placeholders until resolve replaces them.
type path struct {
	root  string
	steps []step
}

// step is a step into a value: a key in a map or, if name is "", an index in a list.
type step struct {
	name  string
	index int
}

// Reference is an attribute that an expression contains.
type Reference struct {
	Attribute string
	Nested    bool // the expression continues the path into the attribute's value
}

func (p *path) reference() Reference { return Reference{p.root, len(p.steps) > 0} }

func (p *path) find(item Item) types.AttributeValue {
	value := item[p.root]
	for i := range p.steps {
		value = p.steps[i].descend(value)
	}
	return value
}

func (s *step) descend(value types.AttributeValue) types.AttributeValue {
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

// relation says how two paths are related.
type relation int

const (
	pathsDisjoint relation = iota
	pathsOverlap           // equal, or one is a prefix of the other
	pathsConflict          // one needs a map where the other needs a list
)

func (p *path) relate(other *path) relation {
	if p.root != other.root {
		return pathsDisjoint
	}
	for i := range min(len(p.steps), len(other.steps)) {
		a, b := p.steps[i], other.steps[i]
		if (a.name == "") != (b.name == "") {
			return pathsConflict
		}
		if a != b {
			return pathsDisjoint
		}
	}
	return pathsOverlap
}

// checkDisjoint returns an error if two paths overlap or conflict. It reports
// overlaps first.
func checkDisjoint(paths []path) error {
	var conflict error
	for i := range paths {
		for j := range i {
			p, earlier := &paths[i], &paths[j]
			switch earlier.relate(p) {
			case pathsOverlap:
				return pathError("overlap", earlier, p)
			case pathsConflict:
				if conflict == nil {
					conflict = pathError("conflict", earlier, p)
				}
			}
		}
	}
	return conflict
}

func pathError(how string, one, two *path) error {
	return errorf("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", how, one, two)
}

// String formats the path as in DynamoDB's messages: [a, b, [3]].
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
