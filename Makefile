# duel-action: one Makefile, no recursion into folders. `make help` lists the targets.
#
# A variant of the build (compiler, sanitizer) has its own folder under build/, so none needs a
# clean. Sources are found by wildcard: a new file in a folder of the list belongs to its library.

CC       ?= cc
SAN      ?=
V        ?=
PREFIX   ?= /usr/local
DESTDIR  ?=
SEED     ?= 1
ONLY     ?=
BUILD    ?= build
VERSION  := $(shell sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' NEWS.md 2>/dev/null | head -n1)

comma := ,
O := $(BUILD)/$(notdir $(CC))$(if $(SAN),-$(subst $(comma),-,$(SAN)))
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(2)';)

# Asked once, when first needed: at that time `make setup` may have brought the libraries.
once = $(eval $(1) := $(shell $(2)))$($(1))
PACKAGES := libseccomp libgit2 libcjson libzstd
PACKAGES_CFLAGS = $(call once,PACKAGES_CFLAGS,pkg-config --cflags $(PACKAGES))
PACKAGES_LIBS = $(call once,PACKAGES_LIBS,pkg-config --libs $(PACKAGES))

WARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Wswitch-enum -Werror
# _FORTIFY_SOURCE and the sanitizers each replace the same functions.
HARDEN := $(if $(SAN),-fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=$(SAN),-D_FORTIFY_SOURCE=2) \
	-fstack-protector-strong -fPIE
ALL_CPPFLAGS = -I. -D_GNU_SOURCE -DDUEL_VERSION='"$(or $(VERSION),0)"' $(PACKAGES_CFLAGS) $(CPPFLAGS)
CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=c11 $(CFLAGS) $(WARN) $(HARDEN)
ALL_LDFLAGS = $(LDFLAGS) -pie -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
ALL_LDLIBS = $(PACKAGES_LIBS) $(LDLIBS) -lm

# The judging library is pure: it is linked by duel now and by the comment job's decoder later.
SANDBOX_SRC := $(wildcard sandbox/base/*.c sandbox/*.c)
STATS_SRC   := $(wildcard runner/stats/*.c)
PROGRAM_SRC := runner/main.c runner/layout/duel-ld.c
RUNNER_SRC  := $(filter-out $(PROGRAM_SRC),$(wildcard runner/*.c runner/layout/*.c runner/artifact/*.c runner/report/*.c))
ALL_SRC := $(SANDBOX_SRC) $(STATS_SRC) $(RUNNER_SRC) $(wildcard $(PROGRAM_SRC))
LIBS := $(O)/librunner.a $(O)/libstats.a $(O)/libsandbox.a
PROGRAMS := $(O)/duel $(O)/duel-ld
MANUALS := $(wildcard runner/*.1 runner/*.5)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(O)/tests/%,$(wildcard tests/unit/*_test.c))
TEST_WORKERS := $(patsubst tests/workers/%.c,$(O)/tests/workers/%,$(wildcard tests/workers/*.c)) $(O)/tests/probe
FUZZERS := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
SCRIPTS = $(shell find .ci tests bench-examples -type f -exec awk 'FNR == 1 && /^.!\/.*sh$$/ { print FILENAME } { nextfile }' {} +)
obj = $(patsubst %.c,$(O)/%.o,$(1))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAMS) ## build duel and its link recorder

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The assembler reads these into it, which -MMD does not see.
$(O)/runner/embedded.o: $(wildcard runner/include/*.h)

$(O)/libsandbox.a: $(call obj,$(SANDBOX_SRC))
$(O)/libstats.a: $(call obj,$(STATS_SRC))
$(O)/librunner.a: $(call obj,$(RUNNER_SRC))
$(O)/%.a:
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

$(O)/duel: $(O)/runner/main.o $(LIBS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LDLIBS)

# The link recorder runs inside the confined build on anybody's link lines: libc only, static.
$(O)/duel-ld: runner/layout/duel-ld.c
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CPPFLAGS) -std=c11 -O2 $(WARN) -static -MMD -MP -MF $@.d -o $@ $<

setup: ## install the packages that are missing to build and test
	$(Q).ci/setup build test analyze

demo: ## find a planted regression in two commits (EXAMPLE=json PLANT=name)
	$(Q).ci/setup build test
	$(Q)$(MAKE) --no-print-directory -j2 all
	$(Q)DUEL=$(O)/duel bench-examples/demo.sh $(EXAMPLE) $(PLANT)

# --- tests -------------------------------------------------------------------------------------

$(O)/tests/%_test: tests/unit/%_test.c $(LIBS)
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(ALL_LDFLAGS) -o $@ $< $(LIBS) $(ALL_LDLIBS) -lcmocka

# Workers for tests: ordinary programs, never sanitized, since they stand for somebody else's.
$(O)/tests/workers/%: tests/workers/%.c $(wildcard runner/include/*.h)
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) -Irunner/include -pthread -o $@ $<

# What is let loose in a cell: static, so that it runs wherever anything can.
$(O)/tests/probe: tests/escape/probe.c
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) -static -o $@ $<

# The fuzzers' corpora run under any compiler: replay.c stands where libFuzzer would.
$(O)/tests/%_replay: tests/fuzz/%_fuzz.c tests/fuzz/replay.c $(LIBS)
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.c,$^) $(LIBS) $(ALL_LDLIBS)

$(O)/tests/%_fuzz: tests/fuzz/%_fuzz.c $(LIBS)
	@mkdir -p $(@D)
	$(call say,FUZZ,$@)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fsanitize=fuzzer $(ALL_LDFLAGS) -o $@ $< $(LIBS) $(ALL_LDLIBS)

# These have programs built with the link recorder in place.
$(O)/tests/layout_replay_test $(O)/tests/layout_recorder_test: | $(O)/duel-ld

tests: all $(UNIT_TESTS) $(TEST_WORKERS) $(FUZZERS:%=$(O)/tests/%_replay) ## build all tests

unit: $(TEST_WORKERS) $(if $(ONLY),$(O)/tests/$(ONLY:_test=)_test,$(UNIT_TESTS)) ## run the unit tests of this variant (ONLY=name picks one)
	@for t in $(if $(ONLY),$(O)/tests/$(ONLY:_test=)_test,$(UNIT_TESTS)); do echo "== $$t"; $$t || exit 1; done

golden: $(O)/tests/report_test ## write the reports' golden texts anew: look at the diff
	$(Q)$< --accept
	$(Q)git --no-pager diff --stat -- tests/golden

check: setup ## build every variant and run everything that proves something (ONLY=part picks)
	$(Q)MAKE="$(MAKE)" tests/run.sh $(ONLY)

# Coverage needs the libraries instrumented too, hence an own variant.
fuzz: ## fuzz one reader: make fuzz TARGET=config SECONDS=300 (targets: tests/fuzz/*_fuzz.c)
	$(Q)[ -n "$(TARGET)" ] || { echo "say which: make fuzz TARGET=one of: $(FUZZERS)"; exit 2; }
	$(Q)$(MAKE) --no-print-directory -j2 CC=clang SAN=fuzzer-no-link,address,undefined BUILD=$(BUILD)/fuzz fuzz-run

fuzzers: $(FUZZERS:%=$(O)/tests/%_fuzz)

fuzz-run: $(O)/tests/$(TARGET)_fuzz
	$(Q)tests/fuzz/fuzz.sh $< $(TARGET) $(or $(SECONDS),60)

calibrate: ## measure false alarms and power on planted slow-downs (RUNS=100; takes long)
	$(Q).ci/setup build test
	$(Q)$(MAKE) --no-print-directory -j2 all
	$(Q)DUEL=$(O)/duel tests/calibrate/calibrate.sh

calibrate-layout: ## changes that only move code must pass (takes minutes)
	$(Q).ci/setup build test
	$(Q)$(MAKE) --no-print-directory -j2 all
	$(Q)DUEL=$(O)/duel tests/calibrate/layout-only.sh

# --- static checks -----------------------------------------------------------------------------

# A stamp beside the object: it is checked again when the object is, so headers count too.
TIDY := $(ALL_SRC:%.c=$(O)/%.tidied)
$(O)/%.tidied: $(O)/%.o .clang-tidy
	$(call say,TIDY,$*.c)clang-tidy --quiet $*.c -- -std=c11 -DANALYSIS $(ALL_CPPFLAGS) 2>/dev/null && touch $@

# readdir_r, which cppcheck recommends, is deprecated. ANALYSIS tells the analyzers what functions of other files promise (err.h). cppcheck takes a buffer
# that another file fills for uninitialised, and none of them follows ownership through the cleanup
# attribute: leaks are LeakSanitizer's.
CPPCHECK := $(ALL_SRC:%.c=$(O)/%.cppchecked)
$(O)/%.cppchecked: $(O)/%.o
	$(call say,CPPCHK,$*.c)cppcheck --quiet --std=c11 --library=posix --library=gnu --inline-suppr \
		--enable=warning,portability,performance --error-exitcode=1 -I. -D_GNU_SOURCE \
		-DDUEL_VERSION='"0"' --suppress=missingIncludeSystem \
		--suppress=resourceLeak --suppress=memleak --suppress=ctuuninitvar --suppress=readdirCalled $*.c && touch $@

ANALYZED := $(ALL_SRC:%.c=$(O)/%.analyzed)
$(O)/%.analyzed: $(O)/%.o
	$(call say,FANLZR,$*.c)gcc $(ALL_CPPFLAGS) -DANALYSIS -std=c11 -O2 -Werror -fanalyzer -Wno-analyzer-malloc-leak -c -o $@.o $*.c && rm -f $@.o && touch $@

clang-tidy: $(TIDY)
cppcheck: $(CPPCHECK)
fanalyzer: $(ANALYZED)
shellcheck:
	$(Q)shellcheck -x $(SCRIPTS)
mandoc:
	$(Q)[ -z "$(MANUALS)" ] || mandoc -Tlint -Wwarning $(MANUALS)
analyze: clang-tidy cppcheck fanalyzer shellcheck mandoc ## static analysis: clang-tidy, cppcheck, gcc -fanalyzer, shellcheck, mandoc

tidy: all ## house rules: layers, style, symbols, format
	$(Q)for check in tests/tidy/check-*; do "$$check" $(O) || exit 1; done

format: ## clang-format all C files
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

# --- install -----------------------------------------------------------------------------------

install: all ## install below DESTDIR/PREFIX
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/duel" "$(DESTDIR)$(PREFIX)/include"
	install -m 755 $(O)/duel "$(DESTDIR)$(PREFIX)/bin/duel"
	install -m 755 $(O)/duel-ld "$(DESTDIR)$(PREFIX)/libexec/duel/duel-ld"
	install -m 644 runner/include/*.h "$(DESTDIR)$(PREFIX)/include"
	for page in $(MANUALS); do \
		install -D -m 644 $$page "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}" || exit 1; done

dist: ## a source archive of HEAD below build/
	@mkdir -p $(BUILD)
	git archive --format=tar.gz --prefix=duel-action-$(or $(VERSION),0)/ -o $(BUILD)/duel-action-$(or $(VERSION),0).tar.gz HEAD

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  make %-12s %s\n", $$1, $$2}'

clean: ## remove everything that was built
	rm -rf $(BUILD)

.PHONY: all setup demo tests unit golden check fuzz fuzzers fuzz-run calibrate calibrate-layout clang-tidy cppcheck fanalyzer shellcheck \
	mandoc analyze tidy format install dist help clean
-include $(shell find $(O) -name '*.d' 2>/dev/null)
