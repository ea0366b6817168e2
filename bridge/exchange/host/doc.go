// Package host is the only hand that writes an exchange. A caller brings a token and says what it
// wants, or what it saw; the host finds out itself who that is, what they may do, and how things
// stand, and commits what the table of package exchange allows, in one transaction.
//
//	token ─► principal ─┐
//	                    ├─► facts ─► exchange.Check ─► records + events ─► one commit
//	store ─► snapshots ─┘                  └─► Refusal: the missing fact; nothing was written
//
// Nobody hands in a grant, a lease or a result: there is no parameter for them. What an endpoint
// reports is evidence, and each look at the other side is spent once: as a fact of the transport or
// as one of the runtime, never as both.
package host
