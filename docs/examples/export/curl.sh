#!/bin/sh
# Under the name that the server gives it.
set -eu
curl --fail --silent --show-error --remote-name --remote-header-name --header "Authorization: Bearer $TOKEN" \
  "${SERVER:-http://localhost:3000}/api/maps/${MAP:-pine-ridge}/export?format=csv&kind=parcel&columns=id,name,owner,area&sort=name"
