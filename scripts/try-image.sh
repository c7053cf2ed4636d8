#!/usr/bin/env bash
# Runs a container image as docs/operating/containers.md says, and waits until it is healthy:
#
#   [ENGINE=podman] scripts/try-image.sh <image>
set -euo pipefail

image=${1:?usage: scripts/try-image.sh <image>}
engine=${ENGINE:-docker}
container=$("$engine" run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --volume /data "$image")
trap '"$engine" rm --force --volumes "$container" >/dev/null' EXIT

for _ in $(seq 60); do
  # Podman checks the health by timers of systemd, which not every machine has.
  if [ "$engine" = podman ]; then podman healthcheck run "$container" >/dev/null || true; fi
  health=$("$engine" inspect --format '{{.State.Health.Status}}' "$container")
  [ "$health" = healthy ] && break
  sleep 2
done
if [ "$health" != healthy ]; then
  "$engine" logs "$container"
  echo "The container is $health." >&2
  exit 1
fi
"$engine" exec "$container" node /caseward/apps/server/dist/main.js admin backup /data/try.backup.gz
"$engine" stop -t 30 "$container"
exit_code=$("$engine" inspect --format '{{.State.ExitCode}}' "$container")
[ "$exit_code" = 0 ] || { echo "The container ended with $exit_code." >&2; exit 1; }
echo "The image works."
