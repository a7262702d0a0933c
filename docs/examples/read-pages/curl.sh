#!/bin/sh
# Each page of parcels becomes a file: parcels-1.geojson, parcels-2.geojson, ...
set -eu
next="${SERVER:-http://localhost:3000}/ogc/${MAP:-pine-ridge}/collections/parcels/items?limit=1000"
number=0
while [ -n "$next" ]; do
  number=$((number + 1))
  links=$(curl --fail --silent --show-error --output "parcels-$number.geojson" --write-out '%header{link}' "$next")
  next=$(echo "$links" | sed -n 's/.*<\([^<>]*\)>; rel="next".*/\1/p')
done
