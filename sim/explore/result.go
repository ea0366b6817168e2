package explore

// Version is that of the JSON of a Result.
const Version = 1

// Result is what an exploration came to. It depends on features, seed and flags alone. As JSON
// it is what a shard leaves, and what Merge reads.
type Result struct {
	Version     int    `json:"version"`
	Fingerprint string `json:"fingerprint"` // of the sessions
	Seed        uint64 `json:"seed,string"`
	Engine      string `json:"engine"`
	Depth       int    `json:"depth,omitempty"`
	Swarm       int    `json:"swarm,omitempty"`
	NoPrune     bool   `json:"noPrune,omitempty"`
	Shard       *Shard `json:"shard,omitempty"` // nil = the whole plan
	// Stopped is why the plan was not played to its end; "" when it was.
	Stopped string `json:"stopped,omitempty"`

	Sessions []SessionReport `json:"sessions"`
	Kinds    []string        `json:"kinds"`
	// Units is the size of the plan, all shards together.
	Units Units `json:"units"`
	*Tally
}

// Units counts the pieces of the plan.
type Units struct {
	Planned int `json:"planned"`
	Done    int `json:"done"`
}

// SessionReport is one session of a plan.
type SessionReport struct {
	Name   string       `json:"name"`
	Place  string       `json:"place"`
	Points map[Sort]int `json:"points"` // by what stands behind them
	Folded int          `json:"folded"` // points for which others of their wait loop stand
	Runs   int          `json:"runs"`   // the sum over points of the kinds available there
}

// report is an empty report on the plan.
func (p *plan) report() *Result {
	o := p.opts
	r := &Result{
		Version: Version, Fingerprint: fingerprint(o.Sessions), Seed: o.Seed, Engine: o.Engine.Name(),
		Depth: o.Depth, Swarm: o.Swarm, NoPrune: o.NoPrune,
		Units: Units{Planned: len(p.units)}, Tally: newTally(),
	}
	if o.Swarm > 0 {
		r.Depth = 0
	}
	if o.Shard.N > 0 {
		r.Shard = &o.Shard
	}
	for i := range o.Kinds {
		r.Kinds = append(r.Kinds, o.Kinds[i].String())
	}
	for i := range p.sessions {
		s := &p.sessions[i]
		sr := SessionReport{
			Name: s.Name, Place: s.Place(), Points: map[Sort]int{}, Folded: s.folded, Runs: s.runs,
		}
		for _, at := range s.points {
			sr.Points[sortOf(at.At.Op)]++
		}
		r.Sessions = append(r.Sessions, sr)
	}
	return r
}
