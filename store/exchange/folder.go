package exchange

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"stockroom/store"
)

// Files of an export to S3:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html.
const (
	summaryManifest = "manifest-summary.json"
	filesManifest   = "manifest-files.json"
)

// exportSummary is the content of manifest-summary.json.
type exportSummary struct {
	ItemCount    int    `json:"itemCount"`
	OutputFormat string `json:"outputFormat"`
}

// exportedFile is a line of manifest-files.json.
type exportedFile struct {
	ItemCount int    `json:"itemCount"`
	MD5       string `json:"md5Checksum"` // checksum in base64
	ETag      string `json:"etag"`
	Key       string `json:"dataFileS3Key"`
}

// ExpandFolders replaces each folder in paths with its files. If a folder contains an
// export to S3, these are the data files in the manifests, whose item counts and checksums
// must match. ExpandFolders returns a FileError if a file is missing or damaged, or if a
// folder contains no files.
func ExpandFolders(paths []string) ([]string, error) {
	var files []string
	for _, name := range paths {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		found, err := filesIn(name)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

func filesIn(folder string) ([]string, error) {
	for _, pattern := range []string{"", "*", "AWSDynamoDB/*"} {
		manifests, err := filepath.Glob(filepath.Join(folder, pattern, summaryManifest))
		switch {
		case err != nil:
			return nil, err
		case len(manifests) > 1:
			return nil, &FileError{File: folder, Reason: "the folder has several exports; import one at a time, such as " + filepath.Dir(manifests[0])}
		case len(manifests) == 1:
			return verifyExport(filepath.Dir(manifests[0]))
		}
	}
	if _, err := os.Stat(filepath.Join(folder, tableFile)); err == nil {
		folder = filepath.Join(folder, dataFolder) // Export wrote this folder, in the format FormatDynamoDB
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		format, _ := formatOf(entry.Name())
		if entry.Type().IsRegular() && format != "" && !strings.Contains(entry.Name(), ".rejected.") {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	if len(files) == 0 {
		return nil, &FileError{File: folder, Reason: "the folder has no files to import"}
	}
	return files, nil
}

// verifyExport checks an export to S3 and returns its data files.
func verifyExport(folder string) ([]string, error) {
	var summary exportSummary
	content, err := readManifest(folder, summaryManifest)
	if err == nil {
		err = manifestError(folder, summaryManifest, json.Unmarshal(content, &summary))
	}
	if err != nil {
		return nil, err
	}
	if summary.OutputFormat != "DYNAMODB_JSON" {
		return nil, &FileError{File: folder, Reason: fmt.Sprintf("the export has the format %s; export the table as DYNAMODB_JSON", store.Quoted(summary.OutputFormat))}
	}
	if content, err = readManifest(folder, filesManifest); err != nil {
		return nil, err
	}
	var files []string
	items := 0
	for in := json.NewDecoder(bytes.NewReader(content)); ; {
		var file exportedFile
		if err := in.Decode(&file); err == io.EOF {
			break
		} else if err != nil {
			return nil, manifestError(folder, filesManifest, err)
		}
		name, err := file.verify(folder)
		if err != nil {
			return nil, err
		}
		items += file.ItemCount
		files = append(files, name)
	}
	if items != summary.ItemCount {
		return nil, &FileError{File: folder, Reason: fmt.Sprintf("%s counts %d items, but the files in %s have %d; download the export again", summaryManifest, summary.ItemCount, filesManifest, items)}
	}
	return files, nil
}

// readManifest reads a manifest. If the manifest has a checksum file, it verifies
// the checksum.
func readManifest(folder, name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, manifestError(folder, name, err)
	}
	for _, suffix := range []string{".md5", ".checksum"} {
		want, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(name, ".json")+suffix))
		sum := md5.Sum(content)
		if err == nil && strings.TrimSpace(string(want)) != base64.StdEncoding.EncodeToString(sum[:]) {
			return nil, &FileError{File: filepath.Join(folder, name), Reason: "the checksum does not match; download the export again"}
		}
	}
	return content, nil
}

func manifestError(folder, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &FileError{File: filepath.Join(folder, name), Reason: "the manifest is missing; download the export again"}
	}
	return &FileError{File: filepath.Join(folder, name), Reason: "can't read the manifest: " + err.Error()}
}

// verify finds a data file and compares it with its entry in the manifest. It returns
// the path of the file.
func (f exportedFile) verify(folder string) (string, error) {
	name, in, err := f.open(folder)
	if err != nil {
		return "", err
	}
	defer in.Close()
	hash := md5.New()
	content, err := unzip(io.TeeReader(in, hash))
	items := 0
	for err == nil {
		var line []byte
		if line, err = readLine(content); len(bytes.TrimSpace(line)) > 0 {
			items++
		}
	}
	if err == io.EOF {
		_, err = io.Copy(hash, in) // read the rest, because the checksum includes data after the end of the gzip stream
	}
	sum := hash.Sum(nil)
	switch {
	case err != nil:
		return "", &FileError{File: name, Reason: "the file is damaged: " + err.Error()}
	case f.MD5 != "" && f.MD5 != base64.StdEncoding.EncodeToString(sum), !f.hasETag(sum):
		return "", &FileError{File: name, Reason: "the checksum differs from the manifest; download the export again"}
	case items != f.ItemCount:
		return "", &FileError{File: name, Reason: fmt.Sprintf("the file has %d items, but the manifest says %d; download the export again", items, f.ItemCount)}
	}
	return name, nil
}

// hasETag reports whether the MD5 checksum matches the ETag. It returns true if there
// is no ETag, or if the object was uploaded in several parts: the ETag then also
// depends on the size of the parts, which is unknown.
func (f exportedFile) hasETag(sum []byte) bool {
	etag := strings.Trim(f.ETag, `"`)
	parts := md5.Sum(sum)
	switch whole, count, multipart := strings.Cut(etag, "-"); {
	case etag == "" || multipart && count != "1":
		return true
	case multipart:
		return whole == hex.EncodeToString(parts[:])
	default:
		return whole == hex.EncodeToString(sum)
	}
}

// open opens the file. The data folder of a full export is next to the manifests. The
// data folder of an incremental export is next to the folder of the manifests. A file can
// also be among the manifests, without a data folder.
func (f exportedFile) open(folder string) (string, *os.File, error) {
	base := path.Base(f.Key)
	for _, place := range []string{"data", "../data", "."} {
		name := filepath.Join(folder, place, base)
		file, err := os.Open(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return name, file, err
		}
	}
	return "", nil, &FileError{File: filepath.Join(folder, "data", base), Reason: "the manifest lists this file, but it is missing; download the export again"}
}
