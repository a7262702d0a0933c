#!/bin/sh
# The server evaluates the box, GDAL the condition.
set -eu
ogr2ogr -f CSV -select id,status /vsistdout/ -oo PAGE_SIZE=1000 \
  "OAPIF:${SERVER:-http://localhost:3000}/ogc/${MAP:-pine-ridge}" assets.points \
  -spat -111.2 34 -111 34.1 -where "status <> 'operational' AND type IN ('water', 'road')"
