package sim

import "fmt"

// MissingError says that the machine lacks what an engine needs.
type MissingError struct {
	What string
	Mend string // the one command that mends it
	Err  error
}

// Error tells what is missing and how to mend it.
func (m *MissingError) Error() string { return m.What }

// Unwrap gives the cause.
func (m *MissingError) Unwrap() error { return m.Err }

// EngineNames lists the engines that there are.
func EngineNames() []string { return []string{"virtual", "chromium"} }

// EngineNamed makes an engine; whoever makes one closes it.
func EngineNamed(name string) (Engine, error) {
	switch name {
	case "virtual":
		return Virtual(), nil
	case "chromium":
		return Chromium(ChromiumOptions{}), nil
	}
	return nil, fmt.Errorf("unknown engine %q", name)
}
