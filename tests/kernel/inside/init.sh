#!/bin/sh
# The first process of the test kernel. The kernel's root is this machine's, read-only; a layer in
# memory makes it writable. The kernel's command line sets SHARED, a folder of this machine to write
# results into, and MAIN, the program to start, with the interpreter PYTHON.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

mount -t tmpfs tmpfs /mnt
mkdir /mnt/layer /mnt/work /mnt/root
mount -t overlay -o lowerdir=/,upperdir=/mnt/layer,workdir=/mnt/work overlay /mnt/root
cd /mnt/root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t configfs configfs sys/kernel/config
mount -t devtmpfs devtmpfs dev
mkdir -p dev/pts dev/shm
mount -t devpts devpts dev/pts
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs tmpfs run
mkdir run/shared
mount -t hostfs -o "$SHARED" none run/shared
exec chroot . "$PYTHON" -P "$MAIN"
