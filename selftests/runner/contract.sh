#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: runner
# shellcheck disable=SC2016,SC1003 # quoting is what is tested
# What goes in and comes out of a VM: arguments, directory, streams, files, status.
# shellcheck source=selftests/runner/vm.sh
. "$(dirname "$0")/vm.sh"

ktap_print_header
ktap_set_plan 20

vm -h
expect 0 "help is no error"
vm
expect 2 "no command is a usage error"
vm --kernel 5.4 -- true
expect 2 "an unknown kernel is a usage error"
vm --cpus 0 -- true
expect 2 "no CPU is a usage error"
vm --memory lots -- true
expect 2 "a bad size is a usage error"
vm true
expect 2 "a command without -- is a usage error"
vm --provider siw -- true
expect 125 "siw on a stock kernel is impossible"

head -c 1048576 /dev/urandom >random
mkdir "a directory"
cat >"a directory/command" <<'END'
cat ../random
tail -c 300000 ../random >&2
pwd >"$VM_OUT/pwd"
printf '%s\n' "$#" "$@" >"$VM_OUT/arguments"
for name in SRQPOOL_KO PATH; do eval "echo \"$name=\$$name\""; done >"$VM_OUT/environment"
grep '^srqpool ' /proc/modules >"$VM_OUT/modules"
rdma link show rxe0/1 >"$VM_OUT/link"
ip -brief address show to 10.7.0.1/24 >"$VM_OUT/address"
id -u >"$VM_OUT/uid"
readlink /proc/self/fd/0 >"$VM_OUT/stdin"
mkdir "$VM_OUT/sub"
head -c 100000 ../random >"$VM_OUT/sub/file"
exit 255
END
newline='two
lines'
cd "a directory" || exit 1
"$SRQPOOL_TOP/scripts/vm" --out "../out here" -- sh ./command "two words" "it's" '"$HOME" `id` \' "$newline" '' '*' \
	>../stdout 2>../stderr </dev/null
status=$?
cd ..
expect 255 "the command's exit status arrives"
check "its standard output arrives byte for byte" cmp stdout random
tail -c 300000 random >expected
tail -c 300000 stderr >ending
check "its standard error arrives byte for byte" cmp ending expected
printf '%s\n' 6 "two words" "it's" '"$HOME" `id` \' "$newline" '' '*' >expected
check "its arguments are the caller's" diff expected "out here/arguments"
echo "$dir/a directory" >expected
check "its directory is the caller's" diff expected "out here/pwd"
head -c 100000 random >expected
check "files arrive under --out" cmp expected "out here/sub/file"
check "srqpool is loaded" grep -q '^srqpool ' "out here/modules"
check "rxe0 is there, on 10.7.0.1" sh -c 'grep -q ACTIVE "out here/link" && grep -q dummy0 "out here/address"'
check "the module and the tools are named" sh -c '
	grep -q "^SRQPOOL_KO=/.*/build/6.12/srqpool.ko" "out here/environment" &&
		grep -q "^PATH=.*/build/tools:" "out here/environment"'
echo 0 >expected
check "the command is root's" diff expected "out here/uid"
echo /dev/null >expected
check "standard input is empty" diff expected "out here/stdin"
check "the console is kept" grep -q 'Linux version' "out here/console.log"
vm -- sh -c 'kill -9 $$'
expect 137 "a signal is 128 + its number"
ktap_finished
