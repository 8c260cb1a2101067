import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { uploadName } from "./upload-name.ts";

test("the name of a file becomes one that the service takes", () => {
  assert.deepEqual(uploadName("Häfen 2024-06-30.TIF"), { filename: "hafen-2024-06-30", uploadSuffix: ".geotiff" });
  assert.deepEqual(uploadName("S2_T33UUP.zip"), { filename: "s2_t33uup", uploadSuffix: ".zip" });
  assert.deepEqual(uploadName("雪.tiff"), { filename: "file", uploadSuffix: ".geotiff" });
});

test("a file that is no imagery has no name", () => {
  for (const name of ["notes.txt", "tif", "scene.tif.exe", "", "a.constructor"]) assert.equal(uploadName(name), null);
});

test("any name of a GeoTIFF meets the rule of the service", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (stem) => {
      assert.match(uploadName(`${stem}.tif`)?.filename ?? "", /^[a-z0-9_-]{1,128}$/);
    }),
    { endOnFailure: true },
  );
});
