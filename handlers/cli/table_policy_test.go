package cli

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"stockroom/store"
)

// permissions lists the actions that DynamoDB requires for a request. A request that is not
// in the map requires only the action with its own name.
var permissions = map[string][]string{
	"TransactWriteItems": {"PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"},
}

// TestTablePolicy checks that the policy for servers allows all requests of the program,
// except those that set up the table. The policy for the setup must allow these. The
// read-only policy must not allow writes.
func TestTablePolicy(t *testing.T) {
	allowed := map[string][]string{}
	for _, name := range []string{"server", "readonly", "setup"} {
		got := run(t, "table", "policy", name, "-table", "Harbour")
		got.want(t, exitDone)
		var p policy
		if err := json.Unmarshal([]byte(got.stdout), &p); err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Statement {
			if s.Effect != "Allow" || !slices.Equal(s.Resource, []string{"arn:aws:dynamodb:*:*:table/Harbour", "arn:aws:dynamodb:*:*:table/Harbour/index/*"}) {
				t.Errorf("%s: got statement %+v, want one that allows actions on the table and its indexes only", name, s)
			}
			allowed[name] = append(allowed[name], s.Action...)
		}
	}
	requests := reflect.TypeFor[store.DB]()
	for i := range requests.NumMethod() {
		request := requests.Method(i).Name
		policy := "server"
		if request == "CreateTable" || request == "UpdateTimeToLive" {
			policy = "setup"
			if slices.Contains(allowed["server"], "dynamodb:"+request) {
				t.Errorf("a server may %s", request)
			}
		}
		needed := permissions[request]
		if needed == nil {
			needed = []string{request}
		}
		for _, action := range needed {
			if !slices.Contains(allowed[policy], "dynamodb:"+action) {
				t.Errorf("policy %s does not allow %s, which %s needs", policy, action, request)
			}
		}
	}
	for _, action := range []string{"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"} {
		if slices.Contains(allowed["readonly"], action) {
			t.Errorf("policy readonly allows %s", action)
		}
	}
	run(t, "table", "policy", "everything").want(t, exitUsage, "choose readonly, server, setup")
}
