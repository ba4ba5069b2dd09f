#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# srqctl top in a pseudo-terminal: what it draws while a pool runs low and recovers, its keys, new
# sizes of the screen, and every way in which it ends.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/../refill/refill.sh"
# shellcheck source=selftests/tool/terminal.sh
. "$(dirname "$0")/terminal.sh"

ktap_print_header
ktap_set_plan 75

# Whatever happens, the tests after this one find the module.
trap '[ -e /sys/module/srqpool ] || insmod "$SRQPOOL_KO"' EXIT

sees() { term see $((30 * slowness)) "$@"; }
ends() { term end $((30 * slowness)) "$@"; }

# 255 buffers and no budget for more: what is held stays away until it is released.
check "a pool is added" add 4096:255-255@50% --shards 1 --budget 1020K --refill watermark
check "top is started" term run 24 80 srqctl top --interval 0.5
check "the pool is listed" sees '^> p0 +active +0 '
check "its level is full" sees '4096 +4 KiB +ok +255/255 +\[█+'
check "the mark is on the bar" sees 'ok .*\[█+M█+'
check "so are floor, target and ceiling" sees 'ok .*█FTC\]'
check "nothing is received" sees 'received +0 msgs/s'

check "200 messages are held" hold 200
check "the level is below the mark" sees '4096 +4 KiB +low +55/255 +\[█+·+M·+FTC\]'
check "the pool's word says so" sees '^> p0 .* low'
check "it was never lower" sees 'lowest 55, since reset 55'
check "the holder is named" sees ' 10\.7\.0\.1:[0-9]+ +4096 +0 +200/1000000 '
check "everything comes back" release
check "the level has recovered" sees '4096 +4 KiB +ok +255/255 +\[█+M█+FTC\]'
check "the lowest of the last interval is high again" sees 'lowest 255, since reset 55'
check "the history shows the fall" sees 'since reset 55 .*█[▁▂▃▄▅]+█'
check "and the holder is gone" sees 'no connection'

srqload $addr 7472 --connections 2 --messages 20000 --burst 8 --size 1024 --one-way >/dev/null &
client=$!
check "traffic has a rate" sees 'received +[1-9][0-9.]* msgs/s, [1-9][0-9.]* .iB/s'
kill $client
wait $client 2>/dev/null

check "space pauses" term keys ' '
check "which is shown" sees PAUSED
check "space goes on" term keys ' '
check "which is shown" sees 'space pause'
check "h hides the holders" term keys h
check "which is shown" sees 'h holders'
check "+ makes the interval longer" term keys +
check "which is shown" sees 'each 1 s'
check "- makes it shorter" term keys --
check "which is shown" sees 'each 200 ms'
check "r forgets the history" term keys r
check "which is shown" sees 'since reset 55 +[█▇]+$'

check "another pool is added" srqctl pool add p1 --dev rxe0 --class 64K:32
check "it is listed" sees '^  p1 +active'
check "n chooses it" term keys n
check "which is shown" sees '^> p1 +active'
check "an arrow chooses the other" term keys '\eOA'
check "which is shown" sees '^> p0 +active'
check "p chooses it again" term keys p
check "which is shown" sees '^> p1 +active'
srqctl pool del p1
check "when it is deleted the other is chosen" sees '^> p0 +active'

check "the screen becomes larger" term resize 40 120
check "all of it is used" sees '^ srqctl top .{95,}[0-9:]{8}$'
check "the screen becomes too small" term resize 20 60
check "which is said" sees 'needs 80x24; this is 60x20'
check "the screen is large enough again" term resize 24 80
check "and is drawn" sees '4096 +4 KiB +ok +255/255'
check "q quits" term keys q
check "without an error" ends 0
check "and the terminal is as it was" term restored

# ends_by HOW...: as the terminal is told.
ends_by() {
	term run 24 80 srqctl top && sees '^> p0' && term "$@" && ends 0 && term restored
}
check "SIGINT ends it like q" ends_by kill 2
check "SIGTERM too" ends_by kill 15
check "SIGHUP too" ends_by kill 1
check "SIGQUIT too" ends_by kill 3
check "Ctrl-C too" ends_by keys '\c'
check "a signal while it is paused too" ends_by keys ' \c'
check "the intervals are counted" term run 24 80 srqctl top --interval 0.1 --count 3
check "and the end is the end" ends 0
check "the terminal is as it was" term restored

# looks COLORS BAR COMMAND...: of that top; COLORS is yes or no.
looks() {
	colors=$1
	bar=$2
	shift 2
	term run 24 80 "$@" && sees "4096 .* ok +255/255 +\[$bar" && term colors "$colors" &&
		term keys q && ends 0 && term restored
}
check "it has colours and blocks" looks yes '█+M' srqctl top
check "plain characters if asked to" looks yes '#+M' srqctl top --ascii
check "and where the locale has no others" looks yes '#+M' env LC_ALL=C srqctl top
check "and on the console" looks yes '#+M' env TERM=linux srqctl top
check "no colours if asked not to" looks no '█+M' srqctl -c never top
check "nor with NO_COLOR" looks no '█+M' env NO_COLOR=1 srqctl top
check "but for who insists" looks yes '█+M' env NO_COLOR=1 srqctl -c always top
check "nor on a terminal without" looks no '█+M' env TERM=vt220 srqctl top

# fails_with TEXT COMMAND...: in a terminal, which is then as it was.
fails_with() {
	said=$1
	shift
	term run 24 80 "$@" && ends 1 && sees "$said" && term restored
}
check "a terminal that cannot be drawn on is refused" \
	fails_with "terminal type 'dumb' cannot be drawn on" env TERM=dumb srqctl top
check "and one that is not known" \
	fails_with "terminal type 'none' cannot be drawn on" env TERM=none srqctl top
check "and none" refused 1 "draws on a terminal" srqctl top
check "and one that is only written to" \
	fails_with 'draws on a terminal' sh -c "'srqctl top </dev/null'"

check "top is started" term run 24 80 srqctl top
check "the pool is shown" sees '^> p0 +active'
check "the module is unloaded" rmmod srqpool
check "top fails" ends 1
check "the terminal is as it was" term restored
check "and the reason is said" sees '^srqctl: the kernel module srqpool was unloaded$'
insmod "$SRQPOOL_KO"
exec 3>&-

ktap_finished
