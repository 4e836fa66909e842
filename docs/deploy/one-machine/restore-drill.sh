#!/bin/sh
# Restores the newest backup into an embedded database, starts a server on it, and checks the copies of files. Changes nothing else.
# Usage: restore-drill.sh FOLDER. Runs as a user who can read the folder. It needs no variables, and none of the production database.
set -eu
umask 077
folder=$(realpath "$1")
cd "$(dirname "$0")/../../.."
newest=$(find "$folder" -maxdepth 1 -name 'obra-*.backup' | sort | tail -n 1)
[ -n "$newest" ] || { echo "no backup in $folder" >&2; exit 1; }

trial=$(mktemp -d)
server=
finish () {
  [ -z "$server" ] || { kill "$server" && wait "$server" || true; }
  rm -rf "$trial"
}
trap finish EXIT
trap 'exit 130' INT TERM

# A server of the trial must not reach the bucket, the replicas or the Redis of production.
unset FILES_URL DATABASE_REPLICAS REDIS_URL METRICS_PORT JWT_SECRET JWT_SECRET_PREVIOUS
export NODE_ENV=development DATABASE_URL=embedded DATA_DIR="$trial/data" WEBHOOKS=off WORKERS=1 LOG_LEVEL=error
# Node.js 24, if npm ci has installed it in the folder.
export PATH="$PWD/node_modules/.bin:$PATH"
export HOST=127.0.0.1 PORT="${DRILL_PORT:-3999}"
# npx would write to the home directory, and this user may have none.
node src/cli/obra.ts restore "$newest"

# Not npm start: the process must be the one that the script ends.
node src/server.ts > "$trial/log" &
server=$!
address="http://127.0.0.1:$PORT"
tries=0
until curl --silent --fail --output "$trial/ready" "$address/health/ready/"; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo "the server is not ready after 60 s:" >&2; cat "$trial/log" >&2; exit 1; }
  sleep 1
done
echo "a server on the restored data is ready"

if [ -d "$folder/files" ]; then
  # The name of a file is the SHA-256 of its bytes.
  find "$folder/files" -type f | while IFS= read -r path; do echo "${path##*/}  $path"; done > "$trial/sums"
  sha256sum --check --quiet "$trial/sums"
  echo "$(wc -l < "$trial/sums") copies of files are complete"
fi
echo "drill passed: $newest"
