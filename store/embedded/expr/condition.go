package expr

import (
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Condition is a parsed condition or filter expression. It is safe for
// concurrent use.
type Condition struct{ root *node }

var (
	conditionKeywords  = []string{"AND", "OR", "NOT", "BETWEEN", "IN"}
	conditionFunctions = []operation{opAttributeExists, opAttributeNotExists, opAttributeType, opBeginsWith, opContains, opSize}
)

// Condition parses a condition or filter expression. The argument parameter is
// ConditionExpression or FilterExpression, for error messages.
func (s *Scope) Condition(parameter, src string) (*Condition, error) {
	root, err := s.condition(src)
	if err != nil {
		return nil, invalid(parameter, err)
	}
	return &Condition{root}, nil
}

func (s *Scope) condition(src string) (*node, error) {
	p := parser{keywords: conditionKeywords, functions: conditionFunctions, pathAfterGroup: true}
	if err := p.begin(src); err != nil {
		return nil, err
	}
	root, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	if p.kind != tokenEnd {
		return nil, p.syntaxError()
	}
	if err := p.requireCondition(root); err != nil {
		return nil, err
	}
	if err := p.firstProblem(redundantParentheses, unknownFunction, misusedFunction, reservedWord); err != nil {
		return nil, err
	}
	return root, checkCondition(root, s)
}

// disjunction parses conditions joined by OR. The result can also be a single operand,
// because an opening parenthesis can belong to an operand, as in (a) = :b, or to a
// condition, as in (a = :b).
func (p *parser) disjunction() (*node, error) { return p.junction(opOr) }

// junction parses conditions joined by OR or AND.
func (p *parser) junction(op operation) (*node, error) {
	left, err := p.junctionPart(op)
	for err == nil && p.at(op.String()) {
		if err := p.requireCondition(left); err != nil {
			return nil, err
		}
		p.advance()
		right, err := p.junctionPart(op)
		if err != nil {
			return nil, err
		}
		if err := p.requireCondition(right); err != nil {
			return nil, err
		}
		if left, err = p.operator(op, left, right); err != nil {
			return nil, err
		}
	}
	return left, err
}

// junctionPart parses one of the conditions that OR or AND joins. For OR, this can be
// several conditions joined by AND, which has the higher precedence.
func (p *parser) junctionPart(op operation) (*node, error) {
	if op == opOr {
		return p.junction(opAnd)
	}
	return p.negation()
}

func (p *parser) negation() (*node, error) {
	if !p.at("NOT") {
		return p.comparison()
	}
	p.advance()
	operand, err := p.negation()
	if err != nil {
		return nil, err
	}
	if err := p.requireCondition(operand); err != nil {
		return nil, err
	}
	return p.operator(opNot, operand)
}

// requireCondition returns a syntax error if n is a path or value rather than a
// condition. It records a problem if n is a call of size, which returns a number.
func (p *parser) requireCondition(n *node) error {
	if n.op.isTerm() {
		return p.syntaxError()
	}
	if n.op == opSize {
		p.record(misusedFunction, "The function is not allowed to be used this way in an expression; function: %s", n.op)
	}
	return nil
}

// comparison parses a comparison, a single operand, or a condition in parentheses.
func (p *parser) comparison() (*node, error) {
	left, err := p.leftOperand()
	if err != nil || !(left.op.isTerm() || left.op.isFunction()) {
		return left, err
	}
	switch p.kind {
	case '=':
		return p.comparisonWith(opEqual, left)
	case tokenNotEqual:
		return p.comparisonWith(opNotEqual, left)
	case '<':
		return p.comparisonWith(opLess, left)
	case tokenLessEqual:
		return p.comparisonWith(opLessEqual, left)
	case '>':
		return p.comparisonWith(opGreater, left)
	case tokenGreaterEqual:
		return p.comparisonWith(opGreaterEqual, left)
	}
	if p.at("BETWEEN") {
		return p.between(left)
	}
	if p.at("IN") {
		return p.in(left)
	}
	return left, nil
}

func (p *parser) leftOperand() (*node, error) {
	if p.kind != '(' {
		return p.operand()
	}
	p.advance()
	return p.group(p.disjunction())
}

func (p *parser) comparisonWith(op operation, left *node) (*node, error) {
	p.advance()
	right, err := p.operand()
	if err != nil {
		return nil, err
	}
	p.recordMisuse(left)
	p.recordMisuse(right)
	return p.operator(op, left, right)
}

func (p *parser) between(left *node) (*node, error) {
	p.advance()
	low, err := p.operand()
	if err != nil {
		return nil, err
	}
	if !p.at("AND") {
		return nil, p.syntaxError()
	}
	p.advance()
	high, err := p.operand()
	if err != nil {
		return nil, err
	}
	p.recordMisuse(left)
	p.recordMisuse(low)
	p.recordMisuse(high)
	return p.operator(opBetween, left, low, high)
}

func (p *parser) in(left *node) (*node, error) {
	p.advance()
	p.recordMisuse(left)
	list, err := p.operandList()
	if err != nil {
		return nil, err
	}
	n, err := p.operator(opIn, left)
	if err != nil {
		return nil, err
	}
	left.next = list
	return n, nil
}

// References returns the attributes that the condition contains. It may return an
// attribute several times.
func (c *Condition) References() iter.Seq[Reference] {
	return func(yield func(Reference) bool) { c.root.references(yield) }
}

func (n *node) references(yield func(Reference) bool) bool {
	if n.op == opPath && !yield(n.path.reference()) {
		return false
	}
	for operand := n.first; operand != nil; operand = operand.next {
		if !operand.references(yield) {
			return false
		}
	}
	return true
}

// Match reports whether the item satisfies the condition. For a missing item, pass
// nil or an empty Item.
func (c *Condition) Match(item Item) bool { return c.root.match(item) }

func (n *node) match(item Item) bool {
	switch n.op {
	case opAnd:
		return n.first.match(item) && n.second().match(item)
	case opOr:
		return n.first.match(item) || n.second().match(item)
	case opNot:
		return !n.first.match(item)
	case opIn:
		return n.matchIn(item)
	case opBetween:
		return n.matchBetween(item)
	}
	first := n.first.operandValue(item)
	if n.op == opAttributeExists {
		return first != nil
	}
	if n.op == opAttributeNotExists {
		return first == nil
	}
	return n.op.matchPair(first, n.second().operandValue(item))
}

func (n *node) matchIn(item Item) bool {
	value := n.first.operandValue(item)
	for operand := n.second(); operand != nil; operand = operand.next {
		if equal(value, operand.operandValue(item)) {
			return true
		}
	}
	return false
}

func (n *node) matchBetween(item Item) bool {
	value, low := n.first.operandValue(item), n.second()
	fromLow, ok := order(value, low.operandValue(item))
	if !ok || fromLow < 0 {
		return false
	}
	fromHigh, ok := order(value, low.next.operandValue(item))
	return ok && fromHigh <= 0
}

// matchPair evaluates a binary operator or function. A nil operand is an attribute that the
// item lacks.
func (o operation) matchPair(a, b types.AttributeValue) bool {
	switch o {
	case opEqual:
		return equal(a, b)
	case opNotEqual:
		return !equal(a, b)
	case opAttributeType:
		name, ok := b.(*types.AttributeValueMemberS)
		return ok && a != nil && TypeOf(a) == name.Value
	case opBeginsWith:
		return beginsWith(a, b)
	case opContains:
		return contains(a, b)
	}
	result, ok := order(a, b)
	if !ok {
		return false
	}
	switch o {
	case opLess:
		return result < 0
	case opLessEqual:
		return result <= 0
	case opGreater:
		return result > 0
	}
	return result >= 0
}
