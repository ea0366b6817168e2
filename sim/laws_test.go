package sim_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The laws that keep a virtual run repeatable: all time and chance come from bridge/clock, nothing
// runs at the same time as something else, and no order comes from a map.

// onTheEngine are the packages whose code runs inside a virtual run.
var onTheEngine = []string{
	"bridge", "bridge/agent", "bridge/browser", "bridge/page", "bridge/page/probe", "bridge/point",
	"bridge/recovery", "bridge/session", "bridge/wire", "fakesite",
	"sim/agent", "sim/engine/virtual", "sim/event", "sim/history",
}

// allowed are the exceptions, each with its reason. An entry that is not needed any more fails.
var allowed = []exception{}

type exception struct {
	file string // from the module's root
	rule string
	why  string
}

const module = "bridgesim"

var bannedNames = map[string][2]string{
	"time.Now":             {"time", "ask clock.Clock"},
	"time.Since":           {"time", "ask clock.Clock"},
	"time.Until":           {"time", "ask clock.Clock"},
	"time.Sleep":           {"time", "use clock.Clock.Sleep"},
	"time.After":           {"time", "use clock.Clock.Sleep"},
	"time.AfterFunc":       {"time", "schedule an event on the loop"},
	"time.Tick":            {"time", "use clock.Clock.Sleep"},
	"time.NewTimer":        {"time", "use clock.Clock.Sleep"},
	"time.NewTicker":       {"time", "use clock.Clock.Sleep"},
	"context.WithTimeout":  {"deadline", "use clock.Clock.WithTimeout"},
	"context.WithDeadline": {"deadline", "use clock.Clock.WithTimeout"},
	"context.AfterFunc":    {"goroutine", "it runs in a goroutine of its own"},
	"maps.Keys":            {"map", "sort what comes out: slices.Sorted(maps.Keys(m))"},
	"maps.Values":          {"map", "sort what comes out"},
	"maps.All":             {"map", "sort what comes out"},
}

var bannedImports = map[string]string{
	"math/rand": "use clock.Entropy", "math/rand/v2": "use clock.Entropy",
	"crypto/rand":  "use clock.Entropy",
	"hash/maphash": "its seed differs in every process",
}

// slow are imports that the fast path must not have.
var slow = map[string][]string{
	"sim/engine/virtual": {"encoding/json", "regexp", "reflect", "net/http"},
	"sim/event":          {"encoding/json", "regexp", "reflect", "net/http"},
}

type violation struct {
	file      string
	line      int
	rule, why string
}

func (v violation) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", v.file, v.line, v.rule, v.why)
}

// checker looks at the files of one package.
type checker struct {
	pkg   *packages.Package
	root  string
	found []violation
}

func (c *checker) report(at token.Pos, rule, why string) {
	p := c.pkg.Fset.Position(at)
	file, err := filepath.Rel(c.root, p.Filename)
	if err != nil {
		file = p.Filename
	}
	c.found = append(c.found, violation{filepath.ToSlash(file), p.Line, rule, why})
}

func (c *checker) check() {
	for _, f := range c.pkg.Syntax {
		for _, i := range f.Imports {
			c.imported(i)
		}
		sorted := map[ast.Expr]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			c.node(n, sorted)
			return true
		})
	}
}

func (c *checker) imported(i *ast.ImportSpec) {
	path := strings.Trim(i.Path.Value, `"`)
	if why, ok := bannedImports[path]; ok {
		c.report(i.Pos(), "import", path+": "+why)
	}
	if slices.Contains(slow[strings.TrimPrefix(c.pkg.PkgPath, module+"/")], path) {
		c.report(i.Pos(), "slow", path+" has no place on the fast path")
	}
}

func (c *checker) node(n ast.Node, sorted map[ast.Expr]bool) {
	const wait = "the virtual engine waits for nothing but its loop"
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(n.Pos(), "goroutine", "one process of a world runs at a time")
	case *ast.SelectStmt:
		c.report(n.Pos(), "channel", "select: "+wait)
	case *ast.SendStmt:
		c.report(n.Arrow, "channel", "send: "+wait)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.report(n.Pos(), "channel", "receive: "+wait)
		}
	case *ast.RangeStmt:
		c.ranged(n, wait)
	case *ast.CallExpr:
		c.called(n, sorted, wait)
	case *ast.SelectorExpr:
		c.selected(n, sorted)
	}
}

func (c *checker) ranged(n *ast.RangeStmt, wait string) {
	switch c.pkg.TypesInfo.TypeOf(n.X).Underlying().(type) {
	case *types.Map:
		c.report(n.Pos(), "map", "the order of a map differs from run to run: range over sorted keys")
	case *types.Chan:
		c.report(n.Pos(), "channel", "range: "+wait)
	}
}

func (c *checker) called(n *ast.CallExpr, sorted map[ast.Expr]bool, wait string) {
	if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
		if _, ok := c.pkg.TypesInfo.Uses[id].(*types.Builtin); ok {
			c.report(n.Pos(), "channel", "close: "+wait)
		}
	}
	switch c.nameOf(n.Fun) {
	case "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc":
		if inner, ok := n.Args[0].(*ast.CallExpr); ok {
			sorted[inner.Fun] = true
		}
	}
}

func (c *checker) selected(n *ast.SelectorExpr, sorted map[ast.Expr]bool) {
	if ban, ok := bannedNames[c.nameOf(n)]; ok && !sorted[n] {
		c.report(n.Pos(), ban[0], c.nameOf(n)+": "+ban[1])
	}
}

// nameOf is package and name of a selected object, whatever the import is called in this file.
func (c *checker) nameOf(e ast.Expr) string {
	if index, ok := e.(*ast.IndexExpr); ok {
		e = index.X
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	o := c.pkg.TypesInfo.Uses[s.Sel]
	if f, ok := o.(*types.Func); !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// typed is what the lint needs to know of a package; imports is what the architecture is judged by.
const (
	imports = packages.NeedName | packages.NeedImports
	typed   = imports | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo
)

// load reads packages, without their tests.
func load(
	t *testing.T, mode packages.LoadMode, patterns ...string,
) (root string, pkgs []*packages.Package) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err = packages.Load(&packages.Config{Dir: root, Mode: mode}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
	}
	return root, pkgs
}

func lint(t *testing.T, patterns ...string) []violation {
	t.Helper()
	root, pkgs := load(t, typed, patterns...)
	var out []violation
	for _, p := range pkgs {
		c := checker{pkg: p, root: root}
		c.check()
		out = append(out, c.found...)
	}
	slices.SortFunc(out, func(a, b violation) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line),
			strings.Compare(a.rule, b.rule))
	})
	return out
}

func TestCodeOnTheEngineIsRepeatable(t *testing.T) {
	var patterns []string
	for _, p := range onTheEngine {
		patterns = append(patterns, "./"+p)
	}
	used := map[exception]bool{}
	for _, v := range lint(t, patterns...) {
		i := slices.IndexFunc(allowed,
			func(e exception) bool { return e.file == v.file && e.rule == v.rule })
		if i < 0 {
			t.Error(v)
			continue
		}
		used[allowed[i]] = true
	}
	for _, e := range allowed {
		if !used[e] {
			t.Errorf("%s: the exception %q is not needed any more: take it out", e.file, e.rule)
		}
		if e.why == "" {
			t.Errorf("%s: the exception %q has no reason", e.file, e.rule)
		}
	}
}

// TestLintFindsEveryLaw holds the lint against a file that breaks each law and says where.
func TestLintFindsEveryLaw(t *testing.T) {
	const file = "sim/testdata/lawbreaker/lawbreaker.go"
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	mark := regexp.MustCompile(`// want (\w+)`)
	for i, line := range strings.Split(string(text), "\n") {
		for _, m := range mark.FindAllStringSubmatch(line, -1) {
			want = append(want, fmt.Sprintf("%d %s", i+1, m[1]))
		}
	}
	for _, v := range lint(t, "./"+filepath.Dir(file)) {
		if v.file != file || v.why == "" {
			t.Errorf("%+v: file or reason is missing", v)
		}
		got = append(got, fmt.Sprintf("%d %s", v.line, v.rule))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("\nwant %v\n got %v", want, got)
	}
}

// edges are the imports that the architecture forbids.
var edges = []struct{ from, to, except, why string }{
	{"bridge", "faults", "", "the subject must not know what strikes it"},
	{"bridge", "sim", "", "the subject must not know its judge"},
	{"bridge", "fakesite", "", "the subject must work on the real site as well"},
	{"bridge", "scenarios", "", "the subject must not know what it is asked"},
	{"fakesite", "bridge", "bridge/clock", "the persona must not share the bridge's bugs"},
	{"fakesite", "sim", "", "the site is a world's part, not its owner"},
	{"sim/event", "fakesite", "", "the clockwork knows nobody"},
	{"sim/history", "fakesite", "", "the record knows nobody"},
}

func TestArchitectureHolds(t *testing.T) {
	_, pkgs := load(t, imports, "./...")
	for _, p := range pkgs {
		from := strings.TrimPrefix(p.PkgPath, module+"/")
		for path := range p.Imports {
			to := strings.TrimPrefix(path, module+"/")
			for _, e := range edges {
				if to != path && within(from, e.from) && within(to, e.to) && to != e.except {
					t.Errorf("%s imports %s: %s", from, to, e.why)
				}
			}
			if within(to, "scenarios") && !within(from, "scenarios") && from != "sim/explore" &&
				from != "sim/certify" && from != "cmd/sim" {
				t.Errorf("%s imports %s: only explore and certify run scenarios", from, to)
			}
		}
	}
}

func within(path, tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") }
