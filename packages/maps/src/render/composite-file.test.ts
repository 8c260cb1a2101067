import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { WEB_MERCATOR_HALF_SIDE_M } from "@swath/kernel/crs/web-mercator";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { bodyOf, gridRequest, tileAt } from "./testing.ts";
import { LON, LAT, sharedScene, draw } from "./optical-scene-testing.ts";

test("SKI files hold the bands, their masks and where they are", async () => {
  const fixture = await sharedScene();
  const stored: StoredScene = {
    ...fixture.stored,
    scene: {
      ...fixture.stored.scene,
      bands: fixture.stored.raster.bands.map((_, i) => ({
        names: [
          ["Blue", "blue", "b"],
          ["Green", "green", "g"],
          ["Red", "red", "r"],
          ["NIR", "near-ir"],
        ][i],
        bitDepth: 16,
        gsd: 10,
        pixelSizeX: 10,
        pixelSizeY: -10,
        crsOriginX: 0,
        crsOriginY: 0,
        approximateResolutionX: 10,
        approximateResolutionY: 10,
      })),
    },
  };
  const window = { ...tileAt(LON, LAT, 13), sizePx: 256 };
  const files = untar(gunzipSync(bodyOf(await draw(fixture, gridRequest(stored, "imagery", "imagery.ski", window)))));
  assert.deepEqual(
    [...files.keys()],
    ["info.json", "00000.skb", "00001.skb", "00002.skb", "00003.skb", "00004.skb", "meta.json"],
  );
  const info = JSON.parse(new TextDecoder().decode(files.get("info.json"))) as unknown;
  assert.deepEqual(info, {
    bands: [
      { names: ["blue", "Blue", "b"] },
      { names: ["green", "Green", "g"] },
      { names: ["red", "Red", "r"] },
      { names: ["near-ir", "NIR"] },
      { names: ["__MASK__blue__", "__MASK__green__", "__MASK__red__", "__MASK__near-ir__"] },
    ],
    version: "400",
  });
  const meta = JSON.parse(new TextDecoder().decode(files.get("meta.json"))) as {
    readonly crsEpsg: number;
    readonly bands: readonly { readonly pixelSizeX: number }[];
  };
  assert.equal(meta.crsEpsg, 3857);
  assert.ok(Math.abs(meta.bands[0].pixelSizeX - (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** 13 / 256) < 1e-9);
  const band = decodeSkb(files.get("00002.skb")!);
  assert.deepEqual([band.type, band.columns, band.rows], [16, 256, 256]);
  const mask = decodeSkb(files.get("00004.skb")!);
  assert.equal(mask.type, 8);
  for (const [i, value] of band.pixels.entries()) assert.equal(value === 0, (mask.pixels[i] & 4) === 0);
});

/** Names and contents, read by the field positions of POSIX ustar. */
function untar(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (from: number, to: number): string =>
    new TextDecoder().decode(bytes.subarray(from, to)).replace(/\0.*$/s, "");
  for (let at = 0; bytes[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, at + 135), 8);
    assert.equal(text(at + 136, at + 147), "00000000000");
    files.set(text(at, at + 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

function decodeSkb(bytes: Uint8Array): {
  readonly type: number;
  readonly columns: number;
  readonly rows: number;
  readonly pixels: number[];
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [type, columns, rows] = [view.getUint16(0, true), view.getUint32(2, true), view.getUint32(6, true)];
  const pixels: number[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const difference = type === 16 ? view.getUint16(10 + 2 * i, true) : view.getUint8(10 + i);
    pixels.push((difference + (pixels[i - columns] ?? 0)) & (2 ** type - 1));
  }
  return { type, columns, rows, pixels };
}
