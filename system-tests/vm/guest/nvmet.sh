#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# The kernel's target of NVMe over Fabrics, in the guest.
#
#   nvmet.sh create [--nqn NQN] [--backend null|brd|loop|file] [--size MIB] [--block 512|4096]
#                   [--host NQN]...
#   nvmet.sh listen [--nqn NQN] [--transport tcp|rdma] [--address A] [--port N]
#   nvmet.sh serve  [--nqn NQN] [--port N]
#   nvmet.sh close  [--port N]
#
# create makes a subsystem with one namespace, 1: memory of a null_blk or brd device, or a file, as it is
# or through a loop device. Without --host every host may connect. listen puts it on the network, serve adds
# another one to what listens already, close takes them away: that breaks all connections, as when a
# target is killed, and the namespaces stay. Defaults: nqn.2026-11.example:guest, null, 64 MiB, 512 B, tcp,
# 0.0.0.0, 4420.
# listen ends with the line "nvmet ready TRANSPORT ADDRESS:PORT NQN".
set -euo pipefail

readonly configuration=/sys/kernel/config
readonly target=$configuration/nvmet

nqn=nqn.2026-11.example:guest backend=null size=64 block=512 hosts=()
transport=tcp address=0.0.0.0 port=4420

fail() {
  printf 'nvmet.sh: %s\n' "$1" >&2
  exit 64
}

parse_options() {
  while (($# > 0)); do
    (($# > 1)) || fail "$1 needs a value"
    case $1 in
      --nqn) nqn=$2 ;;
      --backend) backend=$2 ;;
      --size) size=$2 ;;
      --block) block=$2 ;;
      --host) hosts+=("$2") ;;
      --transport) transport=$2 ;;
      --address) address=$2 ;;
      --port) port=$2 ;;
      *) fail "unknown option '$1'" ;;
    esac
    shift 2
  done
}

# Prints the path of a new device, or of a file.
make_backend() {
  local image=/tmp/nvmet-$1.img null=$configuration/nullb/nullb$1
  case $backend in
    null)
      modprobe null_blk nr_devices=0
      mkdir "$null"
      echo "$size" >"$null/size"
      echo "$block" >"$null/blocksize"
      echo 1 >"$null/memory_backed"
      echo 1 >"$null/discard"
      echo 1 >"$null/power"
      printf '/dev/nullb%d\n' "$1"
      ;;
    brd)
      # One for all subsystems: its size is given when the module is loaded.
      modprobe brd rd_nr=1 rd_size=$((size * 1024))
      printf '/dev/ram0\n'
      ;;
    loop)
      modprobe loop
      truncate -s "${size}M" "$image"
      losetup --find --show --sector-size "$block" "$image"
      ;;
    file)
      truncate -s "${size}M" "$image"
      printf '%s\n' "$image"
      ;;
    *) fail "unknown backend '$backend'" ;;
  esac
}

create() {
  local subsystem=$target/subsystems/$nqn number device host
  modprobe -a configfs nvmet
  mountpoint -q "$configuration" || mount -t configfs none "$configuration"
  # null_blk has its devices in configfs, too.
  number=$(find "$target/subsystems" -mindepth 1 -maxdepth 1 | wc -l)
  device=$(make_backend "$number")
  mkdir "$subsystem"
  echo $((${#hosts[@]} == 0)) >"$subsystem/attr_allow_any_host"
  for host in "${hosts[@]}"; do
    [[ -d $target/hosts/$host ]] || mkdir "$target/hosts/$host"
    ln -s "$target/hosts/$host" "$subsystem/allowed_hosts/$host"
  done
  mkdir "$subsystem/namespaces/1"
  # A file in memory takes no direct I/O.
  [[ $backend != file ]] || echo 1 >"$subsystem/namespaces/1/buffered_io"
  printf '%s' "$device" >"$subsystem/namespaces/1/device_path"
  echo 1 >"$subsystem/namespaces/1/enable"
}

listen() {
  # The number of the TCP port serves as the one of the target's port.
  local entry=$target/ports/$port
  modprobe "nvmet-$transport"
  mkdir "$entry"
  echo "$transport" >"$entry/addr_trtype"
  echo ipv4 >"$entry/addr_adrfam"
  echo "$address" >"$entry/addr_traddr"
  echo "$port" >"$entry/addr_trsvcid"
  serve
  printf 'nvmet ready %s %s:%s %s\n' "$transport" "$address" "$port" "$nqn"
}

serve() { ln -s "$target/subsystems/$nqn" "$target/ports/$port/subsystems/$nqn"; }

close() {
  local entry=$target/ports/$port
  find "$entry/subsystems" -mindepth 1 -delete
  rmdir "$entry"
}

case ${1-} in
  create | listen | serve | close)
    verb=$1
    shift
    parse_options "$@"
    "$verb"
    ;;
  *) fail "create, listen, serve or close, not '${1-}'" ;;
esac
