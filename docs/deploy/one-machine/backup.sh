#!/bin/sh
# Backs up the database and the files of attachments, then removes old backups. Usage: backup.sh FOLDER
# Runs in the folder of Obra, with the variables of the servers.
set -eu
umask 077
folder=$1
file="$folder/obra-$(date +%F).backup"
npx obra backup "$file"
files="${DATA_DIR:-data}/files"
# Without FILES_URL, the files are in a folder. A bucket has its own backup.
if [ -z "${FILES_URL:-}" ] && [ -d "$files" ]; then rsync --archive --exclude=incoming "$files/" "$folder/files/"; fi
# Only after a backup that succeeded: two weeks of nights, and a year of first nights of a month.
find "$folder" -maxdepth 1 -name 'obra-*.backup' ! -name 'obra-*-01.backup' -mtime +14 -delete
find "$folder" -maxdepth 1 -name 'obra-*-01.backup' -mtime +366 -delete
