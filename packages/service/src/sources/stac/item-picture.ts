import { giveWay, isUsedUp, loopShare, type LoopShare } from "@swath/base/concurrency/loop-share";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { encodePng } from "@swath/raster/encode/image";
import { fitPicture } from "@swath/raster/remote/fit-picture";
import type { PixelArray } from "@swath/raster/source-raster";
import { drawPlanes, type Plane } from "./draw-planes.ts";
import type { CatalogueItem } from "./item-scene.ts";
import { openItem, type OpenItemDeps } from "./open-item.ts";

/** Images without overviews are read whole; larger ones are not. */
const MAX_PIXELS = 4_000_000;
const COLOURS: readonly BandRole[] = ["R", "G", "B"];
/** Pixels between two looks at the clock. */
const STEP_PX = 65_536;

/**
 * A picture of an item from the overviews of its files: red, green and blue where it has them, else its first band
 * in grey. Null when that takes too many pixels, or the bands do not lie on each other.
 *
 * @throws {ServiceError} what `openItem` throws
 */
export async function pictureOfItem(
  item: CatalogueItem,
  sidePx: number,
  deps: OpenItemDeps,
  signal: AbortSignal,
): Promise<{ readonly mediaType: string; readonly body: Uint8Array } | null> {
  const { selection } = item;
  const shown = shownOf(selection.bands, ({ naming }) => naming.role);
  const files = [...new Set(shown.map(({ file }) => file))];
  if (files.length === 0) return null;
  // Of the files that are needed all bands: lists that are complete are checked against the files.
  const part = {
    ...selection,
    files: files.flatMap((index) => selection.files[index] ?? []),
    bands: selection.bands
      .filter(({ file }) => files.includes(file))
      .map((band) => ({ ...band, file: files.indexOf(band.file) })),
  };
  await using opened = await openItem({ ...item, selection: part }, null, deps, signal, sidePx);
  const share = loopShare();
  const planes: Plane[] = [];
  for (const metadata of shownOf(opened.metadata.bands, ({ role }) => role)) {
    const raster = opened.rasters[metadata.raster]?.raster;
    if (raster === undefined || raster.widthPx * raster.heightPx > MAX_PIXELS) return null;
    const { widthPx, heightPx } = raster;
    const pixels = (await raster.readRows(0, heightPx, signal))[metadata.band];
    const mask = await raster.readMask(0, heightPx, signal);
    if (pixels === undefined) return null;
    const nodata = metadata.nodata ?? raster.bands[metadata.band]?.nodata ?? null;
    planes.push({ widthPx, heightPx, values: await validValues(pixels, mask, nodata, share) });
  }
  const [first] = planes;
  const isAligned = planes.every(({ widthPx, heightPx }) => widthPx === first?.widthPx && heightPx === first.heightPx);
  if (first === undefined || !isAligned) return null;
  const png = await encodePng({ ...first, data: await drawPlanes(planes, share) });
  return await fitPicture(png, sidePx, item.itemId);
}

/** Red, green and blue, or the first band. */
function shownOf<Band>(bands: readonly Band[], roleOf: (band: Band) => BandRole | null): readonly Band[] {
  const colours = COLOURS.flatMap((role) => bands.find((band) => roleOf(band) === role) ?? []);
  return colours.length === COLOURS.length ? colours : bands.slice(0, 1);
}

async function validValues(
  pixels: PixelArray,
  mask: Uint8Array | null,
  nodata: number | null,
  share: LoopShare,
): Promise<Float32Array> {
  const values = Float32Array.from(pixels);
  for (let start = 0; start < values.length; start += STEP_PX) {
    if (isUsedUp(share)) await giveWay(share);
    const end = Math.min(start + STEP_PX, values.length);
    for (let i = start; i < end; i += 1) if (pixels[i] === nodata || mask?.[i] === 0) values[i] = Number.NaN;
  }
  return values;
}
