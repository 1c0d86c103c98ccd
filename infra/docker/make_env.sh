#!/bin/sh
# Write .env from .env.example, with 192 random bits for each secret; a .env that is there is not touched.
set -euC
umask 077
cd "$(dirname "$0")/../.."

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

while IFS= read -r line; do
  case "$line" in
    '#'*) printf '%s\n' "$line" ;;
    *=) printf '%s%s\n' "$line" "$(random)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done < .env.example > .env
