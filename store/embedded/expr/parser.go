package expr

import (
	"strconv"
	"strings"
)

// parser parses one expression. A syntax error ends parsing. Other problems are
// recorded, because DynamoDB reports only the most severe one.
type parser struct {
	lexer
	keywords       []string // keywords that the expression must not use as names
	functions      []operation
	pathAfterGroup bool // whether (a.b).c is allowed
	recorded       [problems]error
	operators      int
	pool           []node
}

// problem is a kind of problem that does not end parsing.
type problem int

const (
	redundantParentheses problem = iota
	unknownFunction
	misusedFunction
	reservedWord
	repeatedSection
	problems
)

// begin checks the length of the expression and reads the first token.
func (p *parser) begin(src string) error {
	if src == "" {
		return errorf("The expression can not be empty;")
	}
	if len(src) > maxBytes {
		return errorf("Expression size has exceeded the maximum allowed size; expression size: %d", len(src))
	}
	p.lexer = lexer{src: src, previous: -1}
	p.advance()
	return nil
}

func invalid(parameter string, err error) error {
	return errorf("Invalid %s: %s", parameter, err)
}

func (p *parser) record(kind problem, format string, args ...any) {
	if p.recorded[kind] == nil {
		p.recorded[kind] = errorf(format, args...)
	}
}

// firstProblem returns a recorded problem of one of these kinds, or nil. If there are
// several, it returns the one whose kind comes first.
func (p *parser) firstProblem(kinds ...problem) error {
	for _, kind := range kinds {
		if p.recorded[kind] != nil {
			return p.recorded[kind]
		}
	}
	return nil
}

func (p *parser) node(op operation, operands ...*node) *node {
	const chunk = 8 // a typical key condition has seven nodes
	if len(p.pool) == 0 {
		p.pool = make([]node, chunk)
	}
	n := &p.pool[0]
	p.pool = p.pool[1:]
	n.op = op
	last := &n.first
	for _, operand := range operands {
		*last = operand
		last = &operand.next
	}
	return n
}

// operator counts an operator or function, and returns a node for it.
func (p *parser) operator(op operation, operands ...*node) (*node, error) {
	if p.operators++; p.operators > maxOperators {
		return nil, errorf("The expression contains too many operators; operator count: %d", p.operators)
	}
	return p.node(op, operands...), nil
}

// at reports whether the current token is the keyword, in upper or lower case.
func (p *parser) at(keyword string) bool {
	return p.kind == tokenWord && strings.EqualFold(p.text(), keyword)
}

// accept consumes the current token if it is of the given kind.
func (p *parser) accept(kind token) bool {
	if p.kind != kind {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(kind token) error {
	if !p.accept(kind) {
		return p.syntaxError()
	}
	return nil
}

func (p *parser) documentPath() (path, error) {
	root, err := p.attributeName()
	if err != nil {
		return path{}, err
	}
	result := path{root: root}
	return result, p.pathSteps(&result)
}

// pathSteps parses the steps of a path after its first attribute.
func (p *parser) pathSteps(result *path) error {
	for p.kind == '.' || p.kind == '[' {
		next, err := p.pathStep()
		if err != nil {
			return err
		}
		result.steps = append(result.steps, next)
	}
	if levels := len(result.steps) + 1; levels > maxDepth {
		return errorf("The document path has too many nesting elements; nesting levels: %d", levels)
	}
	return nil
}

func (p *parser) pathStep() (step, error) {
	if p.accept('.') {
		name, err := p.attributeName()
		return step{name: name}, err
	}
	p.advance()
	digits := p.text()
	if err := p.expect(tokenInteger); err != nil {
		return step{}, err
	}
	index, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return step{}, errorf("List index is not within the allowable range; index: [%s]", digits)
	}
	return step{index: int(index)}, p.expect(']')
}

// attributeName parses a name or a placeholder. path.resolve later replaces a
// placeholder with the name.
func (p *parser) attributeName() (string, error) {
	name := p.text()
	switch p.kind {
	case tokenName:
	case tokenWord:
		if p.atKeyword() {
			return "", p.syntaxError()
		}
		if isReserved(name) {
			p.record(reservedWord, "Attribute name is a reserved keyword; reserved keyword: %s", name)
		}
	default:
		return "", p.syntaxError()
	}
	p.advance()
	return name, nil
}

func (p *parser) atKeyword() bool {
	for _, keyword := range p.keywords {
		if p.at(keyword) {
			return true
		}
	}
	return false
}

// valuePlaceholder parses the placeholder of a value. The field path.root contains the
// placeholder until resolve sets the value.
func (p *parser) valuePlaceholder() (*node, error) {
	n := p.node(opValue)
	n.path.root = p.text()
	return n, p.expect(tokenValue)
}

// operand parses a path, a value or a function, with or without parentheses.
func (p *parser) operand() (*node, error) {
	switch p.kind {
	case tokenValue:
		return p.valuePlaceholder()
	case tokenWord:
		if !p.atKeyword() && p.followedBy('(') {
			return p.function()
		}
	case '(':
		p.advance()
		return p.group(p.operand())
	}
	n := p.node(opPath)
	var err error
	n.path, err = p.documentPath()
	return n, err
}

// group parses the closing parenthesis after the content of a group.
func (p *parser) group(inner *node, err error) (*node, error) {
	if err != nil {
		return nil, err
	}
	if err := p.expect(')'); err != nil {
		return nil, err
	}
	if inner.parenthesized {
		p.record(redundantParentheses, "The expression has redundant parentheses;")
	}
	inner.parenthesized = true
	if p.pathAfterGroup && inner.op == opPath {
		err = p.pathSteps(&inner.path)
	}
	return inner, err
}

// followedBy reports whether the next token is of the given kind.
func (p *parser) followedBy(kind token) bool {
	ahead := p.lexer
	ahead.advance()
	return ahead.kind == kind
}

func (p *parser) function() (*node, error) {
	name := p.text()
	n, err := p.operator(p.functionNamed(name))
	if err != nil {
		return nil, err
	}
	if n.op == opUnknownFunction {
		p.record(unknownFunction, "Invalid function name; function: %s", name)
	}
	p.advance()
	n.first, err = p.operandList()
	return n, err
}

// functionNamed returns the function with this name, or opUnknownFunction. Function
// names are case-sensitive.
func (p *parser) functionNamed(name string) operation {
	for _, op := range p.functions {
		if op.String() == name {
			return op
		}
	}
	return opUnknownFunction
}

// operandList parses operands in parentheses. It returns the first operand, to which the
// other operands are linked.
func (p *parser) operandList() (*node, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	var first *node
	for last := &first; ; {
		operand, err := p.operand()
		if err != nil {
			return nil, err
		}
		p.recordMisuse(operand)
		*last = operand
		last = &operand.next
		if !p.accept(',') {
			return first, p.expect(')')
		}
	}
}

// recordMisuse records a problem if the operand is a function that returns a boolean. In
// conditions, only the function size can be an operand.
func (p *parser) recordMisuse(operand *node) {
	switch operand.op {
	case opAttributeExists, opAttributeNotExists, opAttributeType, opBeginsWith, opContains:
		p.record(misusedFunction, "The function is not allowed to be used this way in an expression; function: %s", operand.op)
	}
}

// resolve replaces the placeholder of a path or value.
func (n *node) resolve(scope *Scope) error {
	switch n.op {
	case opPath:
		return n.path.resolve(scope)
	case opValue:
		value, ok := scope.value(n.path.root)
		if !ok {
			return errorf("An expression attribute value used in expression is not defined; attribute value: %s", n.path.root)
		}
		n.value = value
	}
	return nil
}
