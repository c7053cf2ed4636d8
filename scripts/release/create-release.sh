#!/usr/bin/env bash
# Creates the release on GitHub, or completes one that failed: scripts/release/create-release.sh <tag> <directory>
# The directory is what scripts/release-files.mjs writes. With DRY_RUN=1, only the checksums are checked.
set -euo pipefail

tag=${1:?usage: create-release.sh <tag> <directory>}
directory=${2:?usage: create-release.sh <tag> <directory>}
(cd "$directory/files" && sha256sum --check --strict --quiet SHA256SUMS)

arguments=(--title "$tag" --notes-file "$directory/notes.md")
# v1.2.0-beta.1
if [[ $tag == *-* ]]; then arguments+=(--prerelease); fi
if [ "${DRY_RUN:-}" = 1 ]; then
  echo "gh release create $tag --verify-tag ${arguments[*]}"
  ls "$directory/files"
  exit 0
fi

gh release view "$tag" >/dev/null 2>&1 || gh release create "$tag" --verify-tag --draft "${arguments[@]}"
gh release upload "$tag" "$directory"/files/* --clobber
# Published only when all files are there.
gh release edit "$tag" --draft=false
