import type { BandRole } from "@swath/kernel/bands/band-role";
import { encodePng } from "@swath/raster/encode/image";
import { fitPicture } from "@swath/raster/remote/fit-picture";
import type { PixelArray } from "@swath/raster/source-raster";
import type { CatalogueItem } from "./item-scene.ts";
import { openItem, type OpenItemDeps } from "./open-item.ts";

/** Images without overviews are read whole; larger ones are not. */
const MAX_PIXELS = 4_000_000;
/** Shares of the valid pixels that are drawn black and white. */
const STRETCH = [0.02, 0.98] as const;
const COLOURS: readonly BandRole[] = ["R", "G", "B"];
/** Pixels looked at to find the stretch. */
const SAMPLES = 65_536;

/** Pixels of one band of an overview; invalid ones are NaN. */
interface Plane {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
}

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
  const planes: Plane[] = [];
  for (const metadata of shownOf(opened.metadata.bands, ({ role }) => role)) {
    const raster = opened.rasters[metadata.raster]?.raster;
    if (raster === undefined || raster.widthPx * raster.heightPx > MAX_PIXELS) return null;
    const { widthPx, heightPx } = raster;
    const pixels = (await raster.readRows(0, heightPx, signal))[metadata.band];
    const mask = await raster.readMask(0, heightPx, signal);
    if (pixels === undefined) return null;
    const nodata = metadata.nodata ?? raster.bands[metadata.band]?.nodata ?? null;
    planes.push({ widthPx, heightPx, values: validValues(pixels, mask, nodata) });
  }
  const [first] = planes;
  const isAligned = planes.every(({ widthPx, heightPx }) => widthPx === first?.widthPx && heightPx === first.heightPx);
  if (first === undefined || !isAligned) return null;
  const png = await encodePng({ ...first, data: coloured(planes) });
  return await fitPicture(png, sidePx, item.itemId);
}

/** Red, green and blue, or the first band. */
function shownOf<Band>(bands: readonly Band[], roleOf: (band: Band) => BandRole | null): readonly Band[] {
  const colours = COLOURS.flatMap((role) => bands.find((band) => roleOf(band) === role) ?? []);
  return colours.length === COLOURS.length ? colours : bands.slice(0, 1);
}

function validValues(pixels: PixelArray, mask: Uint8Array | null, nodata: number | null): Float32Array {
  return Float32Array.from(pixels, (value, i) => (value === nodata || mask?.[i] === 0 ? Number.NaN : value));
}

/** One stretch for all bands, so that colours stay true. */
function coloured(planes: readonly Plane[]): Uint8Array {
  const [black, white] = stretchOf(planes);
  const count = planes[0]?.values.length ?? 0;
  const data = new Uint8Array(count * 4);
  for (let i = 0; i < count; i += 1) {
    let isValid = true;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = (planes[channel] ?? planes[0])?.values[i] ?? Number.NaN;
      if (!Number.isFinite(value)) isValid = false;
      else data[i * 4 + channel] = Math.round(255 * Math.min(Math.max((value - black) / (white - black), 0), 1));
    }
    if (isValid) data[i * 4 + 3] = 255;
    else data.fill(0, i * 4, i * 4 + 4);
  }
  return data;
}

function stretchOf(planes: readonly Plane[]): readonly [black: number, white: number] {
  const sampled: number[] = [];
  for (const { values } of planes) {
    const step = Math.max(1, Math.ceil((values.length * planes.length) / SAMPLES));
    for (let i = 0; i < values.length; i += step) {
      const value = values[i] ?? Number.NaN;
      if (Number.isFinite(value)) sampled.push(value);
    }
  }
  const sorted = Float64Array.from(sampled).toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [black, white] = [at(STRETCH[0]), at(STRETCH[1])];
  return white > black ? [black, white] : [black, black + 1];
}
