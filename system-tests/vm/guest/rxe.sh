#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# RDMA in software in the guest: the device rxe0, which takes dummy0 for its network and has the
# addresses 10.77.0.1 to 10.77.0.4. Not over lo: the connection manager does not resolve a route there.
# Ends with the line "rxe ready".
set -euo pipefail

# With less than 4096 bytes and the headers, each packet would carry but 1024.
readonly mtu=4500

modprobe -a rdma_rxe rdma_ucm ib_uverbs dummy
[[ -e /sys/class/net/dummy0 ]] || ip link add dummy0 type dummy
ip link set dummy0 mtu "$mtu" up
for host in 1 2 3 4; do
  ip address add "10.77.0.$host/24" dev dummy0
done
rdma link add rxe0 type rxe netdev dummy0
for ((attempt = 0; attempt < 100; attempt++)); do
  if [[ $(<"/sys/class/infiniband/rxe0/ports/1/state") == *ACTIVE ]]; then
    echo 'rxe ready'
    exit 0
  fi
  sleep 0.1
done
echo 'rxe.sh: rxe0 did not become active' >&2
exit 1
