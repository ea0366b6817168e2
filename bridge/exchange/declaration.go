package exchange

// Support is what an endpoint says of itself. It is no permission and no proof.
type Support string

// The three answers. One that is missing is Unknown, which is not Unsupported.
const (
	Supported   Support = "supported"
	Unsupported Support = "unsupported"
	Unknown     Support = "unknown"
)

// Capabilities are five independent answers.
type Capabilities struct {
	Delivery         Support `json:"delivery,omitzero"`
	Observation      Support `json:"observation,omitzero"`
	Cancellation     Support `json:"cancellation,omitzero"`
	FollowUp         Support `json:"followUp,omitzero"`
	ResultProduction Support `json:"resultProduction,omitzero"`
}

// EndpointDeclaration is how an endpoint introduces itself.
type EndpointDeclaration struct {
	Kind         string       `json:"kind"`
	Capabilities Capabilities `json:"capabilities"`
}

// Or is the answer with a missing one made Unknown.
func (s Support) Or() Support {
	if s == "" {
		return Unknown
	}
	return s
}

// ChatGPT is the declaration of the bridge: a message that was sent cannot be taken back. Whether a
// follow-up works is a new message's matter, and not promised.
func ChatGPT() EndpointDeclaration {
	return EndpointDeclaration{Kind: "chatgpt", Capabilities: Capabilities{
		Delivery: Supported, Observation: Supported, ResultProduction: Supported,
		Cancellation: Unsupported,
	}}
}

func (c *check) declaration(d EndpointDeclaration) {
	c.name("kind", d.Kind)
	answers := [...]Support{
		d.Capabilities.Delivery, d.Capabilities.Observation, d.Capabilities.Cancellation,
		d.Capabilities.FollowUp, d.Capabilities.ResultProduction,
	}
	for _, s := range answers {
		oneOf(c, "capabilities", s.Or(), Supported, Unsupported, Unknown)
	}
}
