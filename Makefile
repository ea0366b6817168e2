# bridgesim: every verb of the project. "make help" lists them.

# Tests look at the machine (is there a browser?), which the test cache does not know: -count=1.
# -p 2: two packages at a time, because a Chromium wants a core for itself.
TESTFLAGS ?= -count=1 -p 2 -timeout 12m
FUZZTIME  ?= 10s
BENCH     ?= .
BENCHTIME ?= 1s
ARGS      ?= features

# The kill loop stands behind a tag of its own; linters look at it too.
TAGS = -tags killloop

# Versions of the linters are part of the rules.
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     = go run mvdan.cc/gofumpt@v0.12.0

.DEFAULT_GOAL := help
.PHONY: help test race lint fmt bench conformance fuzz setup run

help: ## list the verbs
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

test: ## install Chromium when no browser is found, then run every test
	@sh tools/setup.sh
	@sh tools/test.sh $(TESTFLAGS) ./...

race: ## the same under the race detector
	@sh tools/setup.sh
	@sh tools/test.sh -race $(TESTFLAGS) ./...

lint: ## gofumpt, columns and lengths, go vet, staticcheck
	@unformatted="$$($(GOFUMPT) -l .)" || exit 1; \
	[ -z "$$unformatted" ] || { printf 'not gofumpt clean, run "make fmt":\n%s\n' "$$unformatted"; exit 1; }
	go run ./tools/shape
	go vet $(TAGS) ./...
	$(STATICCHECK) $(TAGS) ./...

fmt: ## format the sources
	$(GOFUMPT) -w .

bench: ## every benchmark, one package at a time (BENCH=, BENCHTIME=)
	go test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) -p 1 ./...

conformance: ## every case of the model against the real page, and the kill loop's whole table
	go test -count=1 -timeout 30m ./sim/conformance -conformance.full
	go test -count=1 -timeout 30m ./sim/engine/virtual -conformance.full
	go test -count=1 -timeout 90m ./sim/killloop -killloop.full

fuzz: ## every fuzz target for a while (FUZZTIME=10s)
	@sh tools/fuzz.sh $(FUZZTIME)

setup: ## the browser and fonts for Chinese text, from the system's packages
	@sh tools/setup.sh --fonts

run: ## run the features on the virtual engine (ARGS=)
	go run ./cmd/sim run $(ARGS)
