import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import type { RgbaImage } from "@swath/raster/encode/image";
import { drawComposite } from "../render/composite-image.ts";
import type { OutputGrid } from "@swath/raster/sample/output-grid";
import { SceneSampler, type PixelAccess } from "@swath/raster/sample/scene-sampler";
import type { ExportJob } from "./export-job.ts";
import type { ExportPlane } from "./export-planes.ts";

/** The picture of the image on the grid of a plane, by the rules of truecolor.png; transparent where nothing is. */
export function exportPicture(access: PixelAccess, job: ExportJob, plane: ExportPlane): RgbaImage {
  const { widthPx, heightPx, geotransform } = plane;
  const output: OutputGrid = {
    widthPx,
    heightPx,
    area: { x: 0, y: 0, widthPx, heightPx },
    toCrs: (column, row) => applyAffine(geotransform, column, row),
    unitsPerPixelX: Math.abs(geotransform[0]),
    unitsPerPixelY: Math.abs(geotransform[4]),
  };
  const composite = planComposite(job.meta, job.raster, { percentile: false });
  const sampler = new SceneSampler(access, job.raster, output);
  const coverage = job.onlyArea ? plane.mask : new Uint8Array(widthPx * heightPx).fill(255);
  const { rgba } = drawComposite(access, sampler, composite, coverage);
  return { data: rgba.slice(), widthPx, heightPx };
}
