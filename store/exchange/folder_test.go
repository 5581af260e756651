package exchange_test

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// s3Export writes an export to S3 into a folder, with one data file for each content.
// It returns the folder of the manifests.
func s3Export(t *testing.T, folder string, contents ...string) string {
	t.Helper()
	export := filepath.Join(folder, "AWSDynamoDB", "01693685827463-2d8752fd")
	var manifest strings.Builder
	total := 0
	for i, content := range contents {
		var file bytes.Buffer
		zip := gzip.NewWriter(&file)
		fmt.Fprint(zip, content)
		if err := zip.Close(); err != nil {
			t.Fatal(err)
		}
		name, items := fmt.Sprintf("data/file%d.json.gz", i), strings.Count(content, "\n")
		total += items
		writeFile(t, filepath.Join(export, name), file.String())
		sum := md5.Sum(file.Bytes())
		parts := md5.Sum(sum[:])
		fmt.Fprintf(&manifest, `{"itemCount":%d,"md5Checksum":"%s","etag":"%s-1","dataFileS3Key":"prefix/AWSDynamoDB/01693685827463-2d8752fd/%s"}`+"\n",
			items, base64.StdEncoding.EncodeToString(sum[:]), hex.EncodeToString(parts[:]), name)
	}
	summary := fmt.Sprintf(`{"version":"2020-06-30","itemCount":%d,"outputFormat":"DYNAMODB_JSON","s3SseKmsKeyId":null}`, total)
	for name, content := range map[string]string{"manifest-summary": summary, "manifest-files": manifest.String()} {
		writeFile(t, filepath.Join(export, name+".json"), content)
		sum := md5.Sum([]byte(content))
		writeFile(t, filepath.Join(export, name+".md5"), base64.StdEncoding.EncodeToString(sum[:]))
	}
	writeFile(t, filepath.Join(folder, "AWSDynamoDB", "_started"), "")
	return export
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestExpandFolders_ImportsExportToS3(t *testing.T) {
	root := t.TempDir()
	export := s3Export(t, root, `{"Item": `+customerItem("1")+"}\n", "", `{"Item": `+customerItem("2")+"}\n"+`{"Item": `+customerItem("3")+"}\n")
	writeFile(t, filepath.Join(export, "data", "not-listed.json.gz"), "x")
	for _, folder := range []string{root, filepath.Join(root, "AWSDynamoDB"), export} {
		files, err := exchange.ExpandFolders([]string{folder})
		if err != nil || len(files) != 3 {
			t.Fatalf("%s: got %q, %v, want 3 files", folder, files, err)
		}
		s := storetest.Open(t, storetest.NewClock())
		if _, rejected := importRows(t, s, exchange.ImportOptions{}, 3, openFiles(t, files...)...); len(rejected) > 0 || len(readTable(t, s)) != 3 {
			t.Errorf("got %q rejected and %d items, want 3 items", rejected, len(readTable(t, s)))
		}
	}
}

// TestExpandFolders_SharedData reads an incremental export, whose data folder is next to
// the folder of its manifests.
func TestExpandFolders_SharedData(t *testing.T) {
	export := s3Export(t, t.TempDir(), `{"NewImage": `+customerItem("1")+"}\n")
	if err := os.Rename(filepath.Join(export, "data"), filepath.Join(filepath.Dir(export), "data")); err != nil {
		t.Fatal(err)
	}
	if files, err := exchange.ExpandFolders([]string{"-", export}); err != nil || len(files) != 2 {
		t.Errorf("got %q, %v, want standard input and 1 file", files, err)
	}
}

func TestExpandFolders_WithoutManifest(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.csv", "b.jsonl", "00001.json.gz", "b.jsonl.rejected.jsonl", "README.md"} {
		writeFile(t, filepath.Join(folder, name), "")
	}
	files, err := exchange.ExpandFolders([]string{folder})
	if err != nil || len(files) != 3 {
		t.Errorf("got %q, %v, want 3 files", files, err)
	}
	if files, err = exchange.ExpandFolders([]string{t.TempDir()}); err == nil {
		t.Errorf("empty folder: got %q, want an error", files)
	}
}

func TestExpandFolders_RefusesDifferences(t *testing.T) {
	replace := func(name, before, after string) func(*testing.T, string) {
		return func(t *testing.T, export string) {
			content, err := os.ReadFile(filepath.Join(export, name))
			if err != nil || !bytes.Contains(content, []byte(before)) {
				t.Fatalf("%v: %s", err, content)
			}
			writeFile(t, filepath.Join(export, name), strings.Replace(string(content), before, after, 1))
			_ = os.Remove(filepath.Join(export, strings.TrimSuffix(name, ".json")+".md5"))
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, export string) {
			if err := os.Remove(filepath.Join(export, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		damage func(*testing.T, string)
		want   string
	}{
		"data file missing": {remove("data/file0.json.gz"), "is missing"},
		"manifest missing":  {remove("manifest-files.json"), "the manifest is missing"},
		"other checksum":    {replace("manifest-files.json", `"md5Checksum":"`, `"md5Checksum":"x`), "the checksum differs from the manifest"},
		"other ETag":        {replace("manifest-files.json", `"etag":"`, `"etag":"0`), "the checksum differs from the manifest"},
		"other count":       {replace("manifest-files.json", `"itemCount":1`, `"itemCount":2`), "the file has 1 items, but the manifest says 2"},
		"other total":       {replace("manifest-summary.json", `"itemCount":1`, `"itemCount":2`), "manifest-summary.json counts 2 items"},
		"Ion":               {replace("manifest-summary.json", "DYNAMODB_JSON", "ION"), `the export has the format “ION”`},
		"manifest not JSON": {replace("manifest-files.json", `{`, `[`), "can't read the manifest"},
		"manifest's md5":    {func(t *testing.T, e string) { writeFile(t, filepath.Join(e, "manifest-files.md5"), "x") }, "the checksum does not match"},
		"truncated data":    {func(t *testing.T, e string) { truncate(t, filepath.Join(e, "data/file0.json.gz")) }, "the file is damaged"},
		"data not gzipped":  {func(t *testing.T, e string) { writeFile(t, filepath.Join(e, "data/file0.json.gz"), "{}\n") }, "the checksum differs from the manifest"},
		"two exports at one": {func(t *testing.T, e string) {
			writeFile(t, filepath.Join(filepath.Dir(e), "other/manifest-summary.json"), "{}")
		}, "several exports"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			tt.damage(t, s3Export(t, root, `{"Item": `+customerItem("1")+"}\n"))
			files, err := exchange.ExpandFolders([]string{root})
			var e *exchange.FileError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, %v, want a FileError with %q", files, err, tt.want)
			}
		})
	}
}

func truncate(t *testing.T, name string) {
	t.Helper()
	if err := os.Truncate(name, 30); err != nil {
		t.Fatal(err)
	}
}
