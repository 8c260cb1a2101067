import assert from "node:assert/strict";
import { test } from "node:test";
import type { MapObject } from "./map-object.ts";
import { objectsCsv } from "./objects-csv.ts";

function object(id: string, className: string, properties: MapObject["properties"]): MapObject {
  const box = { west: 0, south: 0, east: 1, north: 1 };
  return {
    id,
    className,
    confidence: null,
    areaM2: null,
    lengthM: null,
    longitude: 1.5,
    latitude: -2,
    box,
    geometry: {},
    properties,
  };
}

test("each object is a row with the properties of all", () => {
  const csv = objectsCsv([
    object("a", "ship", { area: 5.25, corners: [1, 2] }),
    object("b", 'a "b", c', { lengthM: -3 }),
  ]);
  assert.equal(
    csv,
    'id,class,longitude,latitude,area,corners,lengthM\r\na,ship,1.5,-2,5.25,"[1,2]",\r\nb,"a ""b"", c",1.5,-2,,,-3\r\n',
  );
});

test("a text is never a formula of a spreadsheet", () => {
  for (const text of ["=1+1", "+1", "-1", "@A1", "\t=1"]) {
    assert.match(objectsCsv([object("a", text, {})]), /\r\na,'/, text);
  }
});
