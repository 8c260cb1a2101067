import { writeFile } from "node:fs/promises";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadFile } from "../download-file.ts";
import { UsageError } from "../exit-code.ts";
import { resolveMap } from "../map-name.ts";
import { readMapToken } from "../map-token.ts";

export interface ExportOptions {
  readonly format: "geotiff" | "cog" | "png" | "geojson" | "shz" | "pdf" | "pmtiles" | "gpkg" | "geoparquet";
  readonly grid?: "native" | "web";
  readonly zoom?: number;
  readonly file?: string;
  readonly out: string;
}

/** Formats whose pixels may lie on either grid. */
const RASTERS: readonly ExportOptions["format"][] = ["geotiff", "cog", "png"];

/** `swath export`: makes a file of a whole map and downloads it. */
export async function exportMap(
  context: CommandContext,
  options: ExportOptions,
  given: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const mapIds = await Promise.all(given.map((one) => resolveMap(context, one)));
  const { format, grid, zoom } = options;
  for (const mapId of mapIds) readMapToken(mapId);
  const [mapId = ""] = mapIds;
  if (mapIds.length > 1 && format !== "pdf") {
    throw new UsageError(`got ${mapIds.length} maps, expected one: only --format pdf takes several`);
  }
  if (grid !== undefined && !RASTERS.includes(format)) {
    throw new UsageError(`--grid is for ${RASTERS.join(", ")}, but --format is ${format}`);
  }
  if (grid === "native" && zoom !== undefined) {
    throw new UsageError("--zoom is for the grid web: the native grid has the pixels of the scene");
  }
  const client = await connect(context);
  const progress = output.progress("export", 6);
  const running = {
    signal,
    onProgress: (step: { readonly progress?: { readonly step?: number; readonly message?: string } | null }) =>
      progress.update(step.progress?.step ?? 0, step.progress?.message ?? ""),
  };
  try {
    if (format === "pdf") {
      const made = await client.run("/mapsvc/pdf-report", { maps: [...mapIds] }, running);
      const path = await downloadFile(made.url, options.out, signal);
      const numbers = await writeNumbers(path, made.charts);
      output.result({ path, size: made.size, pages: made.pages, numbers }, [
        `${path}: ${made.pages} pages`,
        ...numbers.map((file) => `${file}: numbers of a chart`),
      ]);
      return;
    }
    const request = {
      mapId,
      // A GeoTIFF of the service is a cloud optimized one.
      gridFile: format === "cog" ? ("geotiff" as const) : format,
      ...(grid === undefined ? {} : { grid }),
      ...(zoom === undefined ? {} : { zoom }),
      ...(options.file === undefined ? {} : { fileName: options.file }),
    };
    const made = await client.run("/mapsvc/export", request, running);
    const path = await downloadFile(made.url, options.out, signal);
    const isValues = request.gridFile === "geotiff" && grid === undefined && zoom === undefined;
    if (isValues && made.grid === "web") {
      output.note("the grid of the scene does not fit into one file: --grid native says why");
    }
    output.result({ path, ...made }, [describe(path, made)]);
  } finally {
    progress.stop();
  }
}

/** Writes the numbers of the charts of a report beside it. */
async function writeNumbers(
  report: string,
  charts: readonly { readonly name: string; readonly csv: string }[],
): Promise<readonly string[]> {
  const base = report.replace(/\.pdf$/u, "");
  const paths = charts.map(({ name }) => `${base}-${name}.csv`);
  for (const [i, path] of paths.entries()) await writeFile(path, charts[i]?.csv ?? "");
  return paths;
}

interface Made {
  readonly grid: "native" | "web";
  readonly crsEpsg: number | null;
  readonly zoom?: number;
  readonly size: number;
  readonly widthPx?: number;
  readonly heightPx?: number;
}

function describe(path: string, { grid, crsEpsg, zoom, size, widthPx, heightPx }: Made): string {
  const crs = crsEpsg === null ? "the CRS of the scene" : `EPSG:${crsEpsg}`;
  const where = grid === "native" ? `pixels of the scene, ${crs}` : `Web Mercator, zoom ${zoom ?? "?"}`;
  const pixels = widthPx === undefined ? "tiles" : `${widthPx} x ${heightPx ?? "?"} pixels`;
  return `${path}: ${pixels}, ${where}, ${(size / 1e6).toFixed(1)} MB`;
}
