package expr

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Update is a parsed UpdateExpression. It is safe for concurrent use.
type Update struct {
	actions []action
	paths   []path  // path of each action
	tree    *branch // tree of these paths
	legacy  bool    // the update comes from AttributeUpdates, not from an UpdateExpression
}

// action is one part of a clause. Its path is in Update.paths.
type action struct {
	clause clause
	value  *node // nil for REMOVE
}

// clause is the keyword of a clause.
type clause string

const (
	clauseSet    clause = "SET"
	clauseRemove clause = "REMOVE"
	clauseAdd    clause = "ADD"
	clauseDelete clause = "DELETE"
)

var (
	updateKeywords  = []string{string(clauseSet), string(clauseRemove), string(clauseAdd), string(clauseDelete)}
	updateFunctions = []operation{opIfNotExists, opListAppend}
)

// Update parses the update expression src.
func (s *Scope) Update(src string) (*Update, error) {
	u, err := s.update(src)
	if err != nil {
		return nil, invalid("UpdateExpression", err)
	}
	return u, nil
}

func (s *Scope) update(src string) (*Update, error) {
	p := parser{keywords: updateKeywords, functions: updateFunctions}
	if err := p.begin(src); err != nil {
		return nil, err
	}
	u := &Update{}
	if err := p.clauses(u); err != nil {
		return nil, err
	}
	if err := p.firstProblem(reservedWord, unknownFunction, repeatedSection); err != nil {
		return nil, err
	}
	if err := u.resolve(s); err != nil {
		return nil, err
	}
	if err := u.check(); err != nil {
		return nil, err
	}
	u.tree = newTree(u.paths)
	return u, nil
}

// clauses parses the whole expression.
func (p *parser) clauses(u *Update) error {
	var seen []clause
	for {
		i := slices.IndexFunc(updateKeywords, p.at)
		if i < 0 {
			return p.syntaxError()
		}
		c := clause(updateKeywords[i])
		if slices.Contains(seen, c) {
			p.record(repeatedSection, "The \"%s\" section can only be used once in an update expression;", c)
		}
		seen = append(seen, c)
		p.advance()
		if err := p.clauseActions(u, c); err != nil || p.kind == tokenEnd {
			return err
		}
	}
}

func (p *parser) clauseActions(u *Update, c clause) error {
	for {
		target, err := p.documentPath()
		if err != nil {
			return err
		}
		next := action{clause: c}
		switch c {
		case clauseSet:
			next.value, err = p.assignment()
		case clauseAdd, clauseDelete:
			next.value, err = p.valuePlaceholder()
		}
		if err != nil {
			return err
		}
		u.paths = append(u.paths, target)
		u.actions = append(u.actions, next)
		if !p.accept(',') {
			return nil
		}
	}
}

// assignment parses the right side of a SET action, from the equals sign.
func (p *parser) assignment() (*node, error) {
	if err := p.expect('='); err != nil {
		return nil, err
	}
	if p.accept('(') {
		left, err := p.group(p.arithmetic())
		if err != nil || !left.op.isTerm() && !left.op.isFunction() {
			return left, err
		}
		return p.arithmeticAfter(left)
	}
	return p.arithmetic()
}

// arithmetic parses an operand, or two operands joined by + or -.
func (p *parser) arithmetic() (*node, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.arithmeticAfter(left)
}

func (p *parser) arithmeticAfter(left *node) (*node, error) {
	op := opPlus
	switch p.kind {
	case '+':
	case '-':
		op = opMinus
	default:
		return left, nil
	}
	p.advance()
	right, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.operator(op, left, right)
}

// resolve replaces placeholders. It replaces those of names first, because DynamoDB
// reports undefined names first.
func (u *Update) resolve(scope *Scope) error {
	for i := range u.actions {
		if err := u.paths[i].resolve(scope); err != nil {
			return err
		}
		if err := u.actions[i].resolve(scope, opPath); err != nil {
			return err
		}
	}
	for i := range u.actions {
		if err := u.actions[i].resolve(scope, opValue); err != nil {
			return err
		}
	}
	return nil
}

func (a *action) resolve(scope *Scope, op operation) error {
	if a.value == nil {
		return nil
	}
	return a.value.walk(func(n *node) error {
		if n.op != op {
			return nil
		}
		return n.resolve(scope)
	})
}

// CheckKeys returns an error if the update would change a key attribute.
func (u *Update) CheckKeys(keys ...string) error {
	for i := range u.paths {
		if slices.Contains(keys, u.paths[i].root) {
			return errorf("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", u.paths[i].root)
		}
	}
	return nil
}

// OnlyRemoves reports whether the update can only remove attributes, or members of sets.
// Such an update does not create a missing item.
func (u *Update) OnlyRemoves() bool {
	for _, a := range u.actions {
		if a.clause != clauseRemove && a.clause != clauseDelete {
			return false
		}
	}
	return len(u.actions) > 0
}

// Updated returns the parts of an item at the paths of the update. For UPDATED_OLD,
// pass the item before Apply. For UPDATED_NEW, pass the result of Apply.
func (u *Update) Updated(item Item) Item { return project(item, u.paths, u.tree) }

// check returns an error if the update is invalid for every item.
func (u *Update) check() error {
	if err := checkDisjoint(u.paths); err != nil {
		return err
	}
	for _, a := range u.actions {
		if err := a.checkOperand(); err != nil {
			return err
		}
	}
	for _, a := range u.actions {
		if a.value == nil {
			continue
		}
		if err := a.value.walk(checkUpdateTypes); err != nil {
			return err
		}
	}
	return nil
}

// checkOperand checks that ADD has a number or a set, and that DELETE has a set.
func (a *action) checkOperand() error {
	if a.clause != clauseAdd && a.clause != clauseDelete {
		return nil
	}
	name := ""
	switch a.value.value.(type) {
	case *types.AttributeValueMemberN:
		if a.clause == clauseAdd {
			return nil
		}
		name = "NUMBER"
	case *types.AttributeValueMemberS:
		name = "STRING"
	case *types.AttributeValueMemberB:
		name = "BINARY"
	case *types.AttributeValueMemberBOOL:
		name = "BOOLEAN"
	case *types.AttributeValueMemberNULL:
		name = "NULL"
	case *types.AttributeValueMemberL:
		name = "LIST"
	case *types.AttributeValueMemberM:
		name = "MAP"
	default:
		return nil
	}
	return errorf("Incorrect operand type for operator or function; operator: %s, operand type: %s", a.clause, name)
}

func checkUpdateTypes(n *node) error {
	if err := checkOperandCount(n); err != nil {
		return err
	}
	switch n.op {
	case opIfNotExists:
		return requirePath(n)
	case opListAppend:
		return requireTypes(n, "L")
	case opPlus, opMinus:
		return requireTypes(n, "N")
	}
	return nil
}
