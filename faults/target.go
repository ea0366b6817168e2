package faults

import (
	"bridgesim/bridge/point"
)

// targets are the faults of the tab.
var targets = []Info{
	{
		Kind: Detach, Family: Target,
		Sentence: "the session is detached, the tab lives (F205)",
		Virtual:  "the sessions of the tab end with session-stale",
		Chromium: "Target.detachFromTarget for the bridge's session; the tab is seen unattached",
		manner:   breaks,
		where: func(p *place, ph point.Phase) bool {
			return onTab(p, ph) && !(p.op == point.Attach && ph == point.Before) ||
				ph == point.Late && p.class == acting
		},
		duty: always(Complete, rowThree),
	},
	{
		Kind: CloseTab, Family: Target,
		Sentence: "somebody else closes the tab (F201)",
		Virtual:  "the tab is gone, its sessions end with target-closed",
		Chromium: "Target.closeTarget of another connection, which sees Target.targetDestroyed",
		manner:   breaks, where: onTab, duty: tabGone,
	},
	{
		Kind: CrashTab, Family: Target,
		Sentence: "the renderer crashes; tab and session live (F225)",
		Virtual:  "renderer commands give target-crashed until a reload or navigation",
		Chromium: "Page.crash of another connection, which sees Inspector.targetCrashed",
		manner:   breaks, where: onTab, duty: documentGone,
	},
	{
		Kind: WedgeTab, Family: Target,
		Sentence: "an endless loop runs in the renderer; the browser itself answers (F231)",
		Params:   params(forParam("", "until the loop ends by itself; none: it never does")),
		Virtual:  "renderer commands wait; what waits acts when the loop ends",
		Chromium: "a loop in an evaluate of another connection, which hears that it began",
		manner:   breaks, where: onTab, duty: wedged,
	},
	{
		Kind: Reload, Family: Target,
		Sentence: "a person reloads the page: a new document, without script and fence (F108)",
		Virtual:  "the tab loads its address; commands in flight end with -32000",
		Chromium: "Page.reload of another connection, which sees the new document",
		manner:   reloads, where: onTab, duty: documentGone,
	},
	{
		Kind: Away, Family: Target,
		Sentence: "the tab goes to another site",
		Params:   params(Param{"text", awayURL, "the address"}),
		Virtual:  "the tab loads another address; commands in flight end with -32000",
		Chromium: "Page.navigate of another connection, which sees the new document",
		defaults: Params{Text: awayURL}, manner: reloads, where: onTab, duty: tabGone,
	},
	{
		Kind: SecondClient, Family: Target,
		Sentence: "another client attaches to the tab, brings it to the front and may type",
		Params: params(
			Param{"how", "", "type: the text stays there; send: it replaces all and is sent"},
			Param{"text", "", "that it types into the composer; none: it only looks"},
		),
		Virtual:  "the text stands in the composer; the model's sessions do not disturb each other",
		Chromium: "another connection attaches, enables its domains, brings the tab to the front, types",
		manner:   leaves, where: onTab, duty: secondClient,
	},
	{
		Kind: Switched, Family: Target,
		Sentence: "the person opens another conversation in the tab, in the same document",
		Params:   params(Param{"text", "/", "the path that is shown then"}),
		Virtual:  "the document shows the path; script, fence and composer stay",
		Chromium: "a click of another connection on that link of the page",
		defaults: Params{Text: "/"}, manner: leaves, where: onTab, duty: switched,
	},
	{
		Kind: Dialog, Family: Target,
		Sentence: "a native dialog opens: what the renderer does waits until it is answered (F241); " +
			"clicks and keys get a good answer and are dropped for good (measured)",
		Params:   params(forParam("", "until a person answers it; none: nobody does")),
		Virtual:  "the same; a reload or a navigation closes the dialog",
		Chromium: "alert in another connection's evaluate, which sees Page.javascriptDialogOpening",
		manner:   breaks, where: onTab, duty: dialog,
	},
}

// How a second client uses the composer.
const (
	HowType = "type" // the default with a text
	HowSend = "send"
)

// awayURL is another site that needs no network.
const awayURL = "data:text/html,another%20site"

const (
	reopen   = "the conversation lives: its address is opened and row 5 goes on (readings 19)"
	remade   = "row 4: the conversation is the same; look, go on, consume a valid PLAN"
	unproven = "the fence went with its document: what was not submitted cannot be proven not sent " +
		"any more, so it stays unknown until the budget ends (readings 8)"
	unnamed = "no conversation id was known, and the document that stood for the conversation is " +
		"gone (readings 10)"
	eitherSide = "the operation stands on both sides of the intent: before it the message is typed " +
		"anew, behind it a lost document leaves it unknown for good"
	inherited = "a recovery is under way: the loss before this one decides whether a message is open"
)

// tabGone is the duty when the tab does not show the conversation any more.
func tabGone(a point.Address, p Params) (Duty, string) {
	if a.Round == 0 {
		switch momentAt(a) {
		case proving:
			return Stop, unnamed
		case waiting:
			return Either, "the site gives an address some time after HELLO: with the id the conversation " +
				"is opened again, without it nobody can find it (readings 10)"
		}
	}
	return lostDocument(a, reopen)
}

// documentGone is the duty when the tab lives with another document in it.
func documentGone(a point.Address, p Params) (Duty, string) {
	if a.Round == 0 {
		switch momentAt(a) {
		case proving, waiting:
			return Either, "the tab comes back with the conversation only if the site had given it an " +
				"address by then; else nobody can find it (readings 10)"
		}
	}
	return lostDocument(a, remade)
}

// lostDocument judges by what was open.
func lostDocument(a point.Address, how string) (Duty, string) {
	switch momentAt(a) {
	case looking:
		if beginning(a) {
			return Complete, notYet
		}
		return Either, inherited
	case around:
		return Either, eitherSide
	case open:
		return Stop, unproven
	}
	return Complete, how
}

const notYet = "nothing of ours is in the page yet"

// beginning: the session has just begun.
func beginning(a point.Address) bool {
	return momentAt(a) == looking && a.Round == 0 && a.Step <= 1 && atStart(a.Op)
}

// atStart: the operation's first step comes before anything was typed.
func atStart(op point.Op) bool {
	switch op {
	case point.Mend, point.DiscoverTurns, point.DiscoverRead:
		return false
	}
	return true
}

func wedged(a point.Address, p Params) (Duty, string) {
	if p.For > 0 {
		return Complete, "the loop ends by itself, and what waited acts behind the fence"
	}
	if beginning(a) {
		return Complete, notYet
	}
	switch momentAt(a) {
	case looking, around, open, proving:
		return Either, "a session from before the loop ends it and keeps the document; a bridge that " +
			"has only a new one can but leave the document, and with it the fence (readings 19)"
	}
	return documentGone(a, p)
}

func dialog(a point.Address, p Params) (Duty, string) {
	if p.For > 0 {
		return Complete, "a person answers it; a click meanwhile was dropped, and the fence shows it " +
			"unused"
	}
	if d, why := documentGone(a, p); d == Complete {
		return d, why
	}
	return Either, "readings 19 close a dialog by a reload, with which the fence goes; a session " +
		"from before the dialog may answer it and keep the document (F242)"
}

func secondClient(a point.Address, p Params) (Duty, string) {
	if p.Text == "" {
		return Complete, "sessions do not disturb each other (F401)"
	}
	if p.How == HowSend {
		return Either, "what a person sends takes the place of our text, or is on its way when the app " +
			"gets our click and drops it; then ours cannot be proven not sent"
	}
	switch momentAt(a) {
	case free, around, open:
		return Either, "a foreign text in the composer may be cleared once and may be refused; the " +
			"message is never sent with it"
	}
	return Complete, "the composer is emptied before the next message"
}

// switched: the document lives with script, fence and composer, and shows another conversation.
func switched(a point.Address, p Params) (Duty, string) {
	if beginning(a) {
		return Complete, notYet
	}
	m := momentAt(a)
	if a.Round > 0 {
		switch m {
		case around, open, looking:
			return Either, "the app may empty the composer when it shows another conversation; then the " +
				"message cannot be proven not sent"
		}
		return Complete, "the conversation's address is opened in a tab of our own (readings 19)"
	}
	switch m {
	case proving, waiting:
		return Either, "without an id the conversation was this document; only an address that was " +
			"seen leads back to it (readings 10)"
	case around, open, looking:
		return Either, "the composer may be emptied by the app, and then HELLO cannot be proven not sent"
	}
	return Complete, "nothing of ours is open: a chat is opened in a tab of our own"
}
