#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# What init.sh becomes once the root is there: sets up network and shares, runs the command of run.sh
# with its streams at the virtual serial port, leaves its status, and turns the machine off.

export PATH=/run/bed/guest:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LC_ALL=C.UTF-8
readonly port=/dev/vport0p1
shares=() with_stdin=no
# shellcheck source=/dev/null
source /run/vm/settings

# await COMMAND...: for what a driver makes a moment after it is loaded.
await() {
  local attempt
  for ((attempt = 0; attempt < 100; attempt++)); do
    "$@" && return 0
    sleep 0.1
  done
  printf 'crail-vm: waited in vain for: %s\n' "$*"
  return 1
}

set_up() {
  local index
  # From here on the console, which the host keeps, shows all that the kernel says.
  dmesg --console-level debug
  # What udev makes elsewhere.
  ln -s /proc/self/fd /dev/fd
  ln -s /proc/self/fd/0 /dev/stdin
  ln -s /proc/self/fd/1 /dev/stdout
  ln -s /proc/self/fd/2 /dev/stderr
  hostname vm
  ip link set lo up
  modprobe virtio_net
  await test -e /sys/class/net/eth0 || return 1
  ip address add 10.0.2.15/24 dev eth0
  # Without a route: the host is all that it reaches.
  ip link set eth0 up
  for index in "${!shares[@]}"; do
    mkdir -p -- "${shares[index]}"
    # mmap: changes of the host are seen, and files may be mapped.
    mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,access=any,cache=mmap "share$index" \
      "${shares[index]}" || return 1
  done
  # What RDMA registers is locked in memory.
  ulimit -l unlimited
  ulimit -n 65536
  await test -c "$port"
}

run_command() {
  # Opened once for all: a second opening is refused.
  if [[ $with_stdin == yes ]]; then
    bash /run/vm/command <>"$port" >&0 2>&1
  else
    bash /run/vm/command </dev/null >"$port" 2>&1
  fi
}

if set_up; then
  cd /root || cd /
  run_command
  status=$?
  printf '%d\n' "$status" >/run/vm/status.new
  dmesg >/run/vm/dmesg.txt
  mv /run/vm/status.new /run/vm/status
fi
sync
echo o >/proc/sysrq-trigger
sleep 10
busybox poweroff -f
