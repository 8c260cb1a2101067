import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { zipOf, type ZipEntry } from "@swath/raster/archive/zip";
import { openWorkSpool } from "../../../platform/uploads/work-spool.ts";
import { downloadName } from "../../../platform/downloads/download-name.ts";
import type { DownloadBody, Downloads } from "../../../platform/downloads/downloads.ts";
import { tileSidePx } from "../grid.ts";
import type { ExportRequest, ExportResult } from "@swath/contract/features/maps/export-contract";
import { drawFile } from "./draw-file.ts";
import { tilesOf } from "./export-plan.ts";
import { featureTable } from "./feature-table.ts";
import { geoParquetOf } from "./geoparquet-file.ts";
import { inOrder } from "./in-order.ts";
import { inWorkFolder } from "./in-work-folder.ts";
import { drawMosaic } from "./mosaic-file.ts";
import { byteBudget, drawPicture } from "./picture-file.ts";
import { originOf, planExport, type PlannedExport } from "./planned-export.ts";
import { makeGeoPackage, makePmtiles, type TileArchiveDeps, type WorkPlace } from "./tile-archive.ts";

export interface ExportDeps extends TileArchiveDeps {
  readonly downloads: Pick<Downloads, "keep">;
  /** Temporary folders of running exports. */
  readonly folders: WorkFolders;
}

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
      const kept = await make(deps, planned, request, job, keep);
      if (kept === null) throw noData();
      return { result: { ...kept, ...describe(planned) } };
    },
  };
}

/** Makes the file and keeps it: on disk where it may be large, otherwise in memory. Null without a valid pixel. */
async function make<Made>(
  deps: ExportDeps,
  planned: PlannedExport,
  request: ExportRequest,
  job: PipelineJob,
  keep: (body: DownloadBody) => Promise<Made>,
): Promise<Made | null> {
  const { gridFile } = request;
  if (planned.form === "mosaic" || planned.form === "pyramid" || gridFile === "gpkg") {
    return await inWorkFolder(deps.folders, job, async (folder, signal) => {
      const place = { folder, signal, keep };
      if (planned.form === "mosaic") return await makeMosaic(deps, planned, place);
      if (gridFile === "gpkg") return await makeGeoPackage(deps, planned, request, place);
      return await makePmtiles(deps, planned, place);
    });
  }
  if (planned.form === "tiles") return await keep(await tiles(deps, planned, job.signal));
  const body = await drawPicture(deps.renderer, planned, job.signal);
  if (body === null) return null;
  return await keep(gridFile === "geoparquet" ? await geoParquetOf(featureTable(body), job.signal) : body);
}

function describe({ form, pixels, zoom }: PlannedExport): Omit<ExportResult, "expires" | "size" | "url"> {
  const size = form === "tiles" || form === "pyramid" ? {} : { widthPx: pixels.widthPx, heightPx: pixels.heightPx };
  return pixels.kind === "native"
    ? { grid: "native", crsEpsg: pixels.crsEpsg, ...size }
    : { grid: "web", crsEpsg: 3857, ...(zoom === null ? {} : { zoom }), ...size };
}

function noData(): ServiceError {
  return new ServiceError("ZERO-TILES-AVAILABLE", "the map has no valid pixel in its area");
}

async function makeMosaic<Made>(
  { renderer }: ExportDeps,
  planned: PlannedExport,
  { folder, signal, keep }: WorkPlace<Made>,
): Promise<Made | null> {
  const { loaded, fileName, pixels } = planned;
  await using spool = await openWorkSpool(folder);
  const mosaic = await drawMosaic(spool, pixels, originOf(planned), (block) =>
    drawFile(renderer, loaded, fileName, block, signal),
  );
  return mosaic === null ? null : await keep(mosaic);
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
    const file = within(await drawFile(deps.renderer, loaded, name, window, signal));
    return file.kind === "file" ? { name: `${z}/${x}/${y}/${name}`, body: file.body } : null;
  });
  const made = entries.filter((entry) => entry !== null);
  if (made.length === 0) throw noData();
  return await zipOf(made);
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
  pmtiles: "application/vnd.pmtiles",
  gpkg: "application/geopackage+sqlite3",
  geoparquet: "application/vnd.apache.parquet",
};
/** Endings of files that are made of others. */
const ENDINGS: Readonly<Partial<Record<ExportRequest["gridFile"], string>>> = {
  pmtiles: ".pmtiles",
  gpkg: ".gpkg",
  geoparquet: ".parquet",
};

/** Programs know GeoTIFFs by `.tif`; files of different map types do not get each other's names. */
function downloadOf({ loaded, fileName }: PlannedExport, suffix: ExportRequest["gridFile"]): readonly [string, string] {
  const ending = ENDINGS[suffix];
  const own = fileName.replace(
    ...(ending === undefined ? ([/\.geotiff$/u, ".tif"] as const) : ([/\.[a-z]+$/u, ending] as const)),
  );
  const { id } = loaded.mapType;
  return [own.startsWith(`${id}.`) ? own : `${id}-${own}`, MEDIA_TYPES[suffix]];
}
