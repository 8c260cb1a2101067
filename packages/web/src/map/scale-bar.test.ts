import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scaleBar } from "./scale-bar.ts";

test("a pixel of zoom 0 at the equator is 156,543 m", () => {
  const { metres, widthPx } = scaleBar({ latitude: 0, zoom: 0 });
  assert.equal(metres, 10_000_000);
  assert.ok(Math.abs(metres / widthPx - 156_543.03) < 0.01);
});

test("the bar is round, and between 48 and 120 pixels wide", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -85, max: 85, noNaN: true }),
      fc.double({ min: 0, max: 22, noNaN: true }),
      (latitude, zoom) => {
        const { metres, widthPx } = scaleBar({ latitude, zoom });
        assert.match(metres.toExponential(), /^[125]e/);
        assert.ok(widthPx >= 47.9 && widthPx <= 120.1, String(widthPx));
      },
    ),
    { endOnFailure: true },
  );
});
