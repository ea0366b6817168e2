package doctor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/cmd/sim/doctor"
)

func TestDoctor(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "doctor")
}

func check(name string, required bool, err error) doctor.Check {
	return doctor.Check{
		Name: name, For: "this test", Required: required, Limit: time.Minute,
		Look: func(context.Context) (string, error) { return "seen", err },
		Mend: func(doctor.System) string { return "mend " + name },
	}
}

func examine(checks ...doctor.Check) doctor.Report {
	GinkgoHelper()
	r, err := doctor.Examine(context.Background(), doctor.System{}, checks)
	Expect(err).NotTo(HaveOccurred())
	return r
}

var _ = Describe("a report", func() {
	broken := errors.New("line one\nline two \x1b[31m")

	It("is ok when nothing that is required is missing", func() {
		Expect(examine(check("a", true, nil), check("b", false, broken)).OK).To(BeTrue())
		Expect(examine(check("a", true, broken), check("b", false, nil)).OK).To(BeFalse())
	})

	It("names the mend of what is missing, and only of that", func() {
		r := examine(check("a", true, nil), check("b", true, broken))
		Expect(r.Checks[0].Mend).To(BeEmpty())
		Expect(r.Checks[1].Mend).To(Equal("mend b"))
	})

	It("keeps what programs said on one line and from steering the terminal", func() {
		var text strings.Builder
		Expect(examine(check("b", false, broken)).Write(&text, nil)).To(Succeed())
		Expect(text.String()).To(Equal("b        missing (optional)  line one; line two ; [31m\n" +
			"         needed for this test; mend it: mend b\n"))
	})

	It("ends with the context, without findings of the interrupted check", func() {
		ctx, cancel := context.WithCancel(context.Background())
		stopped := check("b", true, nil)
		stopped.Look = func(ctx context.Context) (string, error) { cancel(); return "", ctx.Err() }
		r, err := doctor.Examine(ctx, doctor.System{}, []doctor.Check{check("a", true, nil), stopped})
		Expect(err).To(MatchError(context.Canceled))
		Expect(r.Checks).To(HaveLen(1))
	})

	It("bounds a check that hangs", func() {
		hung := check("b", true, nil)
		hung.Limit = time.Millisecond
		hung.Look = func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		Expect(examine(hung).Checks[0].State).To(Equal(doctor.Missing))
	})
})

var _ = Describe("the table", func() {
	It("gives every check a name of its own, a reason, a limit and one line to mend it", func() {
		seen := map[string]bool{}
		for _, c := range doctor.Checks() {
			Expect(seen[c.Name]).To(BeFalse(), c.Name)
			seen[c.Name] = true
			Expect(c.For).NotTo(BeEmpty())
			Expect(c.Limit).To(BeNumerically(">", 0))
			Expect(c.Mend(doctor.System{Manager: "apt-get"})).To(MatchRegexp(`^[^\n]+$`))
		}
	})

	DescribeTable("asks for packages by the names of the system",
		func(s doctor.System, want string) { Expect(s.Install(doctor.Fonts)).To(Equal(want)) },
		Entry("Debian, root", doctor.System{Manager: "apt-get", Root: true},
			"apt-get install -y fonts-noto-cjk"),
		Entry("Debian", doctor.System{Manager: "apt-get"}, "sudo apt-get install -y fonts-noto-cjk"),
		Entry("Fedora", doctor.System{Manager: "dnf"},
			"sudo dnf install -y google-noto-sans-cjk-fonts"),
		Entry("Homebrew never wants root", doctor.System{Manager: "brew"},
			"brew install font-noto-sans-cjk"),
		Entry("unknown", doctor.System{}, "install cjk-fonts with the package manager of this system"),
	)
})
