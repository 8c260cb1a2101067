import { createHash } from "node:crypto";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import { areaRings } from "./area-mask.ts";
import { warpedBands } from "./composite-file.ts";
import { startGridJob, startNativeJob, type PixelJob } from "./grid-job.ts";
import type { GridRequest } from "./grid-renderer.ts";
import { sampleIndex } from "./index-file.ts";
import { sampleLayer } from "./result-layer.ts";
import { storedBands } from "./stored-bands.ts";

/** Digest of the decoded values of a map in a window. */
export interface PixelDigest {
  /** Lower-case hexadecimal SHA-256. */
  readonly sha256: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

interface DigestedLayer {
  readonly name: string;
  readonly values: Float32Array | Float64Array | Uint8Array;
  /** 0 without a value; null where `values` says so by NaN. */
  readonly mask: Uint8Array | null;
}

/**
 * The digest of all values of the window of a request, and of its objects: the same inputs give the same digest, in
 * whichever file or compression they are stored. Null when the map has no pixels there.
 *
 * @throws {BytesNeeded} when remote bytes have to be fetched before it can be called again
 */
export function pixelDigest(access: PixelAccess, request: GridRequest): PixelDigest | null {
  const { window, clip, raster } = request;
  const job =
    window.kind === "native"
      ? startNativeJob(access, request, window, clip === null ? null : areaRings(clip, raster))
      : startGridJob(access, request, window);
  if (job === null) return null;
  const { widthPx, heightPx } = job.frame.grid;
  const hash = createHash("sha256");
  for (const layer of layersOf(job)) {
    hash.update(`${layer.name}\n${widthPx} ${heightPx}\n`);
    hash.update(bytesOf(layer, job.coverage));
  }
  const objects = (request.result?.objects ?? []).map((object) => JSON.stringify(object)).toSorted();
  hash.update(objects.join("\n"));
  return { sha256: hash.digest("hex"), widthPx, heightPx };
}

function* layersOf(job: PixelJob): Iterable<DigestedLayer> {
  const { rendering, raster } = job.request;
  if (rendering.kind === "index") {
    const { values, mask } = sampleIndex(job, rendering);
    yield { name: rendering.index.shortName, values, mask };
  } else if (rendering.kind === "result") {
    for (const position of rendering.layers.keys()) {
      const sampled = sampleLayer(job, rendering, position);
      const { mask } = sampled;
      yield { name: sampled.layer.name, values: sampled.kind === "values" ? sampled.values : sampled.numbers, mask };
    }
  } else {
    const read = job.output.isExact === true ? storedBands(job) : warpedBands(job, [...raster.bands.keys()]);
    for (const { names, values } of read) yield { name: names[0] ?? "", values, mask: null };
  }
}

/** Values without data are zeros beside their mask: a NaN has many forms. */
function bytesOf({ values, mask }: DigestedLayer, coverage: Uint8Array): Uint8Array {
  const numbers = new Float64Array(values.length);
  const known = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (coverage[i]! < 128 || Number.isNaN(value) || mask?.[i] === 0) continue;
    numbers[i] = value;
    known[i] = 1;
  }
  return Buffer.concat([known, Buffer.from(numbers.buffer)]);
}
