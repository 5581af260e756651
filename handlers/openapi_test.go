package handlers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// filterTexts describes the filters of lists, and the parameter for earlier states.
var filterTexts = map[string]string{
	"after":     "the position of the page, from the `Link` header of the page before; only with `limit`",
	"limit":     "the number of rows of one page, from 1 to 200; without it, the file contains all rows",
	"about":     "the partition key of a record",
	"at":        "a date and time, such as 2026-11-21T10:00: the state of the record at that time",
	"archived":  "`yes` for archived records instead of the others",
	"bucket":    "the first letter of the names",
	"by":        "a user name",
	"category":  "the name of a category",
	"date":      "a day, such as 2026-11-21 or today",
	"day":       "a day, such as 2026-11-21 or today",
	"email":     "an email address",
	"from":      "the first day, such as 2026-11-21, 30 days ago or last month; of a comparison, the first date and time, such as 2026-11-21T10:00",
	"job":       "the ID of a job title",
	"kind":      "the kind of records",
	"month":     "a month, such as 2026-11",
	"name":      "the beginning of a name",
	"of":        "the path of a record, such as /orders/12345",
	"order":     "the order of the rows",
	"period":    "a quarter, such as 2026-Q4",
	"person":    "a person: a name, email address, phone number or ID",
	"person-id": "the ID of the person",
	"show":      "which of the rows to show, as in the links on the page",
	"sort":      "`reverse` for the reverse order",
	"span":      "how many days to show",
	"status":    "a status, as on the page",
	"stock":     "whether the stock is enough for the order, as on the page",
	"store":     "the ID of a store",
	"system":    "the name of one of the systems",
	"to":        "the last day; of a comparison, the second date and time",
	"warehouse": "the ID of a warehouse",
	"year":      "a year, such as 2026",
}

// apiFile describes a list or record that programs can read as a file.
type apiFile struct {
	row     *route
	kind    reflect.Type
	past    reflect.Type // type of an earlier state of the record; nil if it has none
	columns []string
	added   []string // columns with names of other records, which the JSON also contains
	filters []string
	isPaged bool // as JSON, the list can be read in pages
}

// apiFiles requests every list and record as JSON, and describes the responses.
func (b *backOffice) apiFiles(t *testing.T) []apiFile {
	var files []apiFile
	var last echo.Context
	b.site.router.(*echo.Echo).Pre(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			last = c
			return next(c)
		}
	})
	admin := b.as(t, "admin")
	for i := range b.site.rows {
		row := &b.site.rows[i]
		if row.formats == none || row.path == "/api" {
			continue
		}
		path, query, _ := strings.Cut(matrix[row.method+" "+row.path].address, "?")
		got := admin.get(path + ".json?" + query)
		b.handling.Wait() // wait, because the last request may still be in progress
		file := web.FileOf(last)
		if row.path == "/data/model" {
			file = &web.SentFile{} // this file has the format of NoSQL Workbench and not of a list or record
		} else if got.status != http.StatusOK || file == nil || file.Type == nil {
			t.Errorf("%s: got status %d and the file %+v, want a file with a type", row.path, got.status, file)
			continue
		}
		f := apiFile{row: row, kind: file.Type, columns: file.Columns, added: file.Added, filters: slices.Clone(web.FiltersOf(last))}
		f.filters = slices.DeleteFunc(f.filters, func(name string) bool { return name == "cols" || strings.HasSuffix(name, "-was") })
		if row.formats == list && admin.get(path+".json?sort=reverse").status == http.StatusOK {
			f.filters = append(f.filters, "sort")
		}
		if row.formats == list && admin.get(path+".json?limit=1&"+query).status == http.StatusOK {
			b.handling.Wait()
			f.isPaged = web.FileOf(last).IsPage
		}
		if row.path == views.ComparePath {
			f.filters = compareParams
		}
		if got := admin.get(path + ".json?at=2026-11-21T10:00"); got.status == http.StatusOK {
			b.handling.Wait()
			f.past, f.filters = web.FileOf(last).Type, append(f.filters, "at")
		}
		files = append(files, f)
	}
	return files
}

// columnsAre is the text before the columns in the description of a CSV file.
const columnsAre = " The columns are "

// apiDocument returns the OpenAPI 3.1 description of the files.
func apiDocument(files []apiFile) object {
	s := &schemas{components: object{}, types: map[string]reflect.Type{}}
	paths := object{}
	for _, f := range files {
		answer := object{"type": "object"}
		switch {
		case f.kind == nil:
		case f.row.formats == list:
			answer = s.rowsOf(f.kind, f.added)
		case f.kind.Kind() == reflect.Pointer:
			answer = s.of(f.kind.Elem()) // the response contains the record, never null
		default:
			answer = s.of(f.kind)
		}
		if f.past != nil {
			answer = object{"anyOf": []object{answer, s.of(f.past)}}
		}
		path := routeParameter.ReplaceAllString(f.row.path, "{$1}")
		paths[path+".json"] = object{"get": f.operation("json", object{echo.MIMEApplicationJSON: object{"schema": answer}}, "")}
		if f.row.formats == list {
			columns := columnsAre + strings.Join(f.columns, ", ") + "."
			if strings.Contains(f.row.path, ":kind") {
				columns = " The columns depend on the kind."
			}
			paths[path+".csv"] = object{"get": f.operation("csv", object{"text/csv": object{"schema": object{"type": "string"}}}, columns)}
		}
	}
	s.components["Error"] = object{
		"type": "object", "required": []string{"error"},
		"properties": object{"error": object{"type": "string", "description": "A message for a person."}, "reference": object{"type": "string", "description": "Identifies the entry in the log of the server."}},
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Stockroom", "version": "1",
			"description": "The lists and records of Stockroom as JSON and CSV. A file of a list contains all rows that match its filters. With `limit`, JSON contains one page, and a `Link` header with `rel=\"next\"` the address of the next one. Amounts of money are numbers. Times are in UTC.",
		},
		"servers":    []object{{"url": "/"}},
		"security":   []object{{"accessToken": []string{}}, {"session": []string{}}},
		"paths":      paths,
		"components": object{"schemas": s.components, "responses": problemResponses(), "securitySchemes": securitySchemes},
	}
}

var routeParameter = regexp.MustCompile(`:(\w+)`)

var securitySchemes = object{
	"accessToken": object{"type": "http", "scheme": "bearer", "description": "An access token, which users create on the page /account/tokens."},
	"session":     object{"type": "apiKey", "in": "cookie", "name": "__Host-stockroom", "description": "The session of a browser."},
}

// problems describes the statuses of responses that contain an error.
var problems = map[string]string{
	"400": "The query string is invalid: a parameter is unknown or repeated.",
	"401": "The access token is missing, invalid, expired or revoked, or its user is locked.",
	"403": "The role of the token or its user lacks the permission.",
	"404": "There is no such record, or it is outside the warehouses and stores of the token.",
	"422": "The value of a filter is invalid.",
	"429": "Too many invalid access tokens came from this network. Retry-After contains the wait in seconds.",
	"503": "The system is busy. Retry-After contains the wait in seconds.",
}

func problemResponses() object {
	responses := object{}
	for status, text := range problems {
		responses["Status"+status] = object{
			"description": text,
			"content":     object{echo.MIMEApplicationJSON: object{"schema": object{"$ref": "#/components/schemas/Error"}}},
		}
	}
	return responses
}

// operation returns the OpenAPI description of the request that reads the file in one
// format.
func (f apiFile) operation(format string, content object, more string) object {
	parameters := []object{}
	for _, match := range routeParameter.FindAllStringSubmatch(f.row.path, -1) {
		parameters = append(parameters, object{"name": match[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	filters := f.filters
	if f.isPaged && format == "json" {
		filters = append(slices.Clip(filters), "limit", "after")
	}
	for _, name := range filters {
		parameters = append(parameters, object{"name": name, "in": "query", "description": filterTexts[name], "schema": object{"type": "string"}})
	}
	responses := object{"200": object{"description": f.row.name, "content": content}}
	for status := range problems {
		if status != "404" || strings.Contains(f.row.path, ":") {
			responses[status] = object{"$ref": "#/components/responses/Status" + status}
		}
	}
	tag, _, _ := strings.Cut(strings.TrimPrefix(f.row.path, "/"), "/")
	return object{
		"operationId": strings.Trim(notWord.ReplaceAllString(f.row.path, "-"), "-") + "-" + format,
		"summary":     f.row.name, "tags": []string{tag}, "parameters": parameters, "responses": responses,
		"description": fmt.Sprintf("Requires the permission to %s, which these roles have: %s.%s", f.row.permission, store.RolesWith(f.row.permission), more),
	}
}

var notWord = regexp.MustCompile(`\W+`)

// TestAPI_IsCurrent compares the embedded description with the files that the routes
// send. With the flag -update, it replaces the description. It also checks that files
// with email addresses are in sensitiveFiles, that the site sends the description, and
// that the page of the API lists only what the role may read.
func TestAPI_IsCurrent(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	files := b.apiFiles(t)
	for _, f := range files {
		if f.row.formats == list && (slices.Contains(f.columns, "Email") || hasAddress(f.kind)) && !sensitiveFiles[f.row.path] {
			t.Errorf("%s contains email addresses, want it in sensitiveFiles", f.row.path)
		}
		for _, name := range f.filters {
			if filterTexts[name] == "" {
				t.Errorf("%s: the filter %s has no text, want one in filterTexts", f.row.path, name)
			}
		}
	}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(apiDocument(files)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want.Bytes(), apiDescription) {
		t.Error("openapi.json is outdated. Run go test ./handlers -run TestAPI_IsCurrent -update")
	}
	got := b.program(t, b.newToken(t, "viewer", store.NewAccessToken{Name: "Description", Role: store.Viewer})).get("/api.json")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != openAPI || got.body != string(apiDescription) {
		t.Errorf("/api.json: got status %d and %s, want the description", got.status, got.header.Get("Content-Type"))
	}
	if page := b.as(t, "viewer").get("/api").body; !strings.Contains(page, "/orders/:id<") || strings.Contains(page, "/admin/users<") || !strings.Contains(page, "Authorization: Bearer $TOKEN") {
		t.Errorf("/api: got a page without orders or the example, or with addresses that the role may not read: %s", page)
	}
}

// hasAddress reports whether the JSON of a row contains an email address.
func hasAddress(row reflect.Type) bool {
	if row == nil || row.Kind() != reflect.Struct {
		return false
	}
	for i := range row.NumField() {
		field := row.Field(i)
		isText := (field.Name == "Email" || field.Name == "To") && field.Type.Kind() == reflect.String
		if field.Anonymous && hasAddress(field.Type) || isText && field.Tag.Get("json") != "-" {
			return true
		}
	}
	return false
}

// TestAPI_IsValid validates the description with the schema that the OpenAPI Initiative
// publishes.
func TestAPI_IsValid(t *testing.T) {
	const address = "https://spec.openapis.org/oas/3.1/schema.json"
	compiler := jsonschema.NewCompiler()
	addSchema(t, compiler, address, []byte(datamodel.OpenAPI31SchemaData))
	schema, err := compiler.Compile(address)
	if err != nil {
		t.Fatal(err)
	}
	document := decodeJSON(t, apiDescription)
	if err := schema.Validate(document); err != nil {
		t.Errorf("openapi.json: %v", err)
	}
	delete(document.(object), "info")
	if schema.Validate(document) == nil {
		t.Error("a description without info: got no error, want one")
	}
}

func addSchema(t *testing.T, compiler *jsonschema.Compiler, address string, text []byte) {
	t.Helper()
	if err := compiler.AddResource(address, decodeJSON(t, text)); err != nil {
		t.Fatal(err)
	}
}

func decodeJSON(t testing.TB, text []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// forbidOthers makes the schemas reject properties that they do not describe.
func forbidOthers(value any) {
	switch value := value.(type) {
	case object:
		if value["properties"] != nil && value["type"] == "object" {
			value["additionalProperties"] = false
		}
		for _, part := range value {
			forbidOthers(part)
		}
	case []any:
		for _, part := range value {
			forbidOthers(part)
		}
	}
}

// apiChecker compares responses with the description.
type apiChecker struct {
	files   map[string]*jsonschema.Schema // schema of each JSON file, by its path in the description
	problem *jsonschema.Schema
	columns map[string]string // columns of each CSV file, by its path in the description
}

func newAPIChecker(t *testing.T) *apiChecker {
	t.Helper()
	const address = "https://stockroom.example.com/api.json"
	document := decodeJSON(t, apiDescription).(object)
	forbidOthers(document)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(address, document); err != nil {
		t.Fatal(err)
	}
	compile := func(pointer string) *jsonschema.Schema {
		schema, err := compiler.Compile(address + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
		if err != nil {
			t.Fatal(err)
		}
		return schema
	}
	c := &apiChecker{files: map[string]*jsonschema.Schema{}, problem: compile("/components/schemas/Error"), columns: map[string]string{}}
	for path, item := range document["paths"].(object) {
		if strings.HasSuffix(path, ".csv") {
			_, columns, _ := strings.Cut(item.(object)["get"].(object)["description"].(string), columnsAre)
			c.columns[path] = strings.TrimSuffix(columns, ".")
			continue
		}
		c.files[path] = compile("/paths/" + strings.ReplaceAll(path, "/", "~1") + "/get/responses/200/content/application~1json/schema")
	}
	return c
}

// describedPath returns the path of a route as it is in the description.
func describedPath(row *route) string { return routeParameter.ReplaceAllString(row.path, "{$1}") }

// json requests a JSON file. The response must conform to the schema, even if the response
// is an error.
func (c *apiChecker) json(browser *browser, row *route, address string) {
	browser.t.Helper()
	path, query, _ := strings.Cut(address, "?")
	got := browser.get(path + ".json?" + query)
	schema := c.files[describedPath(row)+".json"]
	if got.status == http.StatusNotFound || got.status == http.StatusUnprocessableEntity {
		schema = c.problem
	} else if got.status != http.StatusOK {
		browser.t.Errorf("%s.json: got status %d, want 200, 404 or 422", path, got.status)
		return
	}
	if err := schema.Validate(decodeJSON(browser.t, []byte(got.body))); err != nil {
		browser.t.Errorf("%s.json: got status %d and a response that differs from the schema: %v", path, got.status, err)
	}
}

// csv requests a CSV file and compares its columns with the description.
func (c *apiChecker) csv(browser *browser, row *route, address string) {
	browser.t.Helper()
	path, query, _ := strings.Cut(address, "?")
	got := browser.get(path + ".csv?" + query)
	header, err := csv.NewReader(strings.NewReader(got.body)).Read()
	if want := c.columns[describedPath(row)+".csv"]; got.status != http.StatusOK || err != nil || want != "" && strings.Join(header, ", ") != want {
		browser.t.Errorf("%s.csv: got status %d, %v and the columns %q, want %s", path, got.status, err, header, want)
	}
}

// TestAPI_DescribesTestShop requests every described path in the test shop. Each
// response must conform to its schema, and must not have other properties.
func TestAPI_DescribesTestShop(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	checker, admin, described := newAPIChecker(t), b.as(t, "admin"), 0
	for i := range b.site.rows {
		row := &b.site.rows[i]
		if row.formats == none || row.path == "/api" {
			continue
		}
		described += int(row.formats)
		route := row.method + " " + row.path
		for _, address := range append([]string{matrix[route].address}, moreAddresses[route]...) {
			checker.json(admin, row, address)
		}
		if row.formats == list {
			checker.csv(admin, row, matrix[route].address)
		}
	}
	if got := len(checker.files) + len(checker.columns); got != described {
		t.Errorf("got %d described paths, want %d", got, described)
	}
}

var anyLink = regexp.MustCompile(`href="(/[^"#?]*)`)

// TestAPI_DescribesDemo follows links through the demo business, and requests the JSON
// files of the pages. Each response must conform to its schema. Links must lead to at
// least three quarters of the described files.
func TestAPI_DescribesDemo(t *testing.T) {
	t.Parallel()
	b := serveImage(t, demoImage)
	checker, admin := newAPIChecker(t), b.as(t, "admin")
	opened, described := map[string]bool{}, 0
	for queue := []string{"/"}; len(queue) > 0; queue = queue[1:] {
		for _, link := range anyLink.FindAllStringSubmatch(admin.get(queue[0]).body, -1) {
			path := strings.TrimSuffix(strings.TrimSuffix(html.UnescapeString(link[1]), ".json"), ".csv")
			row := b.rowOf(path)
			if row == nil || opened[row.path] || row.permission == store.Anyone || row.path == views.ComparePath { // anyLink removes the parameters that /compare needs
				continue
			}
			opened[row.path] = true
			queue = append(queue, path)
			if checker.files[describedPath(row)+".json"] != nil {
				described++
				checker.json(admin, row, path)
			}
		}
	}
	if want := len(checker.files) * 3 / 4; described < want {
		t.Errorf("got %d of %d described paths from links, want at least %d", described, len(checker.files), want)
	}
}

// rowOf returns the route of a GET request, or nil.
func (b *backOffice) rowOf(path string) *route {
	router := b.site.router.(*echo.Echo)
	c := router.NewContext(nil, nil)
	router.Router().Find(http.MethodGet, path, c)
	for i := range b.site.rows {
		if row := &b.site.rows[i]; row.method == http.MethodGet && row.path == c.Path() {
			return row
		}
	}
	return nil
}
