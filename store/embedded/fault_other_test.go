//go:build !linux

package embedded_test

func childTasks() map[string]childTask {
	return map[string]childTask{"compact": compactLoop, "reopen": reopenLoop, "transfer": transferLoop}
}
