package embedded_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func putOf(it item, condition string) types.TransactWriteItem {
	p := &types.Put{TableName: aws.String(shop), Item: it}
	if condition != "" {
		p.ConditionExpression = &condition
	}
	return types.TransactWriteItem{Put: p}
}

// takeStock subtracts from a quantity, on the condition that enough is in stock.
func takeStock(k item, quantity int) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: aws.String(shop), Key: k,
		UpdateExpression:                    aws.String("SET Quantity = Quantity - :n"),
		ConditionExpression:                 aws.String("Quantity >= :n"),
		ExpressionAttributeValues:           item{":n": n(quantity)},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

func transact(t *testing.T, db client, token string, actions ...types.TransactWriteItem) error {
	t.Helper()
	in := &dynamodb.TransactWriteItemsInput{TransactItems: actions}
	if token != "" {
		in.ClientRequestToken = &token
	}
	_, err := db.TransactWriteItems(t.Context(), in)
	return err
}

func transactionIsAtomic(t *testing.T, db client) {
	stock := with(key("p#1", "w#1"), "Quantity", n(5))
	put(t, db, stock, key("gone", "a"))
	order := key("o#1", "c#1")
	check := types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: aws.String(shop), Key: key("c#1", "c#1"), ConditionExpression: aws.String("attribute_not_exists(PK)")}}
	remove := types.TransactWriteItem{Delete: &types.Delete{TableName: aws.String(shop), Key: key("gone", "a")}}

	err := transact(t, db, "", putOf(order, ""), takeStock(key("p#1", "w#1"), 6), check, remove)
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("got %v, want TransactionCanceledException", err)
	}
	mustEqual(t, cancelled.ErrorMessage(), "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None, None]")
	for i, reason := range cancelled.CancellationReasons {
		if want := []string{"None", "ConditionalCheckFailed", "None", "None"}[i]; *reason.Code != want {
			t.Errorf("reason %d: got %s, want %s", i, *reason.Code, want)
		}
	}
	mustEqual(t, cancelled.CancellationReasons[1].Item, stock)
	mustEqual(t, *cancelled.CancellationReasons[1].Message, "The conditional request failed")
	mustEqual(t, get(t, db, order), item(nil))
	mustEqual(t, get(t, db, key("p#1", "w#1")), stock)

	if err := transact(t, db, "", putOf(order, ""), takeStock(key("p#1", "w#1"), 5), check, remove); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, db, order), order)
	mustEqual(t, get(t, db, key("p#1", "w#1")), with(stock, "Quantity", n(0)))
	mustEqual(t, get(t, db, key("gone", "a")), item(nil))
}

func transactionReasons(t *testing.T, db client) {
	put(t, db, with(key("a", "a"), "Quantity", s("many")))
	wrongType := takeStock(key("a", "a"), 1)
	wrongType.Update.ConditionExpression = nil
	for want, action := range map[string]types.TransactWriteItem{
		"An operand in the update expression has an incorrect data type":                                                          wrongType,
		"One or more parameter values were invalid: Type mismatch for Index Key Status Expected: S Actual: N IndexName: ByStatus": putOf(with(key("b", "b"), "Status", n(1)), ""),
		"One or more parameter values were invalid: Missing the key SK in the item":                                               putOf(item{"PK": s("b")}, ""),
	} {
		err := transact(t, db, "", putOf(key("c", "c"), ""), action)
		var cancelled *types.TransactionCanceledException
		if !errors.As(err, &cancelled) || *cancelled.CancellationReasons[1].Code != "ValidationError" {
			t.Errorf("got %v, want a ValidationError as second reason", err)
			continue
		}
		if isEngine(db) {
			mustEqual(t, *cancelled.CancellationReasons[1].Message, want)
		}
	}
	mustEqual(t, get(t, db, key("c", "c")), item(nil))
}

func invalidTransactions(t *testing.T, db client) {
	wantInvalid(t, transact(t, db, "", putOf(key("a", "a"), ""), takeStock(key("a", "a"), 1)), "Transaction request cannot include multiple operations on one item")
	wantInvalid(t, transact(t, db, "", types.TransactWriteItem{}), "TransactItems can only contain one of Check, Put, Update or Delete")
	var many []types.TransactWriteItem
	for i := range 101 {
		many = append(many, putOf(key("a", fmt.Sprint(i)), ""))
	}
	wantInvalid(t, transact(t, db, "", many...), "1 validation error detected: Value '[...]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100")
	if err := transact(t, db, "", many[:100]...); err != nil {
		t.Error(err)
	}
	wantInvalid(t, transact(t, db, "a token that is longer than thirty-six characters", many[0]),
		"1 validation error detected: Value 'a token that is longer than thirty-six characters' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36")
	var missing *types.ResourceNotFoundException
	elsewhere := putOf(key("a", "a"), "")
	elsewhere.Put.TableName = aws.String("Nowhere")
	if err := transact(t, db, "", elsewhere); !errors.As(err, &missing) {
		t.Errorf("transaction on missing table: got %v, want ResourceNotFoundException", err)
	}
}

func TestClientRequestToken_AppliesTransactionOnce(t *testing.T) {
	dir, clock := t.TempDir(), newTestClock()
	db := openAt(t, dir, clock)
	create(t, db, shopTable())
	put(t, db, with(key("p#1", "w#1"), "Quantity", n(5)))
	quantity := func() types.AttributeValue { return get(t, db, key("p#1", "w#1"))["Quantity"] }
	takeWith := func(token string, of int) error { return transact(t, db, token, takeStock(key("p#1", "w#1"), of)) }
	for range 2 {
		if err := takeWith("token", 1); err != nil {
			t.Fatal(err)
		}
	}
	mustEqual(t, quantity(), n(4))
	var mismatch *types.IdempotentParameterMismatchException
	if err := takeWith("token", 2); !errors.As(err, &mismatch) {
		t.Errorf("same token, other actions: got %v, want IdempotentParameterMismatchException", err)
	}

	clock.advance(9 * time.Minute)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, dir, clock)
	if err := takeWith("token", 1); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, quantity(), n(4))

	clock.advance(time.Minute)
	if err := takeWith("token", 1); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, quantity(), n(3))

	// The token of a cancelled transaction can be used again.
	var cancelled *types.TransactionCanceledException
	if err := takeWith("second", 9); !errors.As(err, &cancelled) {
		t.Errorf("quantity above stock: got %v, want TransactionCanceledException", err)
	}
	put(t, db, with(key("p#1", "w#1"), "Quantity", n(9)))
	if err := takeWith("second", 9); err != nil {
		t.Error(err)
	}
	mustEqual(t, quantity(), n(0))
}

// TestClientRequestToken_Capacity checks that a repeated transaction consumes the
// capacity of reading its items.
func TestClientRequestToken_Capacity(t *testing.T) {
	db := openShop(t)
	in := &dynamodb.TransactWriteItemsInput{
		TransactItems:      []types.TransactWriteItem{putOf(ofSize(key("a", "1"), 5000), ""), putOf(key("a", "2"), "")},
		ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	for i, want := range []types.ConsumedCapacity{
		{TableName: aws.String(shop), CapacityUnits: aws.Float64(12), WriteCapacityUnits: aws.Float64(12)},
		{TableName: aws.String(shop), CapacityUnits: aws.Float64(6), ReadCapacityUnits: aws.Float64(6)},
		{TableName: aws.String(shop), CapacityUnits: aws.Float64(6), ReadCapacityUnits: aws.Float64(6)},
	} {
		out, err := db.TransactWriteItems(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(out.ConsumedCapacity, []types.ConsumedCapacity{want}) {
			t.Errorf("call %d: got capacity %+v, want %+v", i+1, out.ConsumedCapacity, want)
		}
	}
}

func transactGetItems(t *testing.T, db client) {
	put(t, db, with(key("a", "1"), "Name", s("x")), key("a", "2"))
	getOf := func(k item) types.TransactGetItem {
		return types.TransactGetItem{Get: &types.Get{TableName: aws.String(shop), Key: k}}
	}
	projected := getOf(key("a", "1"))
	projected.Get.ProjectionExpression = aws.String("#n")
	projected.Get.ExpressionAttributeNames = map[string]string{"#n": "Name"}
	out, err := db.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{projected, getOf(key("a", "3")), getOf(key("a", "2"))}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		t.Fatal(err)
	}
	if isEngine(db) { // other engines add the key to projections, or return empty items
		mustEqual(t, out.Responses, []types.ItemResponse{{Item: item{"Name": s("x")}}, {}, {Item: key("a", "2")}})
	}
	mustEqual(t, out.Responses[2].Item, key("a", "2"))
	mustEqual(t, *out.ConsumedCapacity[0].CapacityUnits, 6.0)

	_, err = db.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{getOf(key("a", "1")), getOf(key("a", "1"))}})
	wantInvalid(t, err, "Transaction request cannot include multiple operations on one item")
}

func TestTransactLarge(t *testing.T) {
	db := openShop(t)
	var actions []types.TransactWriteItem
	for i := range 1000 {
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{
			TableName:           aws.String(shop),
			Item:                order(i),
			ConditionExpression: aws.String("attribute_not_exists(PK)"),
		}})
	}
	put(t, db, order(700))
	var cancelled *types.TransactionCanceledException
	err := db.TransactLarge(t.Context(), actions)
	if !errors.As(err, &cancelled) || *cancelled.CancellationReasons[700].Code != "ConditionalCheckFailed" {
		t.Fatalf("got %v, want action 700 to fail", err)
	}
	mustEqual(t, get(t, db, item{"PK": order(1)["PK"], "SK": order(1)["SK"]}), item(nil))
	if err := db.TransactLarge(t.Context(), actions[:700]); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, db, item{"PK": order(1)["PK"], "SK": order(1)["SK"]}), order(1))
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}
