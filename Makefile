# Lanternfish: build, show, test, measure. `make help` lists the targets.

# Name of the binary for test frameworks: make EXE=lanternfish-dev
EXE =
BINARY = target/release/lanternfish
VENV = target/venv
PYTHON = $(VENV)/bin/python
MATCH_VENV = target/match-venv

# Match settings: make match OPPONENT=stockfish TC=4+0.04 ROUNDS=100
OPPONENT = stockfish
TC = 4+0.04
ROUNDS = 50
CONCURRENCY = 1
BOOK =
ARGS =

# Which mutants to try: make mutants FOLDER=src/search SHARD=1/20
FOLDER = src/search
SHARD = 1/20

NATIVE_FLAGS = -C target-cpu=native

.DEFAULT_GOAL := build

.PHONY: build
build: ## Build for this machine's processor
	RUSTFLAGS="$(RUSTFLAGS) $(NATIVE_FLAGS)" cargo build --release --locked
	$(if $(EXE),cp $(BINARY) "$(EXE)")

.PHONY: portable
portable: ## Build for any x86-64 or Arm processor
	cargo build --release --locked
	$(if $(EXE),cp $(BINARY) "$(EXE)")

# The profile of one `bench` tells the compiler which paths are hot. rustup component add llvm-tools brings the tool.
PROFILE = target/profile
PROFDATA = $$(ls "$$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata 2>/dev/null | head -n 1)

.PHONY: profiled
profiled: ## Build for this machine, guided by a profile; needs `rustup component add llvm-tools`
	@test -n "$(PROFDATA)" || { echo "llvm-profdata is missing: rustup component add llvm-tools" >&2; exit 1; }
	rm -rf $(PROFILE)
	RUSTFLAGS="$(RUSTFLAGS) $(NATIVE_FLAGS) -Cprofile-generate=$(CURDIR)/$(PROFILE)" \
		cargo build --release --locked --target-dir target/profiling
	./target/profiling/release/lanternfish bench 13 >/dev/null
	"$(PROFDATA)" merge -o $(PROFILE)/merged.profdata $(PROFILE)/*.profraw
	RUSTFLAGS="$(RUSTFLAGS) $(NATIVE_FLAGS) -Cprofile-use=$(CURDIR)/$(PROFILE)/merged.profdata" \
		cargo build --release --locked
	$(if $(EXE),cp $(BINARY) "$(EXE)")

.PHONY: demo
demo: build ## Build, then analyse the start position for three seconds
	./$(BINARY) analyse --time 3

.PHONY: test
test: test-rust test-tune test-python ## Run all tests

.PHONY: test-rust
test-rust: ## Rust unit, integration and protocol tests
	cargo test --locked

.PHONY: test-tune
test-tune: ## Tests of the tuner, which a normal build leaves out
	cargo test --locked --features tune --lib --test tune

.PHONY: test-python
test-python: build $(VENV)/ready ## Client tests with python-chess
	$(PYTHON) -m pytest -q tests/python

$(VENV)/ready: tests/python/requirements.txt tests/match/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check -r tests/python/requirements.txt
	touch $@

$(MATCH_VENV)/ready: tests/match/requirements.txt
	python3 -m venv $(MATCH_VENV)
	$(MATCH_VENV)/bin/pip install -q --disable-pip-version-check -r tests/match/requirements.txt
	touch $@

.PHONY: fmt
fmt: ## Check the formatting
	cargo fmt --check

.PHONY: clippy
clippy: ## Lint, with warnings as errors
	cargo clippy --all-targets --locked -- -D warnings
	cargo clippy --all-targets --locked --features tune -- -D warnings

.PHONY: bench-number
bench-number: build ## Compare the node count of `bench` with the last commit that states one
	@stated=$$(git log -1 --grep='^Bench: [0-9]' --format=%B 2>/dev/null | sed -n 's/^Bench: \([0-9]*\).*/\1/p' | tail -n 1); \
	counted=$$(./$(BINARY) bench 2>/dev/null | tail -n 1 | cut -d' ' -f1); \
	if [ -z "$$stated" ]; then echo "bench $$counted (no commit states a number)"; \
	elif [ "$$stated" = "$$counted" ]; then echo "bench $$counted, as the last commit states"; \
	else echo "bench $$counted, but the last commit states $$stated" >&2; exit 1; fi

.PHONY: check
check: fmt clippy test bench-number ## Everything that must pass before a commit

.PHONY: bench
bench: ## Criterion benchmarks of generation, evaluation and search
	RUSTFLAGS="$(RUSTFLAGS) $(NATIVE_FLAGS)" cargo bench --locked

# What the unit tests miss, the integration tests that know the folder may catch; others would take longer and notice no
# more. tests/mutants/README.md says more. cargo-mutants counts shards from zero, and ends with 2 or 3 when mutants were
# missed or took too long.
MUTANT_TESTS = $(if $(filter src/search%,$(FOLDER)),--test search --test board --test tablebase,$(if $(filter src/chess/eval%,$(FOLDER)),\
	--test eval --test terms --test endings,$(if $(filter src/chess% src/score%,$(FOLDER)),--test board,--test protocol)))
CARGO_MUTANTS = cargo mutants --config tests/mutants/config.toml --no-shuffle --output target/mutants
ENDED = { code=$$?; [ $$code = 2 ] || [ $$code = 3 ] || exit $$code; }

.PHONY: mutants
mutants: ## Break the code in many small ways, see what no test notices: FOLDER=src/search SHARD=1/20; needs cargo-mutants
	@command -v cargo-mutants >/dev/null || { echo "cargo-mutants is missing: cargo install --locked cargo-mutants" >&2; exit 1; }
	rm -rf target/mutants && mkdir -p target/mutants
	$(CARGO_MUTANTS) --file '$(FOLDER)/**/*.rs' --file '$(FOLDER)' --sharding round-robin \
		--shard $$(echo '$(SHARD)' | awk -F/ '{ print $$1 - 1 "/" $$2 }') -- --lib || $(ENDED)
	mv target/mutants/mutants.out target/mutants/unit
	@# Each line of missed.txt is the name of a mutant: as a regular expression it chooses that one. Mutants that leave out a
	@# field are chosen whatever their name, so that the files are named as well.
	if [ -s target/mutants/unit/missed.txt ]; then \
		{ cut -d: -f1 target/mutants/unit/missed.txt | sort -u | sed 's/^/--file=/'; \
			sed 's/[].[*^$$(){}+?|\\]/\\&/g; s/.*/--re=^&$$/' target/mutants/unit/missed.txt; } | \
			xargs -d '\n' sh -c '$(CARGO_MUTANTS) "$$@" -- --lib $(strip $(MUTANT_TESTS))' mutants; \
	fi

.PHONY: match
match: build $(MATCH_VENV)/ready ## Play a match: OPPONENT=path TC=4+0.04 (TC= for none) ROUNDS=50 [BOOK=file] [ARGS=...]
	$(MATCH_VENV)/bin/python tests/match/match.py --opponent "$(OPPONENT)" $(if $(TC),--tc "$(TC)") --rounds $(ROUNDS) \
		--concurrency $(CONCURRENCY) $(if $(BOOK),--book "$(BOOK)") $(ARGS)

.PHONY: sprt
sprt: $(MATCH_VENV)/ready ## Test this tree against an older one: BASE=revision [TC=...] [BOOK=file] [ARGS=...]
	$(if $(BASE),,$(error Say BASE=<git revision>))
	$(MATCH_VENV)/bin/python tests/match/sprt.py --base "$(BASE)" $(if $(TC),--tc "$(TC)") \
		--concurrency $(CONCURRENCY) $(if $(BOOK),--book "$(BOOK)") $(ARGS)

.PHONY: clean
clean: ## Remove everything that was built
	cargo clean

.PHONY: help
help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  %-14s %s\n", $$1, $$2}'
