# SPDX-License-Identifier: GPL-2.0
#
#: make                  the module for the running kernel (if its headers are here), the tools
#: make modules          KERNEL=6.1|6.12|newest|debug, or KDIR=DIR; TEST=1 adds fault points and
#:                       checks; W=1 and C=2 are passed on. Output: build/KERNEL[-test]/
#: make tools            srqctl, srqload and the others, libsrqpool and its examples, in build/tools/
#: make man              the man pages, in build/man/
#: make demo             the whole thing in a VM, nothing needed but apt
#: make test             host tests, and the VM tests on 6.1 and 6.12
#: make test-host        the host tests alone
#: make test-newest      the VM tests on the newest kernel
#: make test-debug       the VM tests on a debug kernel (KASAN, lockdep, kmemleak, ...)
#: make soak             the long runs, boots in a row among them
#: make lint             checkpatch, sparse, W=1, clang-tidy, clang-format, shellcheck, yamllint
#: make install          PREFIX=/usr/local DESTDIR=; bashdir=, zshdir= and fishdir= are for completions
#: make clean

KDIR ?= /lib/modules/$(shell uname -r)/build
K := $(or $(KERNEL),native)
OUT := build/$(K)$(if $(TEST),-test)
module_flags = $(if $(TEST),SRQPOOL_TEST=1) $(if $(W),W=$(W)) $(if $(C),C=$(C))

PREFIX ?= /usr/local
DESTDIR ?=
# Where these shells look; Debian's zsh has other places below /usr.
bashdir ?= $(PREFIX)/share/bash-completion/completions
zshdir ?= $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
fishdir ?= $(PREFIX)/share/fish/vendor_completions.d

man_pages := $(patsubst Documentation/man/%.rst,build/man/%,$(wildcard Documentation/man/*.rst))

all: native tools man

# The module for the running kernel, where that can be built.
native:
	@if [ -e "$(KDIR)" ]; then \
		scripts/build-modules "$(KDIR)" "$(OUT)" $(module_flags); \
	else \
		echo "note: no kernel headers in $(KDIR): module not built (try: make modules KERNEL=6.12)"; \
	fi

modules:
	@scripts/build-modules "$(or $(KERNEL),$(KDIR))" "$(OUT)" $(module_flags)

tools:
	@scripts/build-tools build/tools

man: $(man_pages)

build/man/%: Documentation/man/%.rst
	@mkdir -p build/man
	@if command -v rst2man >/dev/null; then \
		rst2man --strict $< $@; \
	else \
		echo "note: no rst2man: $(@F) not built (try: scripts/deps build)"; \
	fi

# One command, any machine with apt: what is missing is installed first.
demo:
	@scripts/deps build vm
	@scripts/demo

test:
	@scripts/deps build vm test
	@scripts/test host runner 6.1 6.12

test-host:
	@scripts/deps build test
	@scripts/test host

test-newest test-debug: test-%:
	@scripts/deps build vm test
	@scripts/test $*

soak:
	@scripts/deps build vm test
	@scripts/test --soak runner 6.1 6.12 debug

lint:
	@scripts/deps build vm lint
	@scripts/lint

install: native tools man
	install -d "$(DESTDIR)$(PREFIX)/sbin"
	find build/tools -maxdepth 1 -type f -perm /111 ! -name '*_test' \
		-exec install -m 755 -t "$(DESTDIR)$(PREFIX)/sbin" {} +
	DESTDIR="$(DESTDIR)" cmake --install build/tools --component library --prefix "$(PREFIX)"
	[ -n "$(DESTDIR)" ] || ldconfig
	install -d "$(DESTDIR)$(PREFIX)/share/man/man8"
	find build/man -name 'srqctl*.8' -exec install -m 644 -t "$(DESTDIR)$(PREFIX)/share/man/man8" {} +
	install -D -m 644 completions/srqctl.bash "$(DESTDIR)$(bashdir)/srqctl"
	install -D -m 644 completions/_srqctl "$(DESTDIR)$(zshdir)/_srqctl"
	install -D -m 644 completions/srqctl.fish "$(DESTDIR)$(fishdir)/srqctl.fish"
	if [ -e build/native/srqpool.ko ]; then \
		dir="$(DESTDIR)/lib/modules/$$(uname -r)/updates"; \
		install -D -m 644 -t "$$dir" build/native/srqpool.ko; \
		[ -n "$(DESTDIR)" ] || depmod; \
	fi

clean:
	rm -rf build

help:
	@sed -n 's/^#: //p' Makefile

.PHONY: all native modules tools man demo test test-host test-newest test-debug soak lint install clean help
