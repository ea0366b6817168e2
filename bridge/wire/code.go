package wire

import "slices"

// Code names one way in which a message cannot be used. The ten codes are the specification's
// table "Error codes and fault attribution"; REPAIR repeats them on its ERR line.
type Code string

// The ten codes in the order of the table.
const (
	CodeBlocks          Code = "E_BLOCKS"
	CodeHeader          Code = "E_HEADER"
	CodeFrame           Code = "E_FRAME"
	CodeRequired        Code = "E_REQUIRED"
	CodeDecision        Code = "E_DECISION"
	CodeParse           Code = "E_PARSE"
	CodeVersion         Code = "E_VERSION"
	CodeContract        Code = "E_CONTRACT"
	CodeCapture         Code = "E_CAPTURE"
	CodeSourceUncertain Code = "E_SOURCE_UNCERTAIN"
)

// Domain says where the fault lies. "Do not execute" and "the other side is at fault" are different
// judgements; the domain is the second one.
type Domain string

// The domains of the table. A local fault is never answered with a REPAIR: blaming the other side
// for our own capture failure is the mis-attribution that the split exists to prevent.
const (
	DomainRemote  Domain = "remote"
	DomainVersion Domain = "version"
	DomainLocal   Domain = "local"
)

// Demand is what a domain makes pi do.
type Demand string

// One demand per domain: "remote → REPAIR, version → RESYNC (reformatting cannot fix a version
// mismatch), local → pi recovers its own capture".
const (
	DemandRepair    Demand = "REPAIR"
	DemandResync    Demand = "RESYNC"
	DemandRecapture Demand = "recapture"
)

// codeTable is the specification's table, row by row.
var codeTable = [...]struct {
	code    Code
	domain  Domain
	meaning string
}{
	{CodeBlocks, DomainRemote, "Code-block count is not exactly 1"},
	{CodeHeader, DomainRemote, "Missing or wrong `# PLAN pi-bridge/1` header"},
	{CodeFrame, DomainRemote, "FRAME missing, or sid/round/prev/qid mismatch"},
	{CodeRequired, DomainRemote, "A required field is absent"},
	{CodeDecision, DomainRemote, "DECISION missing or outside the enum"},
	{CodeParse, DomainRemote, "Plan could not be parsed"},
	{CodeVersion, DomainVersion, "HV mismatch"},
	{CodeContract, DomainVersion, "CV or hash mismatch"},
	{CodeCapture, DomainLocal, "pi could not prove it obtained the complete reply"},
	{CodeSourceUncertain, DomainLocal, "The source of the text is not trustworthy"},
}

// Codes returns all ten codes in the order of the table.
func Codes() []Code {
	all := make([]Code, len(codeTable))
	for i := range codeTable {
		all[i] = codeTable[i].code
	}
	return all
}

// Known reports whether c is one of the ten codes.
func (c Code) Known() bool { return c.rank() < len(codeTable) }

// Domain is the domain of c, or "" for an unknown code.
func (c Code) Domain() Domain {
	if i := c.rank(); i < len(codeTable) {
		return codeTable[i].domain
	}
	return ""
}

// Meaning is the table's sentence for c, or "" for an unknown code.
func (c Code) Meaning() string {
	if i := c.rank(); i < len(codeTable) {
		return codeTable[i].meaning
	}
	return ""
}

// rank is the row of c in the table; unknown codes come after the last one.
func (c Code) rank() int {
	for i := range codeTable {
		if codeTable[i].code == c {
			return i
		}
	}
	return len(codeTable)
}

// Demand is what pi does about a fault of domain d, or "" for an unknown domain.
func (d Domain) Demand() Demand {
	switch d {
	case DomainRemote:
		return DemandRepair
	case DomainVersion:
		return DemandResync
	case DomainLocal:
		return DemandRecapture
	}
	return ""
}

// Attribute picks the domain that decides when several codes came up at once: local before version
// before remote. A text that pi may not have read whole proves nothing about the other side, and
// reformatting cannot fix a version. It is "" when codes holds no known code.
func Attribute(codes []Code) Domain {
	found := Domain("")
	for _, c := range codes {
		switch c.Domain() {
		case DomainLocal:
			return DomainLocal
		case DomainVersion:
			found = DomainVersion
		case DomainRemote:
			if found == "" {
				found = DomainRemote
			}
		}
	}
	return found
}

// FaultCodes returns the distinct codes of faults in the order of the table: what REPAIR lists.
func FaultCodes(faults []Fault) []Code {
	var codes []Code
	for _, f := range faults {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	slices.SortFunc(codes, func(a, b Code) int { return a.rank() - b.rank() })
	return codes
}
