package cli

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Parts of an IAM policy. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html for
// their names in JSON.
type (
	policy struct {
		Version   string
		Statement []policyStatement
	}
	policyStatement struct {
		Sid       string
		Effect    string
		Action    []string
		Resource  []string
		Condition map[string]map[string]string `json:",omitempty"`
	}
)

// The statements of the policies. A transaction requires the permission for each of its
// actions; see
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
var (
	readActions = policyStatement{
		Sid:    "ReadItems",
		Action: []string{"BatchGetItem", "DescribeTable", "DescribeTimeToLive", "GetItem", "Query", "Scan"},
	}
	writeActions = policyStatement{
		Sid:    "WriteItems",
		Action: []string{"BatchWriteItem", "UpdateItem"},
	}
	transactionActions = policyStatement{
		Sid:       "WriteInTransactions",
		Action:    []string{"ConditionCheckItem", "DeleteItem", "PutItem"},
		Condition: map[string]map[string]string{"ForAnyValue:StringEquals": {"dynamodb:EnclosingOperation": "TransactWriteItems"}},
	}
	createActions = policyStatement{
		Sid:    "CreateTable",
		Action: []string{"CreateTable", "DescribeTable", "DescribeTimeToLive", "TagResource", "UpdateContinuousBackups", "UpdateTable", "UpdateTimeToLive"},
	}
)

// policies lists the statements of each policy.
var policies = map[string][]policyStatement{
	"server":   {readActions, writeActions, transactionActions},
	"readonly": {readActions},
	"setup":    {createActions},
}

// printPolicy prints an IAM policy with only the necessary permissions: for a server
// or job, for commands that only read, or for 'table create'.
func printPolicy(_ context.Context, c *call) error {
	statements, ok := policies[c.args[0]]
	if !ok {
		return usagef("table policy: unknown policy %q; choose %s", c.args[0], strings.Join(slices.Sorted(maps.Keys(policies)), ", "))
	}
	p := policy{Version: "2012-10-17"}
	table := "arn:aws:dynamodb:*:*:table/" + c.table
	for _, s := range statements {
		s.Effect, s.Resource = "Allow", []string{table, table + "/index/*"}
		s.Action = slices.Clone(s.Action)
		for i, action := range s.Action {
			s.Action[i] = "dynamodb:" + action
		}
		p.Statement = append(p.Statement, s)
	}
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	return out.Encode(p)
}
