package wire_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

const clientLibrary = "github.com/guregu/dynamo/v2"

// clientTests lists the tests of the client library that need a database.
var clientTests = strings.Fields(`TestBatchGetWrite TestBatchGetEmptySets TestListTables TestDelete TestDescribeTable TestPut
	TestPutAndQueryAWSEncoding TestGetAllCount TestQueryPaging TestQueryMagicLEK TestQueryBadKeys TestScan TestScanPaging
	TestScanMagicLEK TestTableLifecycle TestDescribeTTL TestTx TestTxRetry TestUpdate TestUpdateNil TestUpdateSetAutoOmit`)

// TestHandler_ClientLibrary runs the tests of the client library on the engine. All
// must pass, and none may be skipped.
func TestHandler_ClientLibrary(t *testing.T) {
	key := wire.AccessKey{ID: "client", Secret: "the secret of the client"}
	engine := storetest.Embedded(t, storetest.NewClock())
	secrets := wire.Secrets{Table: "none", IsSecret: func(item) bool { return false }}
	server := httptest.NewServer(wire.VerifyingHandler(engine, key, secrets))
	defer server.Close()

	command := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "-json", clientLibrary)
	command.Dir = "clienttest"
	command.Env = append(os.Environ(),
		"DYNAMO_TEST_ENDPOINT="+server.URL, "DYNAMO_TEST_REGION=local", "DYNAMO_TEST_TABLE=widgets", "DYNAMO_TEST_TABLE2=sprockets",
		"AWS_ACCESS_KEY_ID="+key.ID, "AWS_SECRET_ACCESS_KEY="+key.Secret, "AWS_SESSION_TOKEN=", "AWS_PROFILE=", "AWS_CONFIG_FILE="+os.DevNull)
	var messages bytes.Buffer
	command.Stderr = &messages // includes messages about downloaded modules
	out, runErr := command.Output()

	outcomes, output := map[string]string{}, ""
	for line := range bytes.Lines(out) {
		var event struct{ Action, Test, Output string }
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%v, in the output:\n%s", err, out)
		}
		output += event.Output
		if event.Action == "pass" || event.Action == "fail" || event.Action == "skip" {
			outcomes[event.Test] = event.Action
		}
	}
	for name, outcome := range outcomes {
		if outcome != "pass" {
			t.Errorf("%s: got outcome %q, want pass", name, outcome)
		}
	}
	for _, name := range clientTests {
		if _, ran := outcomes[name]; !ran {
			t.Errorf("%s did not run", name)
		}
	}
	if runErr != nil || t.Failed() {
		t.Errorf("%v, with the output:\n%s", runErr, output)
	}
}
