#!/bin/sh
# Installs what the tests need from the system's packages: Chromium, and fonts for Chinese text.
# A browser that is there already is left alone. When nothing can be installed it says so and ends
# well: the tests then skip the browser loudly, or fail under CI=true.
#
#	setup.sh           the browser, when none is found
#	setup.sh --fonts   fonts too
set -eu

# The names and places of launch.Find.
browser() {
	[ -n "${SIM_CHROMIUM:-}" ] && command -v "$SIM_CHROMIUM" && return 0
	for name in chromium chromium-browser google-chrome google-chrome-stable headless_shell \
		/usr/lib/chromium/chromium /opt/google/chrome/chrome /snap/bin/chromium \
		/headless-shell/headless-shell; do
		command -v "$name" && return 0
	done
	return 1
}

# install PACKAGE…: with apt-get, as root or through a sudo that asks nothing.
install() {
	command -v apt-get >/dev/null || { note "no apt-get here: install $* by hand"; return 0; }
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo='sudo -n'
		$sudo true 2>/dev/null || { note "not root: sudo apt-get install -y $*"; return 0; }
	fi
	if ! $sudo apt-get -qq update || ! $sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq install -y --no-install-recommends "$@" >/dev/null; then
		note "could not install $*"
	fi
}

note() { echo "setup: $*" >&2; }

wanted=
browser >/dev/null || wanted=chromium
if [ "${1:-}" = --fonts ] && [ -z "$(fc-list :lang=zh 2>/dev/null)" ]; then
	wanted="$wanted fontconfig fonts-noto-cjk"
fi
# shellcheck disable=SC2086 # a list of package names
[ -z "$wanted" ] || { note "installing $wanted"; install $wanted; }
