#!/bin/sh
# Reads a service with GDAL into the folder of the call: scenes as features, a band of a scene, a map as a picture.
# SWATH_URL, SWATH_TOKEN, COLLECTION, SCENE, ASSET and MAP_ID name what is read.
set -eu

export GDAL_HTTP_HEADERS="Authorization: Bearer $SWATH_TOKEN"
# The service has no side files of a GeoTIFF: without this line GDAL looks for them.
export GDAL_DISABLE_READDIR_ON_OPEN=EMPTY_DIR

# Outlines and properties of all scenes of a collection, by OGC API Features.
ogr2ogr -overwrite scenes.gpkg "OAPIF:$SWATH_URL/stac" "$COLLECTION"

# A band of a scene, by its item: only the blocks of the window are read.
gdal_translate -q -srcwin 0 0 128 128 \
  "STACIT:\"$SWATH_URL/stac/search?collections=$COLLECTION&ids=$SCENE\":asset=$ASSET" band.tif

# A map, by WMTS. The map ID is the right to read it: no token is needed.
unset GDAL_HTTP_HEADERS
gdal_translate -q -of PNG -outsize 600 0 "WMTS:$SWATH_URL/mapsvc/map/$MAP_ID/wmts.xml" map.png
