#!/usr/bin/env bash
# Runs a container image as docs/operating/containers.md says, and waits until it is healthy: scripts/try-image.sh <image>
set -euo pipefail

image=${1:?usage: scripts/try-image.sh <image>}
container=$(docker run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --volume /data "$image")
trap 'docker rm --force --volumes "$container" >/dev/null' EXIT

for _ in $(seq 60); do
  health=$(docker inspect --format '{{.State.Health.Status}}' "$container")
  [ "$health" = healthy ] && break
  sleep 2
done
if [ "$health" != healthy ]; then
  docker logs "$container"
  echo "The container is $health." >&2
  exit 1
fi
docker exec "$container" node /caseward/apps/server/dist/main.js admin backup /data/try.backup.gz
docker stop --timeout 30 "$container"
exit_code=$(docker inspect --format '{{.State.ExitCode}}' "$container")
[ "$exit_code" = 0 ] || { echo "The container ended with $exit_code." >&2; exit 1; }
echo "The image works."
