#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# The kernel's initiator of NVMe over Fabrics, in the guest.
#
#   initiator.sh discover   TRANSPORT ADDRESS PORT
#   initiator.sh connect    TRANSPORT ADDRESS PORT NQN [OPTION OF nvme connect]...
#   initiator.sh device     NQN            prints the block device of its namespace
#   initiator.sh await      NQN STATE      until its controller is live, connecting, ...
#   initiator.sh verify     DEVICE [OPTION OF fio]...
#   initiator.sh load       DEVICE [OPTION OF fio]...   the same in the background, for some seconds;
#                                          returns when it writes
#   initiator.sh wait                      until that has ended
#   initiator.sh filesystem DEVICE         makes one, fills it, checks it, reads it anew
#   initiator.sh disconnect NQN
#
# connect ends with the line "connected DEVICE", verify and wait with "verified".
set -euo pipefail

readonly subsystems=/sys/class/nvme-subsystem
# What it takes until the kernel has noticed something, on a machine that is emulated and busy.
readonly patience_seconds=90
readonly host_id=2f1ad70f-2b5b-4a8c-8f43-3f0f7a1c6d55
readonly host=(--hostnqn="nqn.2014-08.org.nvmexpress:uuid:$host_id" --hostid="$host_id")

fail() {
  printf 'initiator.sh: %s\n' "$1" >&2
  exit 1
}

# Asks again and again until the command succeeds.
until_so() {
  local what=$1 until=$((SECONDS + patience_seconds))
  shift
  until "$@"; do
    ((SECONDS < until)) || fail "waited $patience_seconds s in vain for $what"
    sleep 0.1
  done
}

# Prints the directory of the subsystem of that name in sysfs.
subsystem() {
  local entry
  for entry in "$subsystems"/*/subsysnqn; do
    if [[ -e $entry && $(<"$entry") == "$1" ]]; then
      printf '%s\n' "${entry%/*}"
      return 0
    fi
  done
  return 1
}

device() {
  local directory entry
  directory=$(subsystem "$1") || return 1
  # nvme0n1; nvme0c0n1 are the paths to it.
  for entry in "$directory"/nvme*n*; do
    if [[ ${entry##*/} =~ ^nvme[0-9]+n[0-9]+$ && -b /dev/${entry##*/} ]]; then
      printf '/dev/%s\n' "${entry##*/}"
      return 0
    fi
  done
  return 1
}

# is_state NQN STATE: of one of its controllers.
is_state() {
  local directory entry
  directory=$(subsystem "$1") || return 1
  for entry in "$directory"/nvme*/state; do
    [[ -e $entry && $(<"$entry") == "$2" ]] && return 0
  done
  return 1
}

discover() {
  modprobe "nvme-$1"
  nvme discover --transport="$1" --traddr="$2" --trsvcid="$3" "${host[@]}"
}

connect() {
  local transport=$1 address=$2 port=$3 nqn=$4
  shift 4
  modprobe "nvme-$transport"
  nvme connect --transport="$transport" --traddr="$address" --trsvcid="$port" --nqn="$nqn" "${host[@]}" "$@"
  until_so "the namespace of $nqn" device "$nqn" >/dev/null
  printf 'connected %s\n' "$(device "$nqn")"
}

# Writes at random in pieces of many sizes, aligned to blocks only, then reads all of it back; each piece
# has a checksum and tells where it belongs.
verify() {
  local device=$1 block
  shift
  block=$(blockdev --getss "$device")
  rm -f /tmp/fio
  fio --name=verify --filename="$device" --direct=1 --ioengine=libaio --iodepth=8 --rw=randwrite \
    --bsrange="$block-128k" --blockalign="$block" --size=16m --randseed=7 \
    --verify=crc32c --do_verify=1 --verify_fatal=1 --output-format=terse --output=/tmp/fio "$@" ||
    fail "fio found fault: $(</tmp/fio)"
  echo 'verified'
}

# Prints the number of writes that NVMe devices have completed: the kernel counts those of a path, not
# those of the device that it belongs to.
writes() { awk '{ writes += $5 } END { print writes + 0 }' /sys/block/nvme*/stat; }

has_written() { (($(writes) > $1)) || [[ -e /tmp/load.status ]]; }

load() {
  local before
  before=$(writes)
  rm -f /tmp/load.status
  {
    status=0
    # 3 MB/s, so that it does not end before the test does something to it.
    "$0" verify "$@" --size=24m --rate=,3m || status=$?
    echo "$status" >/tmp/load.new
    mv /tmp/load.new /tmp/load.status
  } >/tmp/load.out 2>&1 &
  until_so "$1 to be written to" has_written $((before + 10))
  [[ ! -e /tmp/load.status ]] || fail "the load ended at once: $(</tmp/load.out)"
}

wait_for_load() {
  until_so 'the end of the load' test -e /tmp/load.status
  cat /tmp/load.out
  exit "$(</tmp/load.status)"
}

filesystem() {
  local device=$1 directory=/mnt/nvme
  mkdir -p "$directory"
  mkfs.ext4 -q -F "$device"
  mount -t ext4 "$device" "$directory"
  # Something of everything: a large file, many small ones, a hole, and what is deleted again.
  cp /bin/bash "$directory/program"
  mkdir "$directory/pieces"
  split --bytes=6000 "$directory/program" "$directory/pieces/"
  truncate -s 8M "$directory/hole"
  cp "$directory/program" "$directory/deleted"
  sync -f "$directory"
  rm "$directory/deleted"
  fstrim "$directory" || echo 'no deallocation here'
  (cd "$directory" && find . -type f -exec sha256sum {} + >/tmp/sums)
  umount "$directory"
  e2fsck -f -n "$device" || fail "e2fsck found fault with $device"
  # Nothing of it is in memory any more.
  blockdev --flushbufs "$device"
  mount -t ext4 -o ro "$device" "$directory"
  (cd "$directory" && sha256sum --quiet --check /tmp/sums) || fail "$device gives other bytes than were written"
  umount "$directory"
  printf 'file system of %d files is sound\n' "$(wc -l </tmp/sums)"
}

case ${1-} in
  discover | connect | device | verify | load | filesystem) "$@" ;;
  wait) wait_for_load ;;
  await) until_so "$2 to be $3" is_state "$2" "$3" ;;
  disconnect) nvme disconnect --nqn="$2" ;;
  *) fail "no command '${1-}'" ;;
esac
