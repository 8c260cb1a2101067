import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { animatedGif } from "./animated-gif.ts";
import { animatedWebp } from "./animated-webp.ts";
import type { AnimationFormat } from "./animation-format.ts";
import { composeFrame, type FrameEncoding } from "./compose-frame.ts";

const SIZE = { widthPx: 37, heightPx: 21 };
const COLORS = ["#ff0000", "#00ff00", "#0000ff"] as const;

async function animationOf(format: AnimationFormat, encoding: FrameEncoding): Promise<Buffer> {
  const frames: Uint8Array[] = [];
  for (const color of COLORS) {
    const picture = await composeFrame(SIZE, [], color, encoding);
    frames.push(format.frame({ picture, durationMs: 340 }, SIZE));
  }
  const body = Buffer.concat(frames);
  return Buffer.concat([format.start(SIZE, body.byteLength), body, format.end]);
}

for (const [format, encoding] of [
  [animatedGif, "gif"],
  [animatedWebp, "webp-picture"],
  [animatedWebp, "webp-drawing"],
] as const) {
  test(`libvips reads every frame, duration and colour of ${format.mediaType} with frames of ${encoding}`, async () => {
    const file = await animationOf(format, encoding);
    const { pages, delay, loop, width, pageHeight } = await sharp(file, { animated: true }).metadata();
    assert.deepEqual([pages, loop, width, pageHeight], [3, 0, SIZE.widthPx, SIZE.heightPx]);
    assert.deepEqual(delay, [340, 340, 340]);
    for (const [page, color] of COLORS.entries()) {
      const { data } = await sharp(file, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const [red = 0, green = 0, blue = 0] = data;
      const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      for (const [i, got] of [red, green, blue].entries())
        assert.ok(Math.abs(got - wanted[i]!) <= 12, `${color} ${got}`);
    }
  });
}

test("a still WebP with metadata gives its pixels only", async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808080" } })
    .withExif({ IFD0: { Copyright: "nobody" } })
    .webp()
    .toBuffer();
  assert.ok(picture.includes("EXIF"));
  const frame = Buffer.from(animatedWebp.frame({ picture, durationMs: 100 }, { widthPx: 8, heightPx: 8 }));
  assert.equal(frame.includes("EXIF"), false);
  assert.equal(frame.subarray(0, 4).toString(), "ANMF");
});

test("bytes of another format, and pictures that end early, are refused", async () => {
  const gif = await composeFrame(SIZE, [], "#123456", "gif");
  const frame = (format: AnimationFormat, picture: Uint8Array): (() => unknown) => {
    return () => format.frame({ picture, durationMs: 100 }, SIZE);
  };
  assert.throws(frame(animatedWebp, gif), /must be a WebP/);
  assert.throws(frame(animatedGif, Buffer.from("RIFFxxxxWEBP")), /must be a GIF/);
  assert.throws(frame(animatedGif, gif.slice(0, -20)), /ends early/);
});
