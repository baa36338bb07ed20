# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Where the virtual machine has its parts. Sourced by prepare.sh and run.sh, which set home.
# shellcheck disable=SC2034,SC2154

readonly bed=$home/system-tests/vm
# All that is made or fetched for it; bin/test leaves it there when it cleans.
readonly parts=$home/target/vm
# A tree of packages that the guest sees over the root of the host.
readonly guest_tree=$parts/guest
readonly kernel=$parts/kernel
readonly initramfs=$parts/initramfs.gz
# Made last: newer than all that the parts are made from.
readonly ready=$parts/ready
