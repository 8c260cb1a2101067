import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { zipOf, type ZipEntry } from "@swath/raster/archive/zip";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import { openWorkSpool } from "../../../platform/uploads/work-spool.ts";
import { downloadName } from "../../../platform/downloads/download-name.ts";
import type { DownloadBody, Downloads } from "../../../platform/downloads/downloads.ts";
import { tileSidePx } from "../grid.ts";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import type { ExportRequest, ExportResult } from "@swath/contract/features/maps/export-contract";
import { tilesOf } from "./export-plan.ts";
import { inOrder } from "./in-order.ts";
import { drawMosaic } from "./mosaic-file.ts";
import { originOf, planExport, type PlanExportDeps, type PlannedExport } from "./planned-export.ts";

export interface ExportDeps extends PlanExportDeps {
  readonly renderer: Pick<GridRenderer, "render">;
  readonly downloads: Pick<Downloads, "keep">;
  /** Temporary folders of running exports. */
  readonly folders: WorkFolders;
}

/** A picture or a zip is in memory until it is in the store. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

export function createExport(deps: ExportDeps): PipelineHandler<ExportRequest, ExportResult> {
  return {
    async prepare(request, { signal }) {
      await planExport(deps, request, signal);
    },
    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const planned = await planExport(deps, request, job.signal);
      await job.report({ message: "Analyzing", step: 5 });
      const [name, mediaType] = downloadOf(planned, request.gridFile);
      const keep = async (body: DownloadBody): ReturnType<Downloads["keep"]> => {
        await job.report({ message: "Finalizing analysis", step: 6 });
        return await deps.downloads.keep(job, { fileName: downloadName(name), mediaType, body });
      };
      const kept =
        planned.form === "mosaic"
          ? await withMosaic(deps, planned, job, keep)
          : await keep(await (planned.form === "tiles" ? tiles : picture)(deps, planned, job.signal));
      return { result: { ...kept, ...describe(planned) } };
    },
  };
}

function describe({ form, pixels, zoom }: PlannedExport): Omit<ExportResult, "expires" | "size" | "url"> {
  const size = form === "tiles" ? {} : { widthPx: pixels.widthPx, heightPx: pixels.heightPx };
  return pixels.kind === "native"
    ? { grid: "native", crsEpsg: pixels.crsEpsg, ...size }
    : { grid: "web", crsEpsg: 3857, ...(zoom === null ? {} : { zoom }), ...size };
}

function noData(): ServiceError {
  return new ServiceError("ZERO-TILES-AVAILABLE", "the map has no valid pixel in its area");
}

function byteBudget(): (file: GridFile) => GridFile {
  let total = 0;
  return (file) => {
    total += file.kind === "file" ? file.body.byteLength : 0;
    if (total <= MAX_FILE_BYTES) return file;
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the file has more than ${MAX_FILE_BYTES} bytes: export it at a lower zoom or in parts`,
    );
  };
}

async function draw(
  { renderer }: ExportDeps,
  loaded: LoadedMap,
  name: string,
  window: GridWindow,
  signal: AbortSignal,
): Promise<GridFile> {
  signal.throwIfAborted();
  return await renderer.render(await drawingOf(loaded, name, window, {}).request(), signal);
}

/** Draws a mosaic in a temporary folder, which is gone afterwards. */
async function withMosaic<Kept>(
  deps: ExportDeps,
  planned: PlannedExport,
  { attempt, pipelineId, signal }: Pick<PipelineJob, "attempt" | "pipelineId" | "signal">,
  keep: (body: DownloadBody) => Promise<Kept>,
): Promise<Kept> {
  const { loaded, fileName, pixels } = planned;
  const folder = await deps.folders.create(pipelineId, attempt);
  try {
    using guard = deps.folders.guard(folder, signal);
    await using spool = await openWorkSpool(folder);
    const mosaic = await drawMosaic(spool, pixels, originOf(planned), (block) =>
      draw(deps, loaded, fileName, block, guard.signal),
    );
    if (mosaic === null) throw noData();
    return await keep(mosaic);
  } finally {
    await deps.folders.remove(folder);
  }
}

async function tiles(
  deps: ExportDeps,
  { loaded, listed, fileName, zoom }: PlannedExport,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const names = Object.values(loaded.mapType.gridFiles)
    .flat()
    .filter((name) => name !== fileName)
    .toSorted();
  const within = byteBudget();
  const found = await tilesOf(loaded.clip, listed, zoom ?? 0, signal);
  const wanted = found.tiles.flatMap(([z, x, y]) => names.map((name) => ({ z, x, y, name })));
  const entries = await inOrder(wanted, async ({ z, x, y, name }): Promise<ZipEntry | null> => {
    const window = { kind: "tile", z, x, y, sizePx: tileSidePx(loaded) } as const;
    const file = within(await draw(deps, loaded, name, window, signal));
    return file.kind === "file" ? { name: `${z}/${x}/${y}/${name}`, body: file.body } : null;
  });
  const made = entries.filter((entry) => entry !== null);
  if (made.length === 0) throw noData();
  return await zipOf(made);
}

async function picture(
  deps: ExportDeps,
  { loaded, fileName, pixels }: PlannedExport,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const file = byteBudget()(await draw(deps, loaded, fileName, pixels, signal));
  if (file.kind !== "file") throw noData();
  return file.body;
}

const MEDIA_TYPES: Readonly<Record<ExportRequest["gridFile"], string>> = {
  png: "image/png",
  webp: "image/webp",
  ski: "application/gzip",
  json: "application/json",
  geojson: "application/geo+json",
  geotiff: "image/tiff",
  "visu-geotiff": "image/tiff",
  shz: "application/zip",
  zip: "application/zip",
};

/** Programs know GeoTIFFs by `.tif`; files of different map types do not get each other's names. */
function downloadOf({ loaded, fileName }: PlannedExport, suffix: ExportRequest["gridFile"]): readonly [string, string] {
  const own = fileName.replace(/\.geotiff$/u, ".tif");
  const { id } = loaded.mapType;
  return [own.startsWith(`${id}.`) ? own : `${id}-${own}`, MEDIA_TYPES[suffix]];
}
