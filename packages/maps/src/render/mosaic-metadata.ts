import { tracePixels } from "./class-polygons.ts";
import { binaryCoverage, maskedAreaM2, onPlane, type PixelJob } from "./grid-job.ts";
import type { MosaicSampler } from "./mosaic-sampler.ts";

/** Speckle between scenes of equal quality makes regions without number; the largest of them count. */
const MAX_SEAMLINES = 5000;

/**
 * The members of metadata.json that describe a mosaic: its scenes and, where each pixel comes from one scene, the area
 * of each and the seamlines as GeoJSON.
 */
export function mosaicMetadata(job: PixelJob, sampler: MosaicSampler): Readonly<Record<string, unknown>> {
  const plane = onPlane(job);
  const { mosaic } = job.request;
  const members = mosaic?.members ?? [];
  const { choice } = sampler;
  const shown = choice?.slice() ?? null;
  if (shown !== null) {
    const inArea = binaryCoverage(job.coverage);
    for (let i = 0; i < shown.length; i++) if (inArea[i] === 0) shown[i] = 0;
  }
  return {
    rule: mosaic?.rule,
    ...(mosaic?.score == null ? {} : { index: mosaic.score.id }),
    scenes: members.map(({ scene, clearSky }, index) => ({
      sceneId: scene.sceneId,
      datetime: scene.datetime,
      cloudCover: scene.cloudCover ?? null,
      cloudsMasked: clearSky !== null,
      ...(shown === null ? {} : { areaM2: Number(maskedAreaM2(plane.grid, pixelsOf(shown, index + 1)).toFixed(1)) }),
    })),
    seamlines: shown === null ? null : seamlines(plane.grid, shown, members),
  };
}

function pixelsOf(shown: Uint8Array, number: number): Uint8Array {
  return shown.map((one) => (one === number ? 255 : 0));
}

function seamlines(
  grid: Parameters<typeof tracePixels>[0],
  shown: Uint8Array,
  members: readonly { readonly scene: { readonly sceneId: string } }[],
): unknown {
  const classes = members.map(({ scene }, index) => ({ name: scene.sceneId, value: index + 1 }));
  return {
    type: "FeatureCollection",
    features: tracePixels(grid, shown, classes, MAX_SEAMLINES).map(({ className, areaM2, rings }) => ({
      type: "Feature",
      geometry: { type: "Polygon", coordinates: rings },
      properties: { sceneId: className, areaM2 },
    })),
  };
}
