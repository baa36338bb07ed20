#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# Runs one command in a virtual machine whose root is the root of this host, and ends.
#
#   system-tests/vm/run.sh [OPTION]... [--] COMMAND
#
#   COMMAND               for bash; guest/*.sh are on its path
#   --seconds N           the bound of all, from power-on to power-off (default 120)
#   --memory SIZE         of the guest (default 1G)
#   --forward HOST:GUEST  a TCP port of the guest at a port of this host's loopback; may be repeated
#   --share DIRECTORY     that the guest sees at the same path and may write to; may be repeated
#   --stdin               the command reads what this script reads, a pipe; it reads nothing otherwise
#   --control DIRECTORY   keeps console.log, dmesg.txt and status there; else they go, unless it fails
#
# The guest may write to its root: memory takes all changes, and they go when it does. It has the address
# 10.0.2.15 and reaches what listens at 127.0.0.1 of this host at 10.0.2.2, and nothing else.
# The status is that of the command; 124 when the time is over, 125 when the machine ended without one:
# the end of its console is printed then. However this script ends, its QEMU ends too.
set -euo pipefail
export LC_ALL=C.UTF-8

home=$(readlink -f -- "${BASH_SOURCE[0]}")
home=${home%/system-tests/vm/*}
# shellcheck source=system-tests/vm/paths.sh
source "$home/system-tests/vm/paths.sh"

seconds=120 memory=1G with_stdin=no control='' kept=no
forwards='' shares=() command=''
child=''

usage() { sed -n '4,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; }

usage_error() {
  printf 'run.sh: %s\n' "$1" >&2
  usage >&2
  exit 64
}

parse_arguments() {
  while (($# > 0)) && [[ $1 == --* ]]; do
    case $1 in
      --help)
        usage
        exit 0
        ;;
      --stdin) with_stdin=yes ;;
      --)
        shift
        break
        ;;
      --seconds | --memory | --forward | --share | --control)
        (($# > 1)) || usage_error "$1 needs a value"
        option "$1" "$2"
        shift
        ;;
      *) usage_error "unknown option '$1'" ;;
    esac
    shift
  done
  (($# == 1)) || usage_error 'one command is needed, as one word'
  command=$1
}

option() {
  case $1 in
    --seconds)
      [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "--seconds $2 is no number of seconds"
      seconds=$2
      ;;
    --memory) memory=$2 ;;
    --forward)
      [[ $2 =~ ^[0-9]+:[0-9]+$ ]] || usage_error "--forward $2 is not HOST:GUEST"
      forwards+=",hostfwd=tcp:127.0.0.1:${2%:*}-:${2#*:}"
      ;;
    --share)
      [[ -d $2 ]] || usage_error "--share $2 is no directory"
      shares+=("$(readlink -f -- "$2")")
      ;;
    --control)
      control=$2
      kept=yes
      ;;
  esac
}

# export_directory TAG DIRECTORY [OPTION]: the guest may mount it by its tag.
export_directory() {
  # A comma would end the path.
  qemu+=(-fsdev "local,id=$1,path=${2//,/,,},security_model=none,multidevs=remap${3-}"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}

# What start.sh in the guest reads.
configure() {
  local index
  mkdir -p -- "$control"
  rm -f -- "$control"/{status,dmesg.txt,console.log,input,command,settings}
  printf '%s\n' "$command" >"$control/command"
  printf 'shares=(%s)\nwith_stdin=%s\n' "${shares[*]@Q}" "$with_stdin" >"$control/settings"

  # shellcheck disable=SC2054  # the commas are QEMU's
  qemu=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35
    # In software: a machine in which one may have KVM is seldom at hand, and then it must behave alike.
    -accel tcg,thread=multi,tb-size=512 -cpu max,la57=off -smp "$(processors)" -m "$memory"
    -kernel "$kernel" -initrd "$initramfs"
    # Without tsc=reliable the guest takes hpet for its clock, which costs a microsecond at each look.
    -append 'console=ttyS0 quiet panic=-1 mitigations=off nokaslr random.trust_cpu=on net.ifnames=0 tsc=reliable'
    -serial "file:${control//,/,,}/console.log"
    -chardev stdio,id=command,signal=off -device virtio-serial-pci
    -device virtserialport,chardev=command,name=command,nr=1
    -netdev "user,id=network,ipv6=off$forwards"
    -device virtio-net-pci,netdev=network,romfile=)
  export_directory host / ,readonly=on
  export_directory guest "$guest_tree" ,readonly=on
  export_directory bed "$bed" ,readonly=on
  export_directory vm "$control"
  for index in "${!shares[@]}"; do
    export_directory "share$index" "${shares[index]}"
  done
}

# As many as this process may use; more than four make the boot slower.
processors() {
  local count
  count=$(nproc)
  printf '%d' $((count < 4 ? count : 4))
}

# Also when this script is killed outright, the kernel ends its children.
power_on() {
  local input
  if [[ $with_stdin == yes ]]; then
    exec {input}<&0
  else
    # Open at both ends, it never ends: with an end of file QEMU takes the port from the guest, which
    # then waits for ever at its first output.
    mkfifo -- "$control/input"
    exec {input}<>"$control/input"
  fi
  setpriv --pdeathsig TERM timeout --kill-after=5 "$seconds" setpriv --pdeathsig KILL \
    "${qemu[@]}" <&"$input" &
  child=$!
  exec {input}<&-
}

# shellcheck disable=SC2317  # a trap
finish() {
  trap - EXIT INT TERM HUP
  if [[ -n $child ]]; then
    kill -TERM "$child" 2>/dev/null || :
    wait "$child" 2>/dev/null || :
  fi
  [[ $kept == yes || -z $control ]] || rm -rf -- "$control"
}

main() {
  local status=0
  parse_arguments "$@"
  [[ -e $ready ]] || {
    printf 'run.sh: there is no machine yet; make it with system-tests/vm/prepare.sh\n' >&2
    exit 69
  }
  trap finish EXIT
  trap 'exit 130' INT TERM HUP
  if [[ -z $control ]]; then
    mkdir -p -- "$parts/runs"
    control=$(mktemp -d -- "$parts/runs/XXXXXX")
  fi
  configure
  power_on
  wait "$child" || status=$?
  child=
  if [[ -s $control/status ]]; then
    status=$(<"$control/status")
    exit "$status"
  fi
  kept=yes
  ((status == 124 || status == 137)) && status=124 || status=125
  {
    if ((status == 124)); then
      printf 'run.sh: not done within %d seconds' "$seconds"
    else
      printf 'run.sh: the machine ended without a status of the command'
    fi
    printf '; the end of %s:\n' "$control/console.log"
    tail -n 30 -- "$control/console.log" 2>/dev/null || :
  } >&2
  exit "$status"
}

main "$@"
