package certify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"bridgesim/scenarios/coverage"
)

// Of is what a certificate is made about.
type Of struct {
	Binary   []byte // the program
	Version  string // what its "version" prints
	Coverage []byte // what its "coverage --json" prints: its tables
	Features fs.FS  // the folder of the features
	Name     string // of that folder, as in the Plan
}

// Subjects names everything by its digest: the module with its commit, the binary, each feature
// file, and each table that the binary is built with.
func Subjects(o Of) ([]Descriptor, error) {
	version, commit := versionOf(o.Version)
	module := map[string]string{"sha256": digest([]byte(version + "\n" + commit))}
	if commit != "" {
		module["gitCommit"] = commit
	}
	out := []Descriptor{
		{Name: "module bridgesim " + version, Digest: module},
		{Name: "binary sim", Digest: map[string]string{"sha256": digest(o.Binary)}},
	}
	tables, err := tableDigests(o.Coverage)
	if err != nil {
		return nil, err
	}
	features, err := featureDigests(o)
	return append(append(out, tables...), features...), err
}

// versionOf reads the version and the commit; a commit that is not known is "".
func versionOf(text string) (version, commit string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch value = strings.TrimSpace(value); {
		case key == "sim":
			version = value
		case key == "commit" && value != "(unknown)":
			commit = value
		}
	}
	return cmp.Or(version, "(unknown)"), commit
}

// tableDigests covers what the items of each table are, not which scenarios cover them.
func tableDigests(text []byte) (out []Descriptor, err error) {
	var c coverage.Coverage
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("reading the tables: %w", err)
	}
	for _, t := range c.Tables {
		for i := range t.Items {
			t.Items[i].By = nil
		}
		b, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		out = append(out, Descriptor{
			Name: "table " + t.Name, Digest: map[string]string{"sha256": digest(b)},
		})
	}
	return out, nil
}

func featureDigests(o Of) (out []Descriptor, err error) {
	err = fs.WalkDir(o.Features, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".feature" {
			return err
		}
		b, err := fs.ReadFile(o.Features, name)
		out = append(out, Descriptor{
			Name: "feature " + path.Join(o.Name, name), Digest: map[string]string{"sha256": digest(b)},
		})
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no feature lies in %s", o.Name)
	}
	return out, err
}

// differ names what two lists of subjects do not have in common. A commit that differs names the
// module, whatever else is the same.
func differ(certified, present []Descriptor) (out []string) {
	now := map[string]Descriptor{}
	for _, d := range present {
		now[d.Name] = d
	}
	for _, d := range certified {
		n, ok := now[d.Name]
		delete(now, d.Name)
		switch {
		case !ok:
			out = append(out, d.Name+" is not there any more")
		case !same(d, n):
			out = append(out, d.Name+" is another one: certified "+shown(d)+", here "+shown(n))
		}
	}
	for name := range now {
		out = append(out, name+" was not certified")
	}
	slices.Sort(out)
	return out
}

func same(a, b Descriptor) bool {
	if len(a.Digest) != len(b.Digest) || len(a.Digest) == 0 {
		return false
	}
	for k, v := range a.Digest {
		if b.Digest[k] != v {
			return false
		}
	}
	return true
}

// shown is the digest that says most to a person.
func shown(d Descriptor) string {
	if c := d.Digest["gitCommit"]; c != "" {
		return "commit " + c
	}
	return fmt.Sprintf("sha256 %.12s", d.Digest["sha256"])
}
