#!/bin/sh
# The hub starts this as root, in a mount namespace of its own (unshare --mount). It shuts a student's server into the student's
# account, folders and limits, and becomes that server: no way back to root (--no-new-privs), nothing in common with another
# student that could be filled or read (/tmp lies on the student's own disk, shared memory is small).
set -eu
account=$1 process_memory=$2 processes=$3
shift 3
student="setpriv --reuid=$account --regid=$account --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all"
$student mkdir -p "$HOME/.tmp"
mount --bind "$HOME/.tmp" /tmp
mount --bind "$HOME/.tmp" /var/tmp
mount -t tmpfs -o size=32m,mode=1777,nosuid,nodev tmpfs /dev/shm
cd "$HOME"
umask 077
exec nice -n 5 prlimit --data="$process_memory" --nproc="$processes" --core=0 $student "$@"
