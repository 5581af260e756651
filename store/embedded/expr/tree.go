package expr

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// branch is a set of document paths with a common prefix. A branch without names and
// indexes is the end of a path and selects the whole value.
type branch struct {
	names   map[string]*branch
	indexes map[int]*branch
}

// newTree returns a tree of paths. It returns nil if all paths are top-level
// attributes.
func newTree(paths []path) *branch {
	if !slices.ContainsFunc(paths, func(p path) bool { return len(p.steps) > 0 }) {
		return nil
	}
	tree := &branch{}
	for _, p := range paths {
		at := tree.child(step{name: p.root})
		for _, s := range p.steps {
			at = at.child(s)
		}
	}
	return tree
}

func (b *branch) child(s step) *branch {
	if s.name != "" {
		return childOf(&b.names, s.name)
	}
	return childOf(&b.indexes, s.index)
}

func childOf[K comparable](children *map[K]*branch, key K) *branch {
	if *children == nil {
		*children = make(map[K]*branch)
	}
	if (*children)[key] == nil {
		(*children)[key] = &branch{}
	}
	return (*children)[key]
}

func (b *branch) project(value types.AttributeValue) types.AttributeValue {
	if b.names == nil && b.indexes == nil {
		return value
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		if part := b.projectMap(v.Value); len(part) > 0 {
			return &types.AttributeValueMemberM{Value: part}
		}
	case *types.AttributeValueMemberL:
		if part := b.projectList(v.Value); len(part) > 0 {
			return &types.AttributeValueMemberL{Value: part}
		}
	}
	return nil
}

func (b *branch) projectMap(item Item) Item {
	result := make(Item, len(b.names))
	for name, child := range b.names {
		if part := child.project(item[name]); part != nil {
			result[name] = part
		}
	}
	return result
}

// projectList returns the selected elements in order, without gaps.
func (b *branch) projectList(list []types.AttributeValue) []types.AttributeValue {
	var result []types.AttributeValue
	for _, index := range slices.Sorted(maps.Keys(b.indexes)) {
		if index >= len(list) {
			break
		}
		if part := b.indexes[index].project(list[index]); part != nil {
			result = append(result, part)
		}
	}
	return result
}
