#!/bin/sh
# Backs up the database and the files of attachments, then removes old backups. Usage: backup.sh FOLDER
# Runs as the system user of the servers, with their variables.
set -eu
umask 077
folder=$(realpath "$1")
cd "$(dirname "$0")/../../.."
# Node.js 24, if npm ci has installed it in the folder.
export PATH="$PWD/node_modules/.bin:$PATH"
# npx would write to the home directory, and this user may have none.
node src/cli/obra.ts backup "$folder/obra-$(date +%F).backup"
files="${DATA_DIR:-data}/files"
# Without FILES_URL, the files are in a folder. A bucket has its own backup.
if [ -z "${FILES_URL:-}" ] && [ -d "$files" ]; then rsync --archive --exclude=incoming "$files/" "$folder/files/"; fi
# Only after a backup that succeeded: two weeks of nights, and a year of first nights of a month.
find "$folder" -maxdepth 1 -name 'obra-*.backup' ! -name 'obra-*-01.backup' -mtime +14 -delete
find "$folder" -maxdepth 1 -name 'obra-*-01.backup' -mtime +366 -delete
