import assert from "node:assert/strict";
import { test } from "node:test";
import { areaFileKind, areaTextKind } from "./area-file-kind.ts";

test("the name of a file tells its kind", () => {
  assert.equal(areaFileKind("Fields.GeoJSON"), "geojson");
  assert.equal(areaFileKind("a.b.shz"), "archive");
  assert.equal(areaFileKind("tour.gpx"), "gpx");
  for (const name of ["scene.tif", "scene.zip", "toString", "a.constructor", ""])
    assert.equal(areaFileKind(name), null);
});

test("the start of a text tells its kind", () => {
  assert.equal(areaTextKind(' {"type":"Point"}'), "geojson");
  assert.equal(areaTextKind("SRID=4326;MULTIPOLYGON(((0 0,1 0,1 1,0 0)))"), "wkt");
  assert.equal(areaTextKind("polygon((0 0,1 0,1 1,0 0))"), "wkt");
  assert.equal(areaTextKind('<?xml version="1.0"?><gpx version="1.1">'), "gpx");
  assert.equal(areaTextKind("<kml>"), "kml");
  for (const text of ["", "15, 0, 16, 1", "polygons", "Auckland"]) assert.equal(areaTextKind(text), null);
});
