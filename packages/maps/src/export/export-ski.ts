import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import type { SkiBand } from "@swath/kernel/ski/ski-file";
import { asSkiPixels, lowerCaseFirst, quantized, type Quantized } from "@swath/raster/encode/ski-pixels";
import { encodeSki } from "@swath/raster/encode/ski";
import type { ExportJob } from "./export-job.ts";
import type { ExportPlane } from "./export-planes.ts";

/** The image as a SKI file: every band in its own size, mask bands for each size, the scene object as meta.json. */
export function exportSki(job: ExportJob, planes: readonly ExportPlane[]): Promise<Uint8Array> {
  const bands: SkiBand[] = [];
  const steps: (Pick<Quantized, "scale" | "offset"> | null)[] = [];
  for (const { names, widthPx, heightPx, pixels, valid } of planes) {
    const ordered = lowerCaseFirst(names);
    const plain = asSkiPixels(pixels);
    if (plain === null) {
      const { pixels: levels, scale, offset } = quantized(pixels, validRange(pixels, valid));
      bands.push({ names: ordered, widthPx, heightPx, pixels: levels });
      steps.push({ scale, offset });
    } else {
      bands.push({ names: ordered, widthPx, heightPx, pixels: plain });
      steps.push(null);
    }
  }
  const masks = [...sameSize(planes)].flatMap((positions) => {
    const { widthPx, heightPx } = planes[positions[0]!]!;
    return skiMaskBands(
      positions.map((position) => bands[position]!.names[0] ?? ""),
      positions.map((position) => planes[position]!.mask),
      widthPx,
      heightPx,
    );
  });
  const meta = {
    ...job.meta,
    bands: job.meta.bands.map((band, i) => ({ ...band, names: lowerCaseFirst(band.names), ...steps[i] })),
  };
  return encodeSki({ bands: [...bands, ...masks], version: job.version, meta });
}

/** Positions of planes by size, in their order. */
function sameSize(planes: readonly ExportPlane[]): Iterable<readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [position, { widthPx, heightPx }] of planes.entries()) {
    const key = `${widthPx} ${heightPx}`;
    groups.set(key, [...(groups.get(key) ?? []), position]);
  }
  return groups.values();
}

function validRange(values: ArrayLike<number>, valid: Uint8Array): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (valid[i] === 0) continue;
    min = Math.min(min, values[i]!);
    max = Math.max(max, values[i]!);
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}
