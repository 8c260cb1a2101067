import { drawText, textHeightPx, wrapText, type TextLines } from "@swath/raster/encode/text/draw-text";
import type { AnimationSize } from "@swath/raster/encode/animation/animation-format";
import type { FrameLayer } from "@swath/raster/encode/animation/compose-frame";

/** A date has ten characters. */
const LEAST_WIDTH_PX = 96;
/** From here on text has dots of two pixels. */
const LARGE_TEXT_PX = 384;
const MARGIN_PX = 4;
const INK = [255, 255, 255] as const;
const PALE_INK = [168, 178, 190] as const;

/** The longest label of a gap, whose lines all frames have room for. */
const LONGEST_LABEL = "no image between 0000-00-00 00:00 and 0000-00-00 00:00";

/** Places on each frame: the picture above, its label and the attributions below. */
export interface FrameLayout {
  readonly size: AnimationSize;
  readonly pictureLeftPx: number;
  readonly labelDotPx: number;
  readonly stripTopPx: number;
  readonly labelHeightPx: number;
  readonly attribution: TextLines;
}

export function layoutFrames(picture: AnimationSize, attributions: readonly string[]): FrameLayout {
  const widthPx = Math.max(picture.widthPx, LEAST_WIDTH_PX);
  const textWidthPx = widthPx - 2 * MARGIN_PX;
  const labelDotPx = widthPx >= LARGE_TEXT_PX ? 2 : 1;
  const labelHeightPx = textHeightPx(wrapText(LONGEST_LABEL, labelDotPx, textWidthPx));
  const attribution = wrapText(attributions.join("; "), 1, textWidthPx);
  return {
    size: { widthPx, heightPx: picture.heightPx + 2 * MARGIN_PX + labelHeightPx + textHeightPx(attribution) },
    pictureLeftPx: Math.floor((widthPx - picture.widthPx) / 2),
    labelDotPx,
    stripTopPx: picture.heightPx,
    labelHeightPx,
    attribution,
  };
}

/** The text below the picture of a frame. */
export function drawStrip(layout: FrameLayout, label: string): FrameLayer {
  const { size, stripTopPx, labelDotPx, labelHeightPx, attribution } = layout;
  const { widthPx } = size;
  const heightPx = size.heightPx - stripTopPx;
  const image = { data: new Uint8Array(4 * widthPx * heightPx), widthPx, heightPx };
  drawText(image, wrapText(label, labelDotPx, widthPx - 2 * MARGIN_PX), [MARGIN_PX, MARGIN_PX], INK);
  drawText(image, attribution, [MARGIN_PX, MARGIN_PX + labelHeightPx], PALE_INK);
  return { image, leftPx: 0, topPx: stripTopPx };
}
