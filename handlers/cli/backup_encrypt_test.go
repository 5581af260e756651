package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"filippo.io/age"
)

// TestBackup_Encrypts encrypts backups with a key and with a passphrase, and restores
// them. A restore with a wrong key or from a truncated file must fail and restore
// nothing.
func TestBackup_Encrypts(t *testing.T) {
	t.Parallel()
	folder, files := createSample(t), t.TempDir()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keyFile := save(t, filepath.Join(files, "key"), "# secret\n"+key.String()+"\n")
	otherFile := save(t, filepath.Join(files, "other"), other.String()+"\n")
	phraseFile := save(t, filepath.Join(files, "phrase"), "correct horse battery staple\n")
	shortFile := save(t, filepath.Join(files, "short"), "short\n")

	run(t, "backup", filepath.Join(files, "x"), "-encrypt", "age1wrong", "-data", folder).want(t, exitUsage, "enter one public key from age-keygen")
	run(t, "backup", filepath.Join(files, "x"), "-passphrase-file", shortFile, "-data", folder).want(t, exitUsage, "at least 16 characters")
	run(t, "backup", filepath.Join(files, "x"), "-encrypt", key.Recipient().String(), "-passphrase-file", phraseFile, "-data", folder).want(t, exitUsage, "only one of")
	for name, flags := range map[string][2][]string{
		"key":        {{"-encrypt", key.Recipient().String()}, {"-identity", keyFile}},
		"passphrase": {{"-passphrase-file", phraseFile}, {"-passphrase-file", phraseFile}},
	} {
		backup := filepath.Join(files, name+".age")
		run(t, append([]string{"backup", backup, "-data", folder}, flags[0]...)...).want(t, exitDone, "Backed up")
		text, err := os.ReadFile(backup)
		if err != nil || !bytes.HasPrefix(text, []byte(ageHeader)) || bytes.Contains(text, []byte("Samaneh")) {
			t.Errorf("%s: got error %v, or a backup that is not encrypted", name, err)
		}
		restored := filepath.Join(t.TempDir(), "new")
		run(t, "restore", backup, "-data", restored).want(t, exitUsage, "the backup is encrypted")
		run(t, "restore", backup, "-identity", otherFile, "-data", restored).want(t, exitFailed, "the key or passphrase is wrong")
		lengths := []int{30, 100, len(text) - 1}
		if name == "key" { // deriving a key from a passphrase takes a second
			lengths = append(lengths, len(text)/2)
		}
		for _, length := range lengths {
			short := save(t, filepath.Join(t.TempDir(), "truncated"), string(text[:length]))
			if r := run(t, append([]string{"restore", short, "-data", restored}, flags[1]...)...); r.code != exitFailed {
				t.Errorf("%s, truncated to %d bytes: got code %d, want %d", name, length, r.code, exitFailed)
			}
		}
		if left, _ := os.ReadDir(restored); len(left) > 0 {
			t.Errorf("%s: got files %v after failed restores, want none", name, left)
		}
		run(t, append([]string{"restore", backup, "-data", restored}, flags[1]...)...).want(t, exitDone, "Restored")
		if got, want := readItems(t, restored), readItems(t, folder); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %d items that differ from the %d of the store", name, len(got), len(want))
		}
	}
	plain := filepath.Join(files, "plain")
	run(t, "backup", plain, "-data", folder).want(t, exitDone)
	run(t, "restore", plain, "-identity", keyFile, "-data", filepath.Join(files, "new")).want(t, exitFailed, "is not encrypted")
	if help := run(t, "backup", "-h"); !strings.Contains(help.stdout, "-passphrase-file") {
		t.Error("got no flag -passphrase-file in the help")
	}
}
