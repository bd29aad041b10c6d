#!/usr/bin/env bash
# Runs the everyday requests of docs/everyday.txt, one after the other on one fresh data folder, and prints the transcript.
#   npm run build && scripts/everyday.sh [--model MODEL] > transcript.txt
set -u
root="$(cd "$(dirname "$0")/.." && pwd)"
data="$(mktemp -d)"
trap 'rm -rf "$data"' EXIT
while IFS= read -r request; do
  [ -n "$request" ] || continue
  printf '> %s\n' "$request"
  node "$root/dist/cli/main.js" --data "$data" "$@" "$request" </dev/null 2>&1
  printf '\n'
done <"$root/docs/everyday.txt"
