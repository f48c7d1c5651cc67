# Everything is a target here; CONTRIBUTING.md says which one to use when.
#   make run         build and open the window (installs missing Debian packages first)
#   make test        every check; each stage also runs alone, see "test:" below
#   make package     the Debian package
#   make test-fast   the inner loop: Go without the race detector, page units, types

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

# One set of flags for every Go command, so that all of them share one build cache.
export GOFLAGS := $(strip $(filter-out -trimpath,$(shell go env GOFLAGS 2>/dev/null)) -trimpath)

TOOL    := go tool -modfile=build/tools/go.mod
WINDOW  := desktop,production,webkit2_41
NPM_CI  := npm ci --ignore-scripts --no-audit --no-fund
FUZZTIME := 1m

GO_FILES   := go.mod go.sum $(shell find . \( -name node_modules -o -name .git -o -path ./build -o -path ./test \) -prune -o -type f \( -name '*.go' -o -path '*/migrations/*' -o -path './mcphost/*.json' \) -print)
PAGE_FILES := $(wildcard frontend/*.json frontend/*.ts frontend/*.js frontend/index.html) \
              $(shell find frontend/src frontend/public mcphost/consent -type f \( -path 'frontend/*' -o -name '*.json' \) 2>/dev/null)

NODE_MODULES := frontend/node_modules/.package-lock.json
PAGE         := frontend/dist/index.html
FAKE_PAGE    := frontend/dist-fake/fake.html
BINARY       := build/bin/gatehouse
SCRIPTED     := build/bin/scripted
DRIVER       := build/bin/conformance
GO_SERVERS   := build/bin/servers/everything

.PHONY: run build frontend bindings package lint clean setup-run setup-test setup-package \
        test test-fast test-format test-vet test-go test-keyring test-bindings test-page test-cross test-e2e \
        test-interop test-conformance test-window test-package bench bench-go fuzz

run: setup-run build
	$(BINARY) $(ARGS)

build: $(BINARY)

frontend: $(PAGE)

setup-run setup-test setup-package:
	@build/setup $(@:setup-%=%)

# ---- what is built

$(NODE_MODULES): frontend/package.json frontend/package-lock.json
	cd frontend && $(NPM_CI)
	touch $@

test/%/node_modules/.package-lock.json: test/%/package.json test/%/package-lock.json
	cd test/$* && $(NPM_CI)
	touch $@

test/bench/inspector/node_modules/.package-lock.json: test/bench/inspector/package.json test/bench/inspector/package-lock.json
	cd test/bench/inspector && $(NPM_CI)
	touch $@

$(PAGE): $(NODE_MODULES) $(PAGE_FILES)
	cd frontend && npm run --silent build

# The page alone, on invented data: for the walks through every screen.
$(FAKE_PAGE): $(NODE_MODULES) $(PAGE_FILES) frontend/fake.html
	cd frontend && npm run --silent build:fake

# The window; -e2e leaves WebKit's inspector on, -dev is driven by a browser. Only the first one ships.
$(BINARY): $(PAGE) $(GO_FILES)
	go build -tags $(WINDOW) -ldflags '-s -w' -o $@ .

$(BINARY)-e2e: $(PAGE) $(GO_FILES)
	go build -tags $(WINDOW),e2e -o $@ .

$(BINARY)-dev: $(PAGE) $(GO_FILES)
	go build -tags dev,webkit2_41 -o $@ .

# The headless twin: no GTK, no WebKit.
$(BINARY)-cli: $(PAGE) $(GO_FILES)
	CGO_ENABLED=0 go build -o $@ .

$(SCRIPTED): $(GO_FILES)
	CGO_ENABLED=0 go build -o $@ ./mcphost/mcphosttest/scripted

# The engine as the client under test of the official conformance suite.
$(DRIVER): $(GO_FILES) $(wildcard test/engine/*.go)
	CGO_ENABLED=0 go build -o $@ ./mcphost/internal/conformance

# Real servers in Go, from a module of their own: the program never depends on them.
$(GO_SERVERS): test/servers/go.mod test/servers/go.sum
	mkdir -p $(@D)
	go build -C test/servers -o $(CURDIR)/$(@D)/ tool
	touch $@

# build/dist/gatehouse_VERSION_ARCHITECTURE.deb
package: setup-run $(BINARY)
	build/package $(BINARY)

# The TypeScript side of the bound services. Generating executes main() up to the window.
bindings:
	CGO_ENABLED=0 go run -tags bindings .

# ---- what is checked

test: setup-test test-format test-vet test-go test-keyring test-bindings test-page test-cross test-e2e test-interop test-conformance test-window
	@echo 'make test: every stage passed'

test-fast: $(NODE_MODULES)
	go vet ./...
	go test ./...
	cd frontend && npm run --silent check && npm test --silent

lint: test-format test-vet $(NODE_MODULES)
	cd frontend && npm run --silent check && npm run --silent lint

test-format:
	@echo '== gofumpt'
	@unformatted=$$($(TOOL) gofumpt -l .); [ -z "$$unformatted" ] || { echo "run gofumpt on: $$unformatted" >&2; exit 1; }

test-vet: setup-test
	@echo '== staticcheck, go vet'
	$(TOOL) staticcheck ./...
	go vet -tags interop,conformance,window ./...
	go vet -tags $(WINDOW) ./...
	cd test/bench && go vet -tags $(WINDOW) ./...

test-go:
	@echo '== go test'
	go test -race -timeout 15m ./...

test-keyring: setup-test
	@echo '== a real keyring'
	GATEHOUSE_TEST_KEYRING=1 test/desktop go test -race -count=1 -v -run '^TestKeyringOfTheSystem$$' ./store

test-bindings: bindings
	@echo '== generated bindings'
	git diff --exit-code -- frontend/wailsjs
	@[ -z "$$(git ls-files --others --exclude-standard frontend/wailsjs)" ] || { echo 'bindings that are not committed' >&2; exit 1; }

test-page: $(NODE_MODULES)
	@echo '== licences and bill of materials, svelte-check, eslint, prettier, vitest'
	build/licences --check
	cd frontend && npm run --silent check && npx --no-install tsc --noEmit -p e2e && npm run --silent lint && npm test --silent

test-cross:
	@echo '== Windows and macOS compile'
	CGO_ENABLED=0 GOOS=windows go build -o /dev/null -tags desktop,production .
	CGO_ENABLED=0 GOOS=darwin go build -o /dev/null .

test-e2e: setup-test $(BINARY)-dev $(SCRIPTED) $(FAKE_PAGE) test/servers/node_modules/.package-lock.json
	@echo '== Playwright over the real Go side'
	cd frontend && npx --no-install playwright test -c e2e $(ARGS)

test-interop: $(BINARY)-cli $(SCRIPTED) $(GO_SERVERS) test/servers/node_modules/.package-lock.json
	@echo '== real servers'
	go test -tags interop -count=1 -v ./test/interop ./test/frames

test-conformance: $(DRIVER) test/conformance/node_modules/.package-lock.json test/servers/node_modules/.package-lock.json
	@echo '== the official conformance suite'
	go test -tags conformance -count=1 -v ./test/conformance

test-window: setup-test $(BINARY) $(BINARY)-e2e $(SCRIPTED)
	@echo '== the production window'
	go test -tags window -count=1 -v -artifacts -outputdir build/bin ./test/window

# Not a stage of "make test": it fetches a whole Debian, once for the base and each time for what the package depends on.
test-package: setup-package package
	@echo '== the Debian package in a clean system'
	test/package "$$(build/package $(BINARY))"

# The table of goals, Gatehouse beside what it is measured by; ARGS names goals (G1 … G12), default all.
bench: setup-test $(BINARY) $(BINARY)-cli test/bench/inspector/node_modules/.package-lock.json test/servers/node_modules/.package-lock.json
	cd test/bench && CGO_ENABLED=0 go build -o ../../build/bin/bench . && CGO_ENABLED=0 go build -o ../../build/bin/bench-echo ./echo
	cd test/bench && go build -tags $(WINDOW) -ldflags '-s -w' -o ../../build/bin/bench-empty ./empty
	build/bin/bench -bin build/bin -desktop test/desktop -inspector test/bench/inspector -servers test/servers $(ARGS)

# The parts by themselves.
bench-go:
	go test -run '^$$' -bench . -benchmem ./...

# Every fuzz target for FUZZTIME.
fuzz:
	@for package in $$(go list ./...); do \
	    for target in $$(go test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
	        echo "== $$package $$target"; \
	        go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "$$package"; \
	    done; \
	done

clean:
	rm -rf build/bin build/dist frontend/node_modules frontend/test-results frontend/playwright-report test/*/node_modules test/bench/inspector/node_modules
	find frontend/dist -mindepth 1 ! -name .gitkeep -delete
