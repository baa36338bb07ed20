#!/usr/bin/env bash
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
#
# Makes ready what the virtual machine of the tests boots from, below target/vm.
#
#   system-tests/vm/prepare.sh [--install]
#
#   --install  install missing packages by apt (done unasked when root)
#
# QEMU, cpio and kmod are installed. What only the guest uses - Debian's kernel, nvme-cli, fio, the tools
# for RDMA and what they need that the host does not have - is downloaded and unpacked: a kernel that is
# installed would bring udev, an initramfs and a newer systemd to the host. Nothing is done when all is
# there already. The status is 69 when something cannot be had; standard error says what.
set -euo pipefail
export LC_ALL=C.UTF-8
# Where depmod and modprobe are need not be on the path of who is not root.
PATH=$PATH:/usr/sbin:/sbin

home=$(readlink -f -- "${BASH_SOURCE[0]}")
home=${home%/system-tests/vm/*}
# shellcheck source=bin/lib/prerequisites.sh
source "$home/bin/lib/prerequisites.sh"
# shellcheck source=system-tests/vm/paths.sh
source "$home/system-tests/vm/paths.sh"

readonly kernel_package=linux-image-amd64
readonly guest_packages=(busybox-static kmod iproute2 e2fsprogs nvme-cli fio
  rdmacm-utils ibverbs-utils ibverbs-providers perftest)
# What the initramfs needs to reach the file systems of the host, of Debian's kernel all modules.
readonly boot_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)
readonly dpkg_status=/var/lib/dpkg/status

unavailable() {
  printf 'prepare.sh: %s\n' "$1" >&2
  exit "$EX_UNAVAILABLE"
}

is_ready() {
  local source
  [[ -e $ready ]] || return 1
  # What the host has decides about what the guest is given.
  for source in "$dpkg_status" "$bed/prepare.sh" "$bed/guest/init.sh"; do
    [[ $ready -nt $source ]] || return 1
  done
}

# Prints name=version of each package to unpack: the kernel that the distribution has now, and of the
# others with all they depend on those that the host lacks.
choose_packages() {
  local image
  image=$(apt-cache depends --important "$kernel_package" |
    awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { print $2; exit }')
  [[ -n $image ]] || return 1
  apt-cache show --no-all-versions "$image" |
    awk -v name="$image" '$1 == "Version:" { print name "=" $2; exit }'
  apt-get install --simulate --no-install-recommends --no-upgrade "${guest_packages[@]}" |
    sed -n 's/^Inst \([^ ]*\) \(\[[^]]*\] \)\?(\([^ ]*\) .*/\1=\3/p'
}

# Fetches and unpacks what choose_packages says, unless that is what is there.
unpack_packages() {
  local chosen fetched=$parts/packages file link
  chosen=$(choose_packages) || unavailable "apt knows no $kernel_package, or one of ${guest_packages[*]}"
  if [[ -e $parts/chosen && $(<"$parts/chosen") == "$chosen" ]]; then
    return 0
  fi
  printf 'unpacking for the guest: %s\n' "${chosen//$'\n'/ }" >&2
  rm -rf -- "$parts/chosen" "$fetched" "$guest_tree"
  mkdir -p -- "$fetched" "$guest_tree/usr"
  # shellcheck disable=SC2086  # one word each
  download_packages "$install" "$fetched" $chosen || unavailable "could not download ${chosen//$'\n'/ }"
  # Where the host has /lib as a link into /usr, a directory of that name would hide it.
  for link in bin sbin lib lib64; do
    if [[ -L /$link ]]; then
      mkdir -p -- "$guest_tree/usr/$link"
      ln -s "usr/$link" "$guest_tree/$link"
    fi
  done
  for file in "$fetched"/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -x --keep-directory-symlink -C "$guest_tree"
  done
  rm -rf -- "$fetched"
  printf '%s\n' "$chosen" >"$parts/chosen"
}

# make_initramfs VERSION: a static busybox, the modules in the order of loading, and init.sh.
make_initramfs() {
  local version=$1 tree=$parts/initramfs module file name busybox=/bin/busybox
  [[ -x $guest_tree$busybox ]] && busybox=$guest_tree$busybox
  rm -rf -- "$tree"
  mkdir -p -- "$tree/bin" "$tree/modules"
  cp -- "$busybox" "$tree/bin/busybox"
  install -m 755 -- "$bed/guest/init.sh" "$tree/init"
  for module in "${boot_modules[@]}"; do
    modprobe --dirname "$guest_tree" --set-version "$version" --show-depends "$module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$tree/paths"
  while IFS= read -r file; do
    name=${file##*/}
    name=${name%%.ko*}.ko
    case $file in
      *.xz) xz -dc -- "$file" >"$tree/modules/$name" ;;
      *.zst) zstd -qdc -- "$file" >"$tree/modules/$name" ;;
      *) cp -- "$file" "$tree/modules/$name" ;;
    esac
    printf '%s\n' "$name"
  done <"$tree/paths" >"$tree/order"
  rm -- "$tree/paths"
  (cd -- "$tree" && find . | cpio --create --format=newc --owner=0:0 --quiet | gzip -1) >"$initramfs"
  rm -rf -- "$tree"
}

main() {
  local image version
  install=no
  case ${1-} in
    '') ;;
    --install) install=yes ;;
    *)
      printf 'usage: system-tests/vm/prepare.sh [--install]\n' >&2
      exit 64
      ;;
  esac
  require "$install" qemu-system-x86 cpio kmod
  mkdir -p -- "$parts"
  # One at a time; who waited finds all done.
  exec {lock}>"$parts/lock"
  flock --wait 600 "$lock" || unavailable "another one has been preparing $parts for ten minutes"
  if is_ready; then
    return 0
  fi
  rm -f -- "$ready"
  [[ $(uname -m) == x86_64 ]] || unavailable "the guest is made of packages for x86_64, and this is $(uname -m)"
  command -v apt-get dpkg-deb >/dev/null ||
    unavailable "the guest is made of Debian's packages, and there is no apt-get or no dpkg-deb"
  unpack_packages
  image=$(compgen -G "$guest_tree/boot/vmlinuz-*" | head -n 1)
  [[ -n $image ]] || unavailable "$kernel_package has no /boot/vmlinuz"
  version=${image##*/vmlinuz-}
  depmod --basedir "$guest_tree" "$version"
  ln -sfn -- "$image" "$kernel"
  make_initramfs "$version"
  touch -- "$ready"
}

main "$@"
