package expr

import (
	"strconv"
	"strings"
)

// parser turns the tokens of one expression into nodes. What is wrong with the
// syntax ends it at once; other problems are noted, because DynamoDB reports
// them by kind: the first of the gravest kind, wherever it stands.
type parser struct {
	lexer
	keywords  []string // words that are no attributes in this kind of expression
	functions []operation
	goesOn    bool // whether a path may go on after its parenthesis: (a.b).c
	noted     [problems]error
	operators int
	spare     []node
}

// The kinds of problems that do not end parsing.
type problem int

const (
	redundantParentheses problem = iota
	unknownFunction
	misusedFunction
	reservedWord
	repeatedSection
	problems
)

// begin makes the checks that come before all others and goes to the first
// token.
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

// invalid says which parameter of the request an error is about.
func invalid(parameter string, err error) error {
	return errorf("Invalid %s: %s", parameter, err)
}

func (p *parser) note(kind problem, format string, args ...any) {
	if p.noted[kind] == nil {
		p.noted[kind] = errorf(format, args...)
	}
}

// gravest returns the first problem noted of the first kind that has any.
func (p *parser) gravest(kinds ...problem) error {
	for _, kind := range kinds {
		if p.noted[kind] != nil {
			return p.noted[kind]
		}
	}
	return nil
}

func (p *parser) node(op operation, operands ...*node) *node {
	const chunk = 8 // the usual key condition has seven nodes
	if len(p.spare) == 0 {
		p.spare = make([]node, chunk)
	}
	n := &p.spare[0]
	p.spare = p.spare[1:]
	n.op = op
	last := &n.first
	for _, operand := range operands {
		*last = operand
		last = &operand.next
	}
	return n
}

// operator makes a node for an operator or a function, which are counted.
func (p *parser) operator(op operation, operands ...*node) (*node, error) {
	if p.operators++; p.operators > maxOperators {
		return nil, errorf("The expression contains too many operators; operator count: %d", p.operators)
	}
	return p.node(op, operands...), nil
}

// at tells whether the current token is the keyword, in any case.
func (p *parser) at(keyword string) bool {
	return p.kind == tokenWord && strings.EqualFold(p.text(), keyword)
}

// take goes past the current token if it is of the kind.
func (p *parser) take(kind token) bool {
	if p.kind != kind {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(kind token) error {
	if !p.take(kind) {
		return p.syntaxError()
	}
	return nil
}

// documentPath reads a whole path, which begins with the current token.
func (p *parser) documentPath() (path, error) {
	root, err := p.attributeName()
	if err != nil {
		return path{}, err
	}
	result := path{root: root}
	return result, p.pathSteps(&result)
}

// pathSteps reads the steps that follow in a path, if there are any.
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
	if p.take('.') {
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

// attributeName reads a name or its placeholder, which stays as it is until the
// path is resolved.
func (p *parser) attributeName() (string, error) {
	name := p.text()
	switch p.kind {
	case tokenName:
	case tokenWord:
		if p.atKeyword() {
			return "", p.syntaxError()
		}
		if isReserved(name) {
			p.note(reservedWord, "Attribute name is a reserved keyword; reserved keyword: %s", name)
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

// valuePlaceholder reads :name; the text stays in the node until resolveValue.
func (p *parser) valuePlaceholder() (*node, error) {
	n := p.node(opValue)
	n.path.root = p.text()
	return n, p.expect(tokenValue)
}

// operand reads a path, a value or a function, in parentheses or not.
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

// group ends what stands in parentheses, of which the first has been read.
func (p *parser) group(inner *node, err error) (*node, error) {
	if err != nil {
		return nil, err
	}
	if err := p.expect(')'); err != nil {
		return nil, err
	}
	if inner.grouped {
		p.note(redundantParentheses, "The expression has redundant parentheses;")
	}
	inner.grouped = true
	if p.goesOn && inner.op == opPath {
		err = p.pathSteps(&inner.path)
	}
	return inner, err
}

// followedBy looks one token ahead.
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
		p.note(unknownFunction, "Invalid function name; function: %s", name)
	}
	p.advance()
	n.first, err = p.operandList()
	return n, err
}

// functionNamed knows the case of a name, unlike keywords.
func (p *parser) functionNamed(name string) operation {
	for _, op := range p.functions {
		if op.String() == name {
			return op
		}
	}
	return opUnknownFunction
}

// operandList reads operands in parentheses and returns the first of the chain.
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
		p.noteMisuse(operand)
		*last = operand
		last = &operand.next
		if !p.take(',') {
			return first, p.expect(')')
		}
	}
}

// noteMisuse refuses as an operand the functions of conditions that are true or
// false: only size gives a value there.
func (p *parser) noteMisuse(operand *node) {
	switch operand.op {
	case opAttributeExists, opAttributeNotExists, opAttributeType, opBeginsWith, opContains:
		p.note(misusedFunction, "The function is not allowed to be used this way in an expression; function: %s", operand.op)
	}
}

// resolve replaces the placeholder of a path or of a value.
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
