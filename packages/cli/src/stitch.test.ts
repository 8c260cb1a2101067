import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { createCanvas, cropTransparent, encodePng, placeTile } from "./stitch.ts";

/** A 4 x 4 tile of one colour, encoded by an independent encoder. */
async function tile(red: number, green: number, blue: number, alpha: number): Promise<Uint8Array> {
  return await sharp({
    create: { width: 4, height: 4, channels: 4, background: { r: red, g: green, b: blue, alpha: alpha / 255 } },
  })
    .png()
    .toBuffer();
}

test("tiles land at their places with alpha kept", async () => {
  const canvas = createCanvas(8, 4);
  await placeTile(canvas, await tile(200, 100, 50, 255), 0, 0);
  await placeTile(canvas, await tile(10, 20, 30, 128), 4, 0);
  assert.deepEqual([...canvas.pixels.subarray(0, 4)], [200, 100, 50, 255]);
  assert.deepEqual([...canvas.pixels.subarray((3 * 8 + 7) * 4, (3 * 8 + 7) * 4 + 4)], [10, 20, 30, 128]);
});

test("grey tiles with alpha and WebP tiles are understood", async () => {
  const grey = await sharp(Buffer.from(Array.from({ length: 16 }, () => [77, 255]).flat()), {
    raw: { width: 4, height: 4, channels: 2 },
  })
    .png()
    .toBuffer();
  const webp = await sharp(await tile(200, 100, 50, 255))
    .webp({ lossless: true })
    .toBuffer();
  const canvas = createCanvas(8, 4);
  await placeTile(canvas, grey, 0, 0);
  await placeTile(canvas, webp, 4, 0);
  assert.deepEqual([...canvas.pixels.subarray(0, 4)], [77, 77, 77, 255]);
  assert.deepEqual([...canvas.pixels.subarray(16, 20)], [200, 100, 50, 255]);
});

test("a tile that leaves the picture is refused", async () => {
  await assert.rejects(placeTile(createCanvas(6, 4), await tile(0, 0, 0, 255), 4, 0), /leaves the picture/);
});

test("transparent margins are cut off and the encoded picture reads back", async () => {
  const canvas = createCanvas(12, 12);
  await placeTile(canvas, await tile(1, 2, 3, 255), 4, 8);
  const cropped = cropTransparent(canvas);
  assert.ok(cropped !== null);
  assert.deepEqual([cropped.widthPx, cropped.heightPx], [4, 4]);
  const { data, info } = await sharp(await encodePng(cropped))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [4, 4, 4]);
  assert.deepEqual([...data.subarray(0, 4)], [1, 2, 3, 255]);
  assert.equal(cropTransparent(createCanvas(3, 3)), null);
});
