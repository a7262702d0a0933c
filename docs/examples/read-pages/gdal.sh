#!/bin/sh
# All collections become the layers of a GeoPackage, then the parcels a table.
set -eu
map="OAPIF:${SERVER:-http://localhost:3000}/ogc/${MAP:-pine-ridge}"
ogr2ogr -oo PAGE_SIZE=1000 -overwrite map.gpkg "$map"
ogr2ogr -f CSV -select id,name /vsistdout/ map.gpkg parcels
