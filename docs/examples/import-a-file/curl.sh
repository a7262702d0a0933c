#!/bin/sh
# sh curl.sh hydrants.csv
set -eu
file=${1:-hydrants.csv}
id=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
drafts="${SERVER:-http://localhost:3000}/api/maps/${MAP:-pine-ridge}/import-drafts"
# curl reads the token from its configuration: other users of the machine could read arguments.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl --config - --fail-with-body --silent --show-error "$@"
}
send() { ask --header 'Content-Type: application/json' --output /dev/null "$@"; }

# Waits until the server has finished a step.
await() {
  while
    draft=$(ask "$drafts/$id")
    state=$(echo "$draft" | sed 's/.*"state":"\([a-z]*\)".*/\1/')
    [ "${state%ing}" != "$state" ]
  do sleep 0.5; done
  [ "$state" = "$1" ] || { echo "$draft" >&2; exit 1; }
}

send "$drafts" --data "{\"id\": \"$id\", \"files\": [{\"name\": \"$(basename "$file")\", \"size\": $(wc -c <"$file")}]}"
# Larger files are sent in pieces of up to 5 MB, each with its offset.
ask --output /dev/null --request PUT --header 'Content-Type: application/octet-stream' --data-binary "@$file" \
  "$drafts/$id/files/0?offset=0"
await examined
send --request PATCH "$drafts/$id/settings" \
  --data '{"kind": "asset", "type": "water", "columns": {"id": "Nr", "name": "Label"}}'
ask --output /dev/null --request POST "$drafts/$id/try"
await tried
ask --output /dev/null --request POST "$drafts/$id/import"
await imported
echo "$draft"
