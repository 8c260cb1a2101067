import type { MultiPolygon } from "../geometry/geojson.ts";
import { WEB_MERCATOR_RADIUS_M } from "../crs/web-mercator.ts";

/** A north-up grid of square pixels in EPSG:3857. */
export interface MercatorGrid {
  /** EPSG:3857 coordinates of the top-left corner; x may lie beyond the antimeridian. */
  readonly originXM: number;
  readonly originYM: number;
  readonly pixelSizeM: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Samples per pixel side. */
const SAMPLES = 4;

/**
 * How much of each pixel a polygon covers, 0 to 255, from 4 x 4 samples per pixel; row-major.
 * Edges are straight in longitude/latitude: a sample row has one latitude, on which every crossing is exact.
 * Overlapping polygons count once, holes are left out, and a polygon is drawn wherever it appears 360 degrees away.
 */
export function polygonCoverage(polygon: MultiPolygon, grid: MercatorGrid): Uint8Array {
  const { widthPx, heightPx } = grid;
  const sampleRows = heightPx * SAMPLES;
  const crossings = collectCrossings(polygon, grid, sampleRows);
  const coverage = new Uint8Array(widthPx * heightPx);
  const counts = new Int32Array(widthPx + 1);
  for (let row = 0; row < heightPx; row++) {
    counts.fill(0);
    let touched = false;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const line = crossings[row * SAMPLES + sample];
      if (line === undefined) continue;
      touched = true;
      addSpans(line, widthPx, counts);
    }
    if (!touched) continue;
    let running = 0;
    const base = row * widthPx;
    for (let column = 0; column < widthPx; column++) {
      running += counts[column]!;
      coverage[base + column] = Math.round((running * 255) / (SAMPLES * SAMPLES));
    }
  }
  return coverage;
}

/** Where an edge crosses a sample row; `x` in samples from the left edge of the grid. */
interface Crossing {
  readonly x: number;
  readonly winding: number;
}

function collectCrossings(
  polygon: MultiPolygon,
  grid: MercatorGrid,
  sampleRows: number,
): readonly (Crossing[] | undefined)[] {
  const { originXM, originYM, pixelSizeM, widthPx } = grid;
  const lines: (Crossing[] | undefined)[] = Array.from({ length: sampleRows }, () => undefined);
  const sampleM = pixelSizeM / SAMPLES;
  const degreesPerMetre = 180 / (Math.PI * WEB_MERCATOR_RADIUS_M);
  const westDeg = originXM * degreesPerMetre;
  const samplesPerDegree = 1 / (sampleM * degreesPerMetre);
  const widthDeg = (widthPx * SAMPLES) / samplesPerDegree;
  const latitudes = new Float64Array(sampleRows);
  for (let i = 0; i < sampleRows; i++) {
    latitudes[i] = Math.atan(Math.sinh((originYM - (i + 0.5) * sampleM) / WEB_MERCATOR_RADIUS_M)) * (180 / Math.PI);
  }
  for (const rings of polygon.coordinates) {
    for (const [ringIndex, ring] of rings.entries()) {
      const sign = Math.sign(shoelace(ring)) * (ringIndex === 0 ? 1 : -1);
      let [minLon, maxLon] = [Infinity, -Infinity];
      for (const position of ring) {
        minLon = Math.min(minLon, position[0]);
        maxLon = Math.max(maxLon, position[0]);
      }
      for (const shift of [-360, 0, 360]) {
        if (maxLon + shift <= westDeg || minLon + shift >= westDeg + widthDeg) continue;
        for (let i = 0; i + 1 < ring.length; i++) {
          const [lonA, latA] = ring[i]!;
          const [lonB, latB] = ring[i + 1]!;
          if (latA === latB) continue;
          const winding = latB < latA ? sign : -sign;
          // Rows run north to south: half-open, a latitude equal to the lower end belongs to the edge.
          const first = firstRowBelow(latitudes, Math.max(latA, latB));
          const last = firstRowBelow(latitudes, Math.min(latA, latB));
          for (let row = first; row < last; row++) {
            const lon = lonA + ((latitudes[row]! - latA) / (latB - latA)) * (lonB - lonA);
            (lines[row] ??= []).push({ x: (lon + shift - westDeg) * samplesPerDegree, winding });
          }
        }
      }
    }
  }
  return lines;
}

/** Index of the first sample row whose latitude is below `latDeg`; rows descend. */
function firstRowBelow(latitudes: Float64Array, latDeg: number): number {
  let low = 0;
  let high = latitudes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latitudes[middle]! < latDeg) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Twice the planar area, positive for counter-clockwise rings. */
function shoelace(ring: MultiPolygon["coordinates"][number][number]): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    sum += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  }
  return sum;
}

function addSpans(line: Crossing[], widthPx: number, counts: Int32Array): void {
  line.sort((a, b) => a.x - b.x);
  const limit = widthPx * SAMPLES;
  let winding = 0;
  let start = 0;
  for (const crossing of line) {
    const before = winding;
    winding += crossing.winding;
    if (before === 0 && winding !== 0) start = crossing.x;
    else if (before !== 0 && winding === 0) {
      // Samples whose centres lie in [start, x).
      const first = Math.min(Math.max(Math.ceil(start - 0.5), 0), limit);
      const last = Math.min(Math.max(Math.ceil(crossing.x - 0.5), 0), limit);
      if (last > first) addSpan(first, last, counts);
    }
  }
}

/** Adds samples [first, last) as differences, so that a running sum gives the samples of each pixel. */
function addSpan(first: number, last: number, counts: Int32Array): void {
  const firstPixel = Math.floor(first / SAMPLES);
  const lastPixel = Math.floor(last / SAMPLES);
  const head = first - firstPixel * SAMPLES;
  const tail = last - lastPixel * SAMPLES;
  // Every pixel from firstPixel on gets 4 samples, less those before `first`; from lastPixel on none, plus the tail.
  counts[firstPixel]! += SAMPLES - head;
  if (firstPixel + 1 < counts.length) counts[firstPixel + 1]! += head;
  counts[lastPixel]! -= SAMPLES - tail;
  if (lastPixel + 1 < counts.length) counts[lastPixel + 1]! -= tail;
}
