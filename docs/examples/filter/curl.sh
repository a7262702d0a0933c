#!/bin/sh
set -eu
curl --fail --silent --show-error --get \
  "${SERVER:-http://localhost:3000}/ogc/${MAP:-pine-ridge}/collections/assets.points/items" \
  --data-urlencode "filter=status <> 'operational' AND type IN ('water', 'road')" \
  --data-urlencode 'bbox=-111.2,34,-111,34.1'
