package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// shards is how many pods or jobs the examples have.
const shards = 4

// smaller is what the examples explore here, in place of all sessions and kinds.
const smaller = "quick.feature --kinds sever,kill-pi --seed 1"

// TestExamplesExploreInShards runs the command lines of the examples as they stand, each shard with
// what its pod or job is given, and the merge: the result is that of one process.
func TestExamplesExploreInShards(t *testing.T) {
	job := documents(t, "explore-job.yaml")
	if n := at(t, job[1], "spec", "completions"); n != shards {
		t.Errorf("%v completions, want %d", n, shards)
	}
	if mode := at(t, job[1], "spec", "completionMode"); mode != "Indexed" {
		t.Errorf("completion mode %v", mode)
	}
	merge := documents(t, "explore-merge.yaml")
	inExample(t, "Kubernetes", ofPod(t, job[1]), ofPod(t, merge[0]), func(i int) (string, string) {
		return "JOB_COMPLETION_INDEX=" + strconv.Itoa(i), ""
	})

	matrix := documents(t, "explore-matrix.yaml")[0]
	list := at(t, matrix, "jobs", "explore", "strategy", "matrix", "shard").([]any)
	if len(list) != shards {
		t.Errorf("the matrix has %d shards, want %d", len(list), shards)
	}
	inExample(t, "matrix", ofStep(t, matrix, "explore"), ofStep(t, matrix, "merge"),
		func(i int) (string, string) { return "", strconv.Itoa(list[i].(int)) })
}

// expression is what GitHub puts in before a shell sees the line.
var expression = regexp.MustCompile(`\$\{\{ matrix\.shard \}\}`)

// inExample runs the shards, then the merge, each in a shell of its own.
func inExample(
	t *testing.T, name, explore, merge string, give func(i int) (env, shard string),
) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "quick.feature")
	if err := os.WriteFile(path, []byte(quickSession), 0o600); err != nil {
		t.Fatal(err)
	}
	reports := filepath.Join(dir, "reports")
	if err := os.Mkdir(reports, 0o700); err != nil {
		t.Fatal(err)
	}
	shell := func(line, env string) string {
		cmd := exec.Command("sh", "-e", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "EXPLORE="+smaller, "REPORTS="+reports, env)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %s: %v\n%s", name, line, err, out)
		}
		return string(out)
	}
	for i := range shards {
		env, shard := give(i)
		shell(expression.ReplaceAllString(explore, shard), env)
	}
	got := shell(merge, "")
	want := shell("sim explore "+smaller, "")
	if _, whole, ok := strings.Cut(want, "\n\n"); !ok || !strings.HasSuffix(got, whole) {
		t.Errorf("%s: the shards together are\n%s\nand the whole is\n%s", name, got, want)
	}
}

func documents(t *testing.T, name string) (all []any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var one any
		switch err := d.Decode(&one); {
		case err == io.EOF:
			return all
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

// at walks down a document.
func at(t *testing.T, doc any, path ...string) any {
	t.Helper()
	for _, key := range path {
		m, ok := doc.(map[string]any)
		if !ok || m[key] == nil {
			t.Fatalf("no %q on the way to %v", key, path)
		}
		doc = m[key]
	}
	return doc
}

// ofPod is the shell line of a job's only container.
func ofPod(t *testing.T, job any) string {
	t.Helper()
	containers := at(t, job, "spec", "template", "spec", "containers").([]any)
	command := at(t, containers[0], "command").([]any)
	if len(containers) != 1 || len(command) != 2 || command[0] != "sh" || command[1] != "-c" {
		t.Fatalf("%d containers, command %v", len(containers), command)
	}
	return at(t, containers[0], "args").([]any)[0].(string)
}

// ofStep is the shell line of the step that has the name of its job.
func ofStep(t *testing.T, workflow any, name string) string {
	t.Helper()
	for _, step := range at(t, workflow, "jobs", name, "steps").([]any) {
		if m := step.(map[string]any); m["name"] == name {
			return m["run"].(string)
		}
	}
	t.Fatalf("job %s has no step of its name", name)
	return ""
}
