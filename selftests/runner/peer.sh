#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: runner
# Two VMs with a network between them.
# shellcheck source=selftests/runner/vm.sh
. "$(dirname "$0")/vm.sh"

ktap_print_header
ktap_set_plan 10

head -c 200000 /dev/urandom >random
cat >script <<'END'
exec 2>"$VM_OUT/stderr"
cd "$1" || exit 1
on-peer cat random >"$VM_OUT/random"
on-peer sh -c 'echo words >&2; exit 7' 2>"$VM_OUT/words"
echo $? >"$VM_OUT/status"
on-peer printf '%s|' "two words" "it's" 'two
lines' '' >"$VM_OUT/arguments"
on-peer ip -brief address show to 10.7.0.2 >"$VM_OUT/address"
on-peer rdma link show rxe0/1 >"$VM_OUT/link"
on-peer grep -c '^srqpool ' /proc/modules >"$VM_OUT/modules"
on-peer ibv_rc_pingpong -d rxe0 -g 1 -n 10 >"$VM_OUT/server" &
for _ in 1 2 3 4 5 6 7 8 9 10; do
	timeout 30 ibv_rc_pingpong -d rxe0 -g 1 -n 10 10.7.0.2 >"$VM_OUT/client" && break
	sleep 1
done
wait $!
echo $? >"$VM_OUT/pingpong"
on-peer sleep 1000 &
kill-peer && echo killed >"$VM_OUT/killed"
wait $!
echo $? >"$VM_OUT/gone"
END
vm --peer --out out -- sh ./script "$dir"
expect 0 "two VMs run"
check "the second's output arrives byte for byte" cmp random out/random
check "its exit status arrives" grep -qx 7 out/status
check "its standard error arrives apart" grep -qx words out/words
printf '%s|' "two words" "it's" 'two
lines' '' >expected
check "arguments are kept" cmp expected out/arguments
check "its address is 10.7.0.2" grep -q 10.7.0.2/24 out/address
check "it has a device and no module" sh -c 'grep -q ACTIVE out/link && grep -qx 0 out/modules'
check "RDMA works between them" grep -qx 0 out/pingpong
check "kill-peer ends it" grep -qx killed out/killed
check "and what ran there ends with a failure" grep -qx 99 out/gone
ktap_finished
