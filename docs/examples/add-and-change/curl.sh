#!/bin/sh
set -eu
items="${SERVER:-http://localhost:3000}/ogc/${MAP:-pine-ridge}/collections/assets.points/items"
# curl reads the token from its configuration: other users of the machine could read arguments.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl --config - --fail-with-body --silent --show-error "$@"
}

added=$(ask "$items" --header 'Content-Type: application/geo+json' --output /dev/null --write-out '%header{location} %header{etag}' --data '{
  "type": "Feature",
  "geometry": { "type": "Point", "coordinates": [-111.09, 34.05] },
  "properties": { "name": "Well 7", "type": "water", "status": "operational" }
}')
address=${added% *}
etag=${added#* }

ask "$address" --request PATCH --header 'Content-Type: application/merge-patch+json' --header "If-Match: $etag" \
  --data '{ "properties": { "status": "offline" } }'
