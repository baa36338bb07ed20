#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# Builds native-rdma/target/libdisni.so, the native half of NVMe over RDMA; see README.md.
#
#   native-rdma/build.sh [--install] [--check]
#
#   --install  install a missing compiler or headers by apt (done unasked when root)
#   --check    also test it, as far as that needs no RDMA
#
# Nothing but RDMA needs it. The status is 69 when something cannot be had; standard error says what.
set -euo pipefail
export LC_ALL=C.UTF-8

home=$(readlink -f -- "${BASH_SOURCE[0]}")
home=${home%/native-rdma/*}
# shellcheck source=bin/lib/prerequisites.sh
source "$home/bin/lib/prerequisites.sh"

main() {
  local argument install=no goals=(target/libdisni.so)
  for argument in "$@"; do
    case $argument in
      --install) install=yes ;;
      --check) goals+=(check) ;;
      *)
        printf 'usage: native-rdma/build.sh [--install] [--check]\n' >&2
        exit 64
        ;;
    esac
  done
  require "$install" jdk gcc make libc6-dev libibverbs-dev librdmacm-dev
  JAVA_HOME=$java_home make --silent -C "$home/native-rdma" "${goals[@]}"
}

main "$@"
