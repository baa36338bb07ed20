#!/bin/busybox sh
# Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
#
# The first process of the guest, in the initramfs. Puts together the root - over the root of the host
# the tree of the guest's packages, over both memory that takes all changes - and goes on there.

export PATH=/bin
/bin/busybox mkdir -p /proc /sys /dev /host /guest /memory /root
/bin/busybox --install -s /bin

fail() {
  echo "crail-vm: $1"
  poweroff -f
}

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do
  insmod "/modules/$module" || fail "cannot load $module"
done </order

# share TAG DIRECTORY OPTIONS: mounts what QEMU exports under that tag.
share() {
  mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,access=any,$3" "$1" "$2" ||
    fail "cannot mount $1"
}

# Nobody changes these two while the guest is up, so that it may keep what it has read.
share host /host ro,cache=loose
share guest /guest ro,cache=loose
mount -t tmpfs -o mode=755,size=75% memory /memory
mkdir /memory/changed /memory/work
mount -t overlay -o lowerdir=/guest:/host,upperdir=/memory/changed,workdir=/memory/work root /root ||
  fail 'cannot put together the root'

mount -t tmpfs -o mode=1777 tmp /root/tmp
mount -t tmpfs -o mode=755 run /root/run
for directory in proc sys dev; do
  mount --move "/$directory" "/root/$directory"
done
mkdir -p /root/dev/shm /root/dev/pts /root/run/vm /root/run/bed
mount -t tmpfs -o mode=1777 shm /root/dev/shm
mount -t devpts devpts /root/dev/pts
share bed /root/run/bed ro,cache=loose
# Written by both sides while it runs, hence nothing is kept of it.
share vm /root/run/vm cache=none
# The streams are opened inside: /dev is there now.
exec chroot /root /bin/bash -c 'exec /bin/bash /run/bed/guest/start.sh </dev/null >/dev/console 2>&1'
