package bridge

// What the tests of this package see of its inside.
var (
	Refusal = refusal
	Needed  = needed
	Started = started
)

// Denials is the table of denials: capability and commands.
func Denials() (table []struct {
	Capability string
	Commands   []string
},
) {
	for _, d := range denials {
		table = append(table, struct {
			Capability string
			Commands   []string
		}{d.capability, d.commands})
	}
	return table
}
