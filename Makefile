# duel-action: one Makefile, no recursion. `make help` lists the targets.
#
# A variant of the build (compiler, sanitizer) has its own folder under build/, so none needs a clean.

CC       ?= cc
SAN      ?=
V        ?=
PREFIX   ?= /usr/local
DESTDIR  ?=
SEED     ?= 1
ONLY     ?=
BUILD    ?= build
VERSION  := $(shell sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' NEWS.md 2>/dev/null | head -n1)

O := $(BUILD)/$(notdir $(CC))$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(2)';)

PACKAGES := libseccomp libgit2 libcjson libzstd
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Wswitch-enum -Werror
HARDEN := $(if $(SAN),-fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=$(SAN),-D_FORTIFY_SOURCE=2) \
	-fstack-protector-strong -fPIE
CPPFLAGS += -I. -D_GNU_SOURCE -DDUEL_VERSION='"$(or $(VERSION),0)"' \
	$(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=c11 $(CFLAGS) $(WARN) $(HARDEN)
ALL_LDFLAGS = $(LDFLAGS) -pie -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN))
LDLIBS += $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm

# The judging library is pure: it is linked by duel now and by the comment job's decoder later.
SANDBOX_SRC := $(wildcard sandbox/base/*.c sandbox/*.c)
STATS_SRC   := $(wildcard runner/stats/*.c)
PROGRAM_SRC := runner/main.c runner/layout/duel-ld.c
RUNNER_SRC  := $(filter-out $(PROGRAM_SRC),$(wildcard runner/*.c runner/layout/*.c runner/artifact/*.c runner/report/*.c))
LIBS := $(O)/librunner.a $(O)/libstats.a $(O)/libsandbox.a
PROGRAMS := $(O)/duel $(O)/duel-ld

UNIT_TESTS := $(patsubst tests/unit/%.c,$(O)/tests/%,$(wildcard tests/unit/*_test.c))
obj = $(patsubst %.c,$(O)/%.o,$(1))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAMS) ## build duel and its link recorder

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/libsandbox.a: $(call obj,$(SANDBOX_SRC))
$(O)/libstats.a: $(call obj,$(STATS_SRC))
$(O)/librunner.a: $(call obj,$(RUNNER_SRC))
$(O)/%.a:
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

$(O)/duel: $(O)/runner/main.o $(LIBS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

# The link recorder runs inside the confined build on anybody's link lines: libc only, static.
$(O)/duel-ld: runner/layout/duel-ld.c
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CPPFLAGS) -std=c11 -O2 $(WARN) -static -o $@ $<

$(O)/tests/%_test: tests/unit/%_test.c $(LIBS)
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(ALL_LDFLAGS) -o $@ $< $(LIBS) $(LDLIBS) -lcmocka

unit: $(UNIT_TESTS) ## run the unit tests (ONLY=name picks one)
	@for t in $(if $(ONLY),$(O)/tests/$(ONLY)_test,$(UNIT_TESTS)); do echo "== $$t"; $$t || exit 1; done

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  make %-12s %s\n", $$1, $$2}'

clean: ## remove everything that was built
	rm -rf $(BUILD)

.PHONY: all unit help clean
-include $(shell find $(O) -name '*.d' 2>/dev/null)
