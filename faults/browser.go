package faults

import (
	"time"

	"bridgesim/bridge/point"
)

// browsers are the faults of the browser's process.
var browsers = []Info{
	{
		Kind: KillBrowser, Family: Browsers,
		Sentence:  "SIGKILL, and nobody starts the browser again (F251)",
		Virtual:   "connections end, a dial is refused, all tabs are gone",
		Chromium:  "SIGKILL to the process group of the run's own browser; /proc has it no more",
		Permanent: true, manner: breaks, where: withBrowser, duty: browserGone,
	},
	{
		Kind: Relaunch, Family: Browsers,
		Sentence: "SIGKILL, and started again with the same profile; tabs are not restored (F260)",
		Params:   params(forParam("5s", "until it is started again, on the world's clock")),
		Virtual:  "as kill-browser; later the same endpoint answers, without the tabs",
		Chromium: "SIGKILL, then a launch with the same profile and port",
		defaults: Params{For: 5 * time.Second}, manner: breaks, where: withBrowser, duty: tabGone,
	},
	{
		Kind: FreezeBrowser, Family: Browsers,
		Sentence: "SIGSTOP: the kernel takes connections and nobody answers (F257)",
		Params:   params(forParam("", "real seconds until SIGCONT; none: for good")),
		Virtual:  "every command and dial waits; what waits acts when the process goes on",
		Chromium: "SIGSTOP to the process group of the run's own browser; /proc shows it stopped",
		manner:   breaks, where: withBrowser, duty: frozen,
	},
}

func browserGone(a point.Address, _ Params) (Duty, string) {
	if momentAt(a) == leaving {
		return Complete, "nothing depends on how the tab is left"
	}
	return Stop, "row 5 looks for the browser until the budget ends, then row 13"
}

func frozen(a point.Address, p Params) (Duty, string) {
	switch {
	case momentAt(a) == leaving:
		return Complete, "nothing depends on how the tab is left"
	case p.For > 0:
		return Complete, "it goes on, and what waited acts behind the fence"
	}
	return Stop, "a browser that never answers again: row 5 until the budget ends, then row 13"
}
